"""Our sharpest constants."""
from theory.regimes.printed_repaired import scratch_lower, scratch_upper, unlearn_lower, unlearn_upper

__all__ = ["scratch_lower", "scratch_upper", "unlearn_lower", "unlearn_upper"]
