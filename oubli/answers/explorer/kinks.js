"use strict";
/* Lower bounds by rare kinks, as in Python: a sphere and a ball of starts, and a kink at theta* by exact laws.

   Cones, radii and means are those of Python. A risk is lowered further than there before it is compared with the
   target, and the largest T that is refused is found by the same bisection, so that no answer is above Python's. */
function makeKinks(TABLES) {
  const { dimensions, radii, means, shares, typical, most, widest, nothing, farthest } = TABLES.hops;
  const { rare: RARE, down: DOWN } = TABLES.hops;
  const SAFE = 1 - 1e-8; // on top of what Python takes off

  // A table of cones: four columns of doubles, X, N, C and P.

  function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)), all = new Float64Array(bytes.buffer);
    const size = all.length / 4;
    return { size, X: all.subarray(0, size), N: all.subarray(size, 2 * size),
      C: all.subarray(2 * size, 3 * size), P: all.subarray(3 * size) };
  }

  const unpackedAll = (cones) => Object.fromEntries(Object.entries(cones).map(([n, text]) => [n, unpacked(text)]));

  // The largest T that is refused, and one more.

  function bisected(refused, allowed, refuses) {
    const least = refused + 1;
    while (allowed - refused > 1) {
      const middle = Math.max(Math.floor((refused + allowed) / 2), least);
      if (refuses(middle)) refused = middle;
      else allowed = middle;
    }
    return allowed;
  }

  // A hop lets a test of the output grow by a factor `growth` and `loss` more; T coins tell its ends apart.

  function hop(q, used, T, A) {
    const room = Math.max(1 - used * (A / (1 - q.r)) ** 2, nothing) * DOWN;
    const mean = (T * used * (q.r / (1 - q.r)) ** 2) / room;
    const rare = Math.min(RARE * used ** -1.5 * q.delta * Math.exp(-q.eps), 0.5);
    const eps1 = (mean + Math.sqrt((-2 * mean * Math.log(rare)) / room)) * (1 + 1e-8);
    const growth = Math.exp(Math.min(q.eps + 2 * eps1, farthest)) * (1 + 1e-11);
    const loss = (Math.exp(Math.min(eps1, farthest)) * q.delta + (T > 0 ? rare : 0) * (1 + growth)) * (1 + 1e-11);
    const a = T > 0 ? Math.max(1 / (T + 1), q.r * (1 + 1e-9)) : 1;
    return { used, r: q.r, A, a, growth, loss, unseen: T > 0 ? (1 - Math.min(a, 0.9)) ** T : 1 };
  }

  const hops = (q, used, T) =>
    (T > 0 ? means.map((m) => ((1 - q.r) * m) / Math.sqrt(used)) : radii.map((A) => Math.min(A, (1 - q.r) * DOWN)))
      .map((A) => hop(q, used, T, A));

  const usedOf = (d) => dimensions.reduce((best, n) => (n <= d ? n : best), dimensions[0]);

  // The best cone for the middle one of three radii, as in Python.
  function chosen(family, all, table) {
    const third = all.filter((_, i) => i % 3 === 1).map((h) => family.best(h, table));
    return all.map((_, i) => third[Math.floor(i / 3)]);
  }

  function forcedSteps(family, q) {
    if (!(q.x < 1 && q.eps < widest && q.d >= 2 && q.r > 0)) return 0;
    if (!(q.x < (8 * q.r * q.d) / Math.expm1(q.eps))) return 0;
    const d = Math.min(q.d, family.most);
    const refusedBy = (used, cone) => (T) => {
      const table = family.tables[used];
      return hops(q, used, T).some((h, i) => family.risk(h, table, cone[i]) * SAFE - 1e-10 > q.x);
    };
    const at = (used, T) => chosen(family, hops(q, used, T), family.tables[used]);
    const whole = usedOf(d);
    if (!refusedBy(whole, at(whole, 0))(0)) return 0;
    const used = [...new Set(shares.map((share) => usedOf(d * share)))];
    return Math.max(...used.map((n) => {
      const refuses = refusedBy(n, at(n, typical));
      return refuses(1) ? bisected(1, most + 1, refuses) : 1;
    }));
  }

  function bestOf(quality) {
    return (h, table) => {
      const at = quality(h, table);
      let best = 0, value = at(0);
      for (let i = 1; i < table.size; i++) {
        const found = at(i);
        if (found > value) [best, value] = [i, found];
      }
      return best;
    };
  }

  // The sphere: a start and its hop lie on a sphere of radius A, a turn of eta apart.

  const fits = (h) => 1.01 * h.r < h.A;
  const turnOf = (h) => (fits(h) ? h.r / Math.sqrt(Math.max(h.A ** 2 - h.r ** 2, nothing)) : 1e-9) * DOWN;

  function acrossOf(h, table) {
    const turn = turnOf(h), bend = (2 * turn ** 2) / (1 + turn ** 2);
    return (i) => (h.growth * table.X[i] + table.N[i] + bend * table.C[i]) * (1 + 1e-8);
  }

  function sphereQuality(h, table) {
    const turn = turnOf(h), across = acrossOf(h, table), slope = (2 * turn) / (1 + turn ** 2);
    return (i) => (slope * table.P[i] - h.loss) / across(i);
  }

  function sphereRisk(h, table, cone) {
    if (!fits(h)) return 0;
    const turn = turnOf(h), { a, A } = h, across = acrossOf(h, table)(cone);
    const along = ((2 * turn) / (1 + turn ** 2)) * table.P[cone];
    const size = Math.hypot(along, across), inward = ((a - h.r) / (1 - h.r)) * A;
    const offset = along * (A - inward) - h.loss * A;
    const alpha = slopeOf(Math.atan2(across, along), offset / size, a, inward);
    const pull = Math.max(offset + a * (along * Math.cos(alpha) + across * Math.sin(alpha)), 0) / size;
    const paid = 2 * a * inward * Math.cos(alpha) - inward ** 2 - a ** 2 + pull ** 2;
    return Math.max(paid * DOWN - 1e-12, 0) * h.unseen;
  }

  function slopeOf(phi, offset, a, inward) {
    let alpha = Math.atan2(a * Math.sin(phi), inward + a * Math.cos(phi));
    for (let i = 0; i < 2; i++) {
      const g = a * Math.cos(phi - alpha) + offset, s = Math.sin(phi - alpha), c = Math.cos(phi - alpha);
      const falls = Math.min(a * s ** 2 - g * c - inward * Math.cos(alpha), -1e-9);
      alpha = Math.min(Math.max(alpha - (g * s - inward * Math.sin(alpha)) / falls, 0), phi);
    }
    return alpha;
  }

  // The ball: starts fill a ball of radius A.

  function miss(h, table) {
    const nu = Math.max(1 - (2 * h.r) / h.A, 0) ** h.used * DOWN;
    return (i) => {
      const gain = Math.max(2 * h.r * nu * table.P[i] * DOWN - 2 * h.A * h.loss, 0), N = table.N[i];
      return (gain / ((h.growth * table.X[i] + (N < 0 ? nu : 1) * N) * (1 + 1e-8))) * DOWN;
    };
  }

  function ballRisk(h, table, cone) {
    const zeta = miss(h, table)(cone);
    return 2.01 * h.r < h.A ? (zeta ** 2 + 2 * h.a * (1 - h.A) * zeta) * h.unseen * DOWN : 0;
  }

  const SPHERE = { best: bestOf(sphereQuality), risk: sphereRisk, ...TABLES.sphere, tables: unpackedAll(TABLES.sphere.cones) };
  const BALL = { best: bestOf(miss), risk: ballRisk, ...TABLES.ball, tables: unpackedAll(TABLES.ball.cones) };

  // A kink at theta*: p G^2 - S over the number of signs +1.

  const BAYES = TABLES.bayes, LOGS = [0];
  for (let k = 1; k <= BAYES.most; k++) LOGS.push(LOGS[k - 1] + Math.log(k));

  function choices(r, T) {
    const scaled = Math.max(r, nothing) * (T + 1), many = (2.3 * scaled ** -0.44) / (1 + 12 * r);
    return BAYES.means.map((m, i) => {
      const Q = i === 0 ? (1 - r) / scaled : many;
      const G = Math.min(r * (1 + m) * (1 - 2 ** -36), ((1 - 1e-9) * (1 + m)) / (1 + Q));
      const same = Math.max(1 - ((1 + Q) * G) / (1 + m), 0) ** T;
      return { m, Q, G, p: i === 0 ? (Q * same) / (1 + Q * same) : 0.5 + (0.32 * Q) / (Q + 1.5) };
    });
  }

  function bayesRisk({ m, Q, G, p }, T) {
    const law = (mean) => {
      const up = Math.log(Math.max((1 + mean) / 2, nothing)), low = Math.log(Math.max((1 - mean) / 2, nothing));
      return (k) => Math.exp(LOGS[T] - LOGS[k] - LOGS[T - k] + k * up + (T - k) * low);
    };
    const first = law(m), other = law(m - (1 + Q) * G);
    let total = 0;
    for (let k = 0; k <= T; k++) {
      const a = p * first(k), c = (1 - p) * other(k);
      total += Math.max(a - c * Q, 0) ** 2 / Math.max(a + c, nothing);
    }
    return Math.max(p * SAFE - total * (2 - SAFE), 0) * G ** 2;
  }

  function bayesSteps(q) {
    if (!(q.x < 4 * q.r ** 2)) return 0;
    const x = Math.max(q.x, BAYES.least * q.r ** 2);
    return bisected(-1, BAYES.most + 1, (T) => choices(q.r, T).some((choice) => bayesRisk(choice, T) > x));
  }

  // Each with the most that it can force.
  return {
    sphere: { most: most + 1, steps: (q) => forcedSteps(SPHERE, q) },
    ball: { most: most + 1, steps: (q) => forcedSteps(BALL, q) },
    bayes: { most: BAYES.most + 1, steps: bayesSteps },
  };
}
