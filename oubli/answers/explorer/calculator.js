"use strict";
/* The calculator of oubli in JavaScript: the same bounds, each rounded further to its safe side.

   Every grid and constant comes from TABLES, which Python writes. An upper end is at least that of Python and
   a lower end at most, so that a regime named here is one that Python certifies; a test compares. */
function makeCalculator(TABLES) {
  const MARGIN = 2 ** -36; // Python takes 2^-40
  const FAR = 1e15;
  const ROUNDS = 4;
  const LOOSE = 1e-9; // for what Python computes exactly: the Gaussian scale and the total variation
  const up = (v) => v * (1 + MARGIN);
  const down = (v) => v * (1 - MARGIN);
  const ceilDown = (v) => Math.ceil(down(Math.max(v, 0)));
  const V = TABLES.V, LAMBDA = TABLES.lambda;

  // The noise.

  function mills(t) {
    // (1 - Phi(t))/phi(t): a series where it keeps its digits, a continued fraction beyond.
    if (t < 3) {
      let term = t, sum = t;
      for (let n = 1; n < 200 && Math.abs(term) > 1e-18 * Math.abs(sum); n++) sum += (term *= (t * t) / (2 * n + 1));
      return Math.sqrt(Math.PI / 2) * Math.exp((t * t) / 2) - sum;
    }
    let fraction = t;
    for (let n = 120; n >= 1; n--) fraction = t + n / fraction;
    return 1 / fraction;
  }

  function gaussianDelta(eps, sigma) {
    const a = eps * sigma - 1 / (2 * sigma), b = eps * sigma + 1 / (2 * sigma);
    if (a < -8) return 1;
    return (Math.exp((-a * a) / 2) / Math.sqrt(2 * Math.PI)) * (mills(a) - mills(b));
  }

  function gaussianScale(eps, delta) {
    let low = 1e-6, high = 1e9;
    for (let i = 0; i < 110 && high > low * (1 + 1e-13); i++) {
      const middle = Math.sqrt(low * high);
      if (gaussianDelta(eps, middle) <= delta * (1 - 1e-10)) high = middle;
      else low = middle;
    }
    return high * (1 + LOOSE);
  }

  function staircaseSquare(eps, d) {
    // The best q of the grid of sim/laws/staircase.py, its sums as there.
    if (!isFinite(eps) || eps < 1 || 5 * eps < d + 2) return Infinity;
    const far = eps >= 2 * (d + 2), stride = far ? 1 : 2;
    let begin = Math.max(Math.trunc(Math.max(Math.log(far ? 2 : 3) - eps / (d + 2), -8.5) / -Math.log(1.03)), 0);
    begin -= begin % stride;
    let best = Infinity;
    for (let i = 0; i < 40; i++) {
      const q = 1.03 ** -(begin + stride * i), power = [];
      for (let k = 0; k < 48; k++) power.push(d * Math.log(q + k) - eps * k);
      const top = Math.max(...power);
      let above = 0, below = 0, last = 0;
      power.forEach((p, k) => {
        const w = Math.exp(p - top);
        below += w;
        above += last = w * (q + k) ** 2;
      });
      const ratio = Math.exp(Math.min((d + 2) * Math.log1p(1 / (q + 47)) - eps, 0));
      if (ratio < 1) best = Math.min(best, ((d / (d + 2)) * (above + (last * ratio) / (1 - ratio))) / below);
    }
    return best * (1 + 3 * LOOSE);
  }

  function radialRate(eps, delta, d) {
    // The fit of sim/laws/radial.py: a sum of products of Chebyshev polynomials.
    const F = TABLES.radial, at = [Math.min(eps, F.high[0]), Math.min(delta, F.high[1]), d];
    const place = at.map((v, k) => (2 * Math.log(v / F.low[k])) / Math.log(F.high[k] / F.low[k]) - 1);
    if (!place.every((u) => Math.abs(u) <= 1 + 1e-12)) return eps;
    const shape = [F.coefficients.length, F.coefficients[0].length, F.coefficients[0][0].length];
    const [A, B, C] = place.map((u, k) => {
      const T = [1, u];
      for (let n = 2; n < shape[k]; n++) T.push(2 * u * T[n - 1] - T[n - 2]);
      return T;
    });
    let sum = 0;
    F.coefficients.forEach((plane, i) => plane.forEach((row, j) => row.forEach((c, k) => (sum += c * A[i] * B[j] * C[k]))));
    const gain = Math.exp(sum - F.safe[0] - F.safe[1] / Math.sqrt(d)) * (1 - LOOSE);
    return gain >= F.safe[2] ? Math.max(at[0] * (1 + gain), eps) : eps;
  }

  function mechanisms(q) {
    const gaussian = { square: up(q.d * gaussianScale(q.eps, q.delta) ** 2), law: TABLES.laws.gaussian };
    const radial = { square: up((q.d * (q.d + 1)) / q.eps ** 2), law: TABLES.laws.radial };
    const rate = radialRate(q.eps, q.delta, q.d);
    const exact = { square: rate > q.eps ? up((q.d * (q.d + 1)) / rate ** 2) : Infinity, law: TABLES.laws.radialExact };
    const stairs = { square: up(staircaseSquare(q.eps, q.d)), law: TABLES.laws.staircase };
    const best = [gaussian, radial, exact, stairs].reduce((a, b) => (b.square < a.square ? b : a));
    const chord = { apart: up(2 / (1 + q.r)), claims: TABLES.claims.chord };
    const dual = { apart: TABLES.dual, claims: TABLES.claims.dual };
    const line = { apart: q.d === 1 ? 1 : Infinity, claims: TABLES.claims.line };
    const least = [line, dual, chord].reduce((a, b) => (b.apart < a.apart ? b : a));
    return { gaussian, best, chord, line, least };
  }

  // Upper bounds.

  const harmonic = (T, k) => up(1 + Math.log1p(T * (k / (1 + k / 2))) / k);

  function fewestSteps(x, D) {
    if (!(x > 0) || !isFinite(D)) return Infinity;
    let best = Infinity;
    for (const c of TABLES.weights) {
      const k = c * (1 - LAMBDA * c);
      const A = up(((4 * (1 - LAMBDA * c) ** 2) / c) * (D / x)), B = up(LAMBDA * c + (4 * V * c) / x);
      let T = A + B * harmonic(FAR, k);
      for (let i = 0; i < ROUNDS; i++) {
        const slope = Math.max(1 - B / (1 + k * (T + 0.5)), 1e-3);
        T = Math.min(Math.max(T - (T + 1 - A - B * harmonic(T, k)) / slope, 0), T);
      }
      const whole = Math.ceil(T);
      for (const n of [whole, whole + 1])
        if (n < FAR / 2 && up(A + B * harmonic(n, k)) <= n + 1) { best = Math.min(best, n); break; }
    }
    return best;
  }

  const LINEAR = TABLES.linear.map(([c, a]) => {
    const ratio = (1 + c / a) ** 2, left = down(c + 0.5 - 2 * LAMBDA * ratio);
    return {
      a, left,
      room: down(a + left - 1),
      fixed: up(Math.max((a - 1) ** 2 / 2 - 2 * LAMBDA * (a - 1 + c), 0) + 2 * LAMBDA ** 2 * up(ratio)),
      each: up(8 * V + LAMBDA ** 2 / left),
      more: up(8 * V * c * (2 + c / a)),
    };
  });

  function linearSteps(x) {
    let best = Infinity;
    for (const p of LINEAR) {
      const cost = (n) => up(p.fixed + p.more * (1 / p.a + Math.log((n + p.a - 0.5) / (p.a + 0.5))));
      let n = 16 / x;
      for (let i = 0; i < 2; i++) {
        const half = p.each / x - p.room;
        n = half + Math.sqrt(half ** 2 + (2 * cost(n)) / x);
      }
      const whole = Math.ceil(up(n));
      if (down(whole * (whole / 2 + p.room) * x) >= up(cost(whole) + whole * p.each)) best = Math.min(best, whole - 1);
    }
    return best;
  }

  function scratchUpper(x) {
    const at = (steps) => (x >= 1 ? 0 : steps);
    return [
      { name: "printed", steps: at(Math.max(Math.ceil(up(TABLES.takes / x)) - 1, 0)) },
      { name: "equal", steps: at(x > 0.03 ? fewestSteps(down(x), 0.25) : Infinity) },
      { name: "growing", steps: at(linearSteps(down(x))) },
    ];
  }

  // What the best share of the price of theta* leaves of the target, and the distance that counts.
  function between(x, r, D, offset) {
    const above = (1 - r) * (1 + r), near = above * x, far = 4 * r ** 2, half = (near + far + 4 * D) / 2;
    const root = near / (half + Math.sqrt(Math.max(half ** 2 - near * far, 0)));
    const share = Math.max(root, TABLES.leastShare), left = Math.max(down(x) - up(share * offset), 0);
    return [left, Math.max(D, up((left * above * (1 - share)) / (4 * share)))];
  }

  function unlearnUpper(q, scratch) {
    const { x, r } = q, m = mechanisms(q);
    const E = m.gaussian.square, s = m.chord.apart, hit = (threshold) => (x >= threshold ? 0 : Infinity);
    const offset = up((4 * r ** 2) / ((1 - r) * (1 + r)));
    const spread = up(r ** 2 * m.least.apart ** 2 * m.best.square), far = up(spread + r ** 2);
    const [left, near] = between(x, r, spread, offset);
    const printed = { noise: m.gaussian, sensitivity: m.chord }, sharp = { noise: m.best, sensitivity: m.least };
    return [
      ...scratch.map((b) => ({ name: "retrain " + b.name, steps: b.steps })),
      { name: "alone", steps: hit(up(offset + 8 * r * s * Math.sqrt(E))), ...printed },
      { name: "constant", steps: Math.max(Math.ceil(up((64 * r ** 2 * (1 + s ** 2 * E)) / x ** 2)), 1), ...printed },
      { name: "alone line", steps: q.d === 1 ? hit(up(4 * r ** 2 + 8 * r * Math.sqrt(E))) : Infinity,
        noise: m.gaussian, sensitivity: m.line },
      { name: "shrunk old", steps: hit(up(offset + 8 * Math.sqrt(V * spread))), ...sharp },
      { name: "shrunk new", steps: hit(up(8 * Math.sqrt(V * far))), ...sharp },
      { name: "tuned between", steps: fewestSteps(left, near), ...sharp },
      { name: "tuned new", steps: fewestSteps(down(x), far), ...sharp },
    ];
  }

  // Lower bounds.

  function scratchLower(x) {
    if (x >= 1) return [{ name: "positive", steps: 0 }];
    const root = Math.max(down(1 / Math.sqrt(x)) - 1, 0);
    return [
      { name: "positive", steps: 1 },
      { name: "two points scratch", steps: ceilDown(TABLES.needs / x) },
      { name: "coin flips", steps: ceilDown(root ** 2) },
      ...TABLES.fewLeave.map((left, i) => ({ name: `few ${i + 1}`, steps: x < left ? i + 2 : 0 })),
    ];
  }

  function printedStep(q) {
    const gamma = Math.sqrt(3 * q.x);
    if (up(3 * q.x) > 1) return 0;
    const K = Math.ceil(Math.max(up(up(gamma) / q.rho) - 1, 0) / 2);
    const spent = K > 0 ? up(2 * K * (Math.expm1(q.eps) + q.delta)) : 0;
    return ceilDown(((2 * Math.max(down(2 / 3) - spent, 0)) / (Math.PI * gamma)) ** 2);
  }

  function closedForm(q) {
    const [least, reach, leastDelta] = TABLES.closed;
    const near = q.x <= down(q.rho ** 2 * (1 + q.kappa ** 2) * reach);
    const inside = near && up(3 * q.x) <= 1 && q.delta >= up(leastDelta) && q.delta <= q.eps;
    return inside ? ceilDown(least / q.x) : 0;
  }

  const CHAIN = TABLES.chain.map((h) => [h, up(h), down(1 / Math.asin(h))]);

  function chainSteps(q) {
    const t = Math.tanh(q.eps / 2), scale = 1 / Math.sqrt(q.x);
    let best = 0;
    for (const [h, raised, over] of CHAIN) {
      const free = h * scale, price = Math.min(t + (1 - t) * q.delta * free, 1);
      best = Math.max(best, (down(free) - up(1 + (Math.ceil(raised / q.rho) - 1) * price)) * over);
    }
    return ceilDown(best ** 2);
  }

  const MEANS = TABLES.means.map((m) => [m, up(Math.sqrt(m * Math.atanh(m)))]);

  function cubeSteps(q) {
    const y = Math.sqrt(q.x), t = Math.tanh(q.eps / 2);
    let best = 0;
    for (const j of TABLES.coins) {
      if (j > q.d || q.x >= 1 / j) continue;
      for (const [m, arc] of MEANS) {
        const a = m / Math.sqrt(j);
        const error = up(Math.sqrt(q.x / (1 + (j - 1) * Math.exp(-q.eps)) + 4 * q.delta * a ** 2));
        const spent = up(y + (a / q.rho) * (t * error + a * q.delta));
        best = Math.max(best, (down(a) - spent) / (error * up(arc)));
      }
    }
    return ceilDown(best ** 2);
  }

  const KINKS = TABLES.kinks.map(([m, Q]) => ({ m, Q, weight: down(Q / (1 + Q)), most: down(m / (1 + Q)) }));

  function kinkSteps(q) {
    if (!(q.x < 4 * q.r ** 2)) return 0;
    let best = 0;
    for (const { m, Q, weight, most } of KINKS) {
      const G = Math.min(down(q.r * (1 + m)), Math.sqrt((3 * q.x) / weight), most);
      const room = 1 - up(q.x / (weight * G ** 2));
      const arcs = Math.asin(m) - Math.asin(Math.max(m - (1 + Q) * G, 0));
      best = Math.max(best, Math.max(down(2 * room), 0) / (arcs * (1 + 4e-9)));
    }
    return ceilDown(best ** 2);
  }

  // Two points: exact laws. TV = (2m+1) C(2m,m)/4^m times the integral of (1-u^2)^m up to gamma, T = 2m+1 or 2m+2.

  const NODES = gauss(28);

  function gauss(n) {
    // Nodes and weights of Gauss and Legendre on [0, 1], by Newton's method.
    const found = [];
    for (let i = 0; i < n; i++) {
      let z = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5)), slope = 1;
      for (let round = 0; round < 60; round++) {
        let p = 1, before = 0;
        for (let j = 1; j <= n; j++) [p, before] = [((2 * j - 1) * z * p - (j - 1) * before) / j, p];
        slope = (n * (z * p - before)) / (z * z - 1);
        const step = p / slope;
        z -= step;
        if (Math.abs(step) < 1e-16) break;
      }
      found.push([(1 + z) / 2, 1 / ((1 - z * z) * slope * slope)]);
    }
    return found;
  }

  function central(m) {
    if (m < 60) {
      let product = 1;
      for (let i = 1; i <= m; i++) product *= (2 * i - 1) / (2 * i);
      return product;
    }
    const u = 1 / m;
    return (1 - u / 8 + u ** 2 / 128 + (5 * u ** 3) / 1024 - (21 * u ** 4) / 32768) / Math.sqrt(Math.PI * m);
  }

  function variation(T, gamma) {
    if (T < 1) return 0;
    const m = Math.floor((T - 1) / 2);
    let integral = 0;
    for (const [s, w] of NODES) integral += w * Math.exp(m * Math.log1p(-((gamma * s) ** 2)));
    return Math.min((2 * m + 1) * central(m) * gamma * integral * (1 + LOOSE), 1);
  }

  function withoutHops(q) {
    const widest = (q.x < TABLES.fewCoins ? TABLES.many : TABLES.few) * Math.sqrt(q.x);
    const gamma = Math.min(down(q.rho), widest, 1);
    if (!(down(gamma ** 2) > q.x)) return 0;
    const room = down(1 - up(q.x / gamma ** 2));
    let refused = 0, allowed = Math.ceil((2 / gamma) ** 2) + 4;
    while (allowed - refused > 1) {
      const middle = Math.floor((refused + allowed) / 2);
      if (up(variation(middle, gamma)) < room) refused = middle;
      else allowed = middle;
    }
    return allowed;
  }

  function twoPointSteps(q) {
    const t = Math.tanh(q.eps / 2), hop = t + (1 - t) * q.delta;
    let none = 0, one = 0;
    for (const h of TABLES.widths) {
      const left = 1 - up((Math.ceil(up(h) / q.rho) - 1) * hop), square = down(h ** 2);
      if (down(square * Math.max(left, 0)) > q.x) none = 1;
      if (down(square * Math.max(left - up(h), 0)) > q.x) one = 1;
    }
    return Math.max(none * (1 + one), withoutHops(q));
  }

  // Each lower bound on unlearning, with the most that it can force; the cheap ones first.
  const { sphere, ball, bayes } = makeKinks(TABLES);
  const LOWER = Object.entries({
    nothing: { most: 0, steps: () => 0 },
    "printed step": { most: Infinity, steps: printedStep },
    "printed closed": { most: Infinity, steps: closedForm },
    chain: { most: Infinity, steps: chainSteps },
    cube: { most: Infinity, steps: cubeSteps },
    "two points": { most: Infinity, steps: twoPointSteps },
    kink: { most: Infinity, steps: kinkSteps },
    bayes, ball, sphere,
  });

  const unlearnLower = (q) => LOWER.map(([name, bound]) => ({ name, steps: q.x < 1 ? bound.steps(q) : 0 }));

  // Whether some lower bound is at least this; what cannot reach it is not computed.
  const forces = (q, needed) => LOWER.some(([, bound]) => bound.most >= needed && bound.steps(q) >= needed);

  // The answer.

  const least = (bounds) => bounds.reduce((a, b) => (b.steps < a.steps ? b : a));
  const largest = (bounds) => bounds.reduce((a, b) => (b.steps > a.steps ? b : a));
  const kappaOf = (eps, delta) => Math.sqrt(2 * Math.log(1.25 / delta)) / eps;

  function question(r, d, delta, x, eps) {
    return { r, d, delta, x, eps, rho: r / (1 - r), kappa: kappaOf(eps, delta) };
  }

  function certified(s, u) {
    if (u[1].steps === 0) return "trivial";
    if (TABLES.efficient * u[1].steps <= s[0].steps) return "efficient";
    if (TABLES.inefficient * u[0].steps >= s[1].steps) return "inefficient";
    return "uncharted";
  }

  function classify(r, d, delta, x, eps) {
    const q = question(r, d, delta, x, eps), retraining = scratchUpper(x);
    const scratch = [largest(scratchLower(x)), least(retraining)];
    const unlearn = [largest(unlearnLower(q)), least(unlearnUpper(q, retraining))];
    const best = unlearn[1], noise = best.noise;
    const sigma = noise ? up(Math.sqrt(noise.square / d) * best.sensitivity.apart * r) : 0;
    return { certified: certified(scratch, unlearn), scratch, unlearn, sigma, noise: noise ? noise.law.name : null, q };
  }

  /* Up to which kappa all targets between two are trivial and efficient, and from which on all are inefficient: by
     bisection, as all bounds grow with kappa. All bounds fall with the target, so upper ends are taken at the
     smaller one and lower ends at the larger. What is returned is a kappa at which the regime was seen. */
  function boundaries(r, d, delta, [x0, x1], window, halvings) {
    const retraining = scratchUpper(x0), scratch = [largest(scratchLower(x1)), least(retraining)];
    const at = (x, kappa) => question(r, d, delta, x, kappaOf(1, delta) / kappa);
    const upper = (kappa) => least(unlearnUpper(at(x0, kappa), retraining)).steps;
    const needed = Math.ceil(scratch[1].steps / TABLES.inefficient);
    const last = (holds) => {
      let [low, high] = window;
      if (holds(high)) return high;
      if (!holds(low)) return low;
      for (let i = 0; i < halvings; i++) {
        const middle = Math.sqrt(low * high);
        if (holds(middle)) low = middle;
        else high = middle;
      }
      return low;
    };
    const first = (holds) => {
      let [low, high] = window;
      if (holds(low)) return low;
      if (!holds(high)) return high;
      for (let i = 0; i < halvings; i++) {
        const middle = Math.sqrt(low * high);
        if (holds(middle)) high = middle;
        else low = middle;
      }
      return high;
    };
    return {
      trivial: last((kappa) => upper(kappa) === 0),
      efficient: last((kappa) => TABLES.efficient * upper(kappa) <= scratch[0].steps),
      inefficient: first((kappa) => forces(at(x1, kappa), needed)),
    };
  }

  return { classify, boundaries, kappaOf, gaussianScale, variation };
}
