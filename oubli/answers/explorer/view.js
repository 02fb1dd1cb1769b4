"use strict";
(function () {
  const [X_LOW, X_HIGH] = TABLES.window.targets, KAPPAS = TABLES.window.kappas;
  const RANGES = { rf: [1e-6, 0.5], dim: [1, 1e6], delta: [1e-12, 0.1] };
  const PAD = { left: 46, right: 46, top: 10, bottom: 36 };
  const COARSE = 60, FINE = 360, SLICE = 8; // columns of the diagram
  const element = (id) => document.getElementById(id);
  const canvas = element("diagram");
  const state = { rf: START.rf, dim: START.dim, delta: START.delta, target: 0.01, eps: 1 };
  let drawn = null, waiting = null;

  const digits = (value, n) => {
    const short = Number(value.toPrecision(n));
    return short !== 0 && Math.abs(short) < 1e-3 ? short.toExponential() : String(short);
  };
  const count = (value) => (isFinite(value) ? value.toLocaleString("en") : "∞");
  const clamp = (value, [low, high]) => Math.min(Math.max(value, low), high);

  // Sliders are logarithmic; what is shown is what is computed with.
  function shownValue(name, position) {
    const [low, high] = RANGES[name].map(Math.log);
    const value = Math.exp(low + (high - low) * position);
    return clamp(name === "dim" ? Number(Math.round(value).toPrecision(3)) : Number(value.toPrecision(3)), RANGES[name]);
  }

  function position(name, value) {
    const [low, high] = RANGES[name].map(Math.log);
    return (Math.log(value) - low) / (high - low);
  }

  function setUp(name) {
    const slider = element(name);
    Object.assign(slider, { min: 0, max: 1, value: position(name, clamp(state[name], RANGES[name])) });
    element(name + "-out").textContent = digits(state[name], 3);
    slider.addEventListener("input", () => {
      state[name] = shownValue(name, Number(slider.value));
      element(name + "-out").textContent = digits(state[name], 3);
      refresh();
    });
  }

  function setUpNumber(name, range) {
    const field = element(name);
    field.value = digits(state[name], 4);
    field.addEventListener("input", () => {
      const value = Number(field.value), good = field.value.trim() !== "" && value >= range[0] && value <= range[1];
      field.setAttribute("aria-invalid", String(!good));
      if (good) { state[name] = Number(value.toPrecision(4)); paint(); answer(); }
    });
  }

  const epsRange = () => KAPPAS.map((kappa) => Calculator.kappaOf(1, state.delta) / kappa).reverse();

  // The diagram: columns of targets, each filled from solved boundaries.

  function column(i, columns, halvings) {
    const ends = [i, i + 1].map((edge) => X_LOW * (X_HIGH / X_LOW) ** (edge / columns));
    // From e0 on the zero model is enough; the last column ends just before.
    ends[1] = Math.min(ends[1], X_HIGH * (1 - 1e-9));
    return Calculator.boundaries(state.rf, state.dim, state.delta, ends, KAPPAS, halvings);
  }

  function refresh() {
    clearTimeout(waiting);
    drawn = Array.from({ length: COARSE }, (_, i) => column(i, COARSE, 8));
    paint();
    answer();
    waiting = setTimeout(refine, 120, []);
  }

  // Some columns at a time, so that the page answers while it computes.
  function refine(found) {
    const next = Math.min(found.length + SLICE, FINE);
    for (let i = found.length; i < next; i++) found.push(column(i, FINE, 12));
    if (next < FINE) waiting = setTimeout(refine, 0, found);
    else { drawn = found; paint(); }
  }

  const place = (size) => ({
    x: (x) => PAD.left + ((size.width - PAD.left - PAD.right) * Math.log(x / X_LOW)) / Math.log(X_HIGH / X_LOW),
    y: (kappa) => size.height - PAD.bottom
      - ((size.height - PAD.top - PAD.bottom) * Math.log(kappa / KAPPAS[0])) / Math.log(KAPPAS[1] / KAPPAS[0]),
  });

  function paint() {
    const size = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(size.width * ratio);
    canvas.height = Math.round(size.height * ratio);
    const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue("--" + name).trim();
    pen.scale(ratio, ratio);
    pen.clearRect(0, 0, size.width, size.height);
    fill(pen, size, colour);
    axes(pen, size, colour);
    point(pen, size, colour);
  }

  function fill(pen, size, colour) {
    const at = place(size), width = (size.width - PAD.left - PAD.right) / drawn.length;
    pen.fillStyle = colour("uncharted");
    pen.fillRect(PAD.left, PAD.top, size.width - PAD.left - PAD.right, size.height - PAD.top - PAD.bottom);
    drawn.forEach((column, i) => {
      const bar = (name, low, high) => {
        if (high <= low) return;
        pen.fillStyle = colour(name);
        // Whole pixels, so that no seam shows between columns.
        const [left, right] = [i, i + 1].map((edge) => Math.round(PAD.left + edge * width));
        pen.fillRect(left, at.y(high), right - left, at.y(low) - at.y(high));
      };
      // Where several levels are proved the answer is the first of trivial, efficient and inefficient.
      bar("inefficient", column.inefficient, KAPPAS[1]);
      bar("efficient", KAPPAS[0], column.efficient);
      bar("trivial", KAPPAS[0], column.trivial);
    });
  }

  function axes(pen, size, colour) {
    const at = place(size), bottom = size.height - PAD.bottom, right = size.width - PAD.right;
    pen.strokeStyle = colour("line");
    pen.strokeRect(PAD.left, PAD.top, right - PAD.left, bottom - PAD.top);
    pen.fillStyle = colour("soft");
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    for (let k = Math.round(Math.log10(X_LOW)); k <= 0; k++) pen.fillText(k === 0 ? "1" : "1e" + k, at.x(10 ** k), bottom + 15);
    pen.fillText("target e/e0", (PAD.left + right) / 2, bottom + 31);
    pen.textAlign = "right";
    for (let k = -2; k <= 2; k++) pen.fillText(digits(10 ** k, 1), PAD.left - 5, at.y(10 ** k) + 4);
    pen.fillText("κ", PAD.left - 24, (PAD.top + bottom) / 2);
    pen.textAlign = "left";
    const constant = Calculator.kappaOf(1, state.delta);
    for (let k = -3; k <= 4; k++) {
      const kappa = constant / 10 ** k;
      if (kappa >= KAPPAS[0] && kappa <= KAPPAS[1]) pen.fillText(digits(10 ** k, 1), right + 5, at.y(kappa) + 4);
    }
    pen.fillText("ε", right + 34, (PAD.top + bottom) / 2);
  }

  function point(pen, size, colour) {
    const at = place(size);
    const x = at.x(clamp(state.target, [X_LOW, X_HIGH]));
    const y = at.y(clamp(Calculator.kappaOf(state.eps, state.delta), KAPPAS));
    pen.strokeStyle = colour("ink");
    pen.setLineDash([4, 4]);
    pen.beginPath();
    pen.moveTo(x, PAD.top); pen.lineTo(x, size.height - PAD.bottom);
    pen.moveTo(PAD.left, y); pen.lineTo(size.width - PAD.right, y);
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    pen.arc(x, y, 7, 0, 2 * Math.PI);
    pen.fillStyle = colour("paper");
    pen.fill();
    pen.lineWidth = 2;
    pen.stroke();
    pen.lineWidth = 1;
  }

  // The answer at the point.

  const ADVICE = {
    zero: () => "Release the zero model: it meets this target on every problem.",
    release: () => "Add noise to the trained model and release it: no gradient is needed.",
    tuneProved: (T) => `Add noise to the trained model and fine-tune it for ${T}: proved to cost at most half of retraining.`,
    tuneFewer: (T, least) => `Add noise and fine-tune for ${T}: enough, and retraining needs at least ${count(least)}.`,
    tune: (T, S) => `Add noise and fine-tune for ${T}: enough, and fewer than the ${S} with which retraining is proved to
      be enough; that retraining really needs more is not proved.`,
    retrain: (T, S, least) => `Retrain from zero: ${T} are enough, and no unlearning algorithm is proved to need fewer.`
      + (least > 0 ? ` Each needs at least ${count(least)}.` : ""),
  };

  const gradients = (steps) => `${count(steps)} gradient${steps === 1 ? "" : "s"}`;

  function adviceFor(found) {
    const [low, high] = found.unlearn, T = gradients(high.steps), S = count(found.scratch[1].steps);
    if (!found.noise) return high.steps === 0 ? ADVICE.zero() : ADVICE.retrain(T, S, low.steps);
    if (high.steps === 0) return ADVICE.release();
    if (found.certified === "efficient") return ADVICE.tuneProved(T);
    const least = found.scratch[0].steps;
    return high.steps < least ? ADVICE.tuneFewer(T, least) : ADVICE.tune(T, S);
  }

  function claimsOf(found) {
    const best = found.unlearn[1];
    const more = best.noise ? [...best.noise.law.claims, ...best.sensitivity.claims] : [];
    const bounds = [...found.scratch, ...found.unlearn].filter((bound) => bound.steps > 0 || bound === best);
    return [...new Set([...bounds.flatMap((bound) => TABLES.bounds[bound.name].claims), ...more])];
  }

  function answer() {
    const { rf, dim, delta, target, eps } = state;
    const found = Calculator.classify(rf, dim, delta, target, eps);
    const [sLow, sHigh] = found.scratch.map((b) => b.steps), [uLow, uHigh] = found.unlearn.map((b) => b.steps);
    const between = (low, high) => (low === high ? gradients(high) : `${count(low)} to ${gradients(high)}`);
    element("regime").textContent = found.certified === "uncharted" ? "uncharted" : "certified " + found.certified;
    element("regime").className = found.certified;
    element("advice").textContent = adviceFor(found);
    element("unlearn").textContent = between(uLow, uHigh);
    element("scratch").textContent = between(sLow, sHigh);
    element("ratio").textContent = uHigh === 0 ? "0" : `${digits(uLow / sHigh, 3)} to ${digits(Math.min(1, uHigh / sLow), 3)}`;
    element("noise").textContent = found.noise
      ? `${found.noise}, standard deviation about ${digits(found.sigma, 4)} L/μ per coordinate` : "none";
    const inside = target >= X_LOW && target <= X_HIGH && eps >= epsRange()[0] && eps <= epsRange()[1];
    element("outside").hidden = inside;
    element("privacy").textContent = `ε = ${digits(eps, 4)}, κ = ${digits(found.q.kappa, 4)}`;
    const items = claimsOf(found).map((key) => {
      const item = document.createElement("li"), name = document.createElement("code");
      name.textContent = key;
      item.append(name, " " + TITLES[key]);
      return item;
    });
    element("claims").replaceChildren(...items);
    const words = ["oubli regime", `--rf ${digits(rf, 4)}`, `--dim ${dim}`, `--delta ${digits(delta, 4)}`,
      `--eps ${digits(eps, 4)}`, `--target ${digits(target, 4)}`, "--explain"];
    element("command").replaceChildren(...words.flatMap((word) => {
      const part = document.createElement("span");
      part.textContent = word;
      return [part, " "];
    }));
  }

  // Moving the point.

  function moveTo(target, eps) {
    state.target = Number(clamp(target, [X_LOW, X_HIGH]).toPrecision(4));
    state.eps = Number(clamp(eps, epsRange()).toPrecision(4));
    for (const name of ["target", "eps"]) {
      element(name).value = digits(state[name], 4);
      element(name).setAttribute("aria-invalid", "false");
    }
    paint();
    answer();
  }

  function follow(event) {
    const size = canvas.getBoundingClientRect();
    const across = (event.clientX - size.left - PAD.left) / (size.width - PAD.left - PAD.right);
    const above = (size.bottom - PAD.bottom - event.clientY) / (size.height - PAD.top - PAD.bottom);
    const kappa = KAPPAS[0] * (KAPPAS[1] / KAPPAS[0]) ** clamp(above, [0, 1]);
    moveTo(X_LOW * (X_HIGH / X_LOW) ** clamp(across, [0, 1]), Calculator.kappaOf(1, state.delta) / kappa);
  }

  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); follow(event); });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" ? event.buttons & 1 : canvas.hasPointerCapture(event.pointerId)) follow(event);
  });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [1 / 1.1, 1], ArrowRight: [1.1, 1], ArrowUp: [1, 1 / 1.1], ArrowDown: [1, 1.1] };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const [target, eps] = moves[event.key];
    moveTo(state.target * target, state.eps * eps);
  });
  window.addEventListener("resize", paint);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

  for (const name of ["rf", "dim", "delta"]) setUp(name);
  setUpNumber("target", [1e-12, 1e100]);
  setUpNumber("eps", [1e-6, 1e4]);
  refresh();
})();
