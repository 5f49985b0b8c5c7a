// Draws the charts of the page anew, so that they can be zoomed and read off. Without this script the pictures stay.
"use strict";
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById("data").textContent);
  const HEIGHTS = { calls: 270, visible: 150, in_flight: 150, to_dlq: 270 };
  const COLOURS = 6;
  const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 432000, 864000, 2592000, 8640000];
  const shown = data.variants.map(() => true);
  const charts = [];
  let isFollowing = false;

  // Numbers and durations as the rest of the page writes them.
  const number = (value) => {
    const size = Math.abs(value);
    const decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    const [whole, fraction] = size.toFixed(decimals).split(".");
    const rest = (fraction || "").replace(/0+$/, "");
    return whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0") + (rest ? "." + rest : "");
  };
  const duration = (seconds) => {
    if (seconds < 100) return number(seconds) + "\u00a0s";
    const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
    const first = units.findIndex(([, length]) => seconds >= length);
    const [[name, length], [nextName, nextLength]] = [units[first], units[first + 1]];
    const rounded = Math.round(seconds / nextLength) * nextLength;
    const rest = Math.round((rounded % length) / nextLength);
    const whole = number(Math.floor(rounded / length)) + "\u00a0" + name;
    return rest ? whole + "\u00a0" + rest + "\u00a0" + nextName : whole;
  };
  const share = (value) => number(value * 100) + "\u00a0%";

  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const colour = (variant) => style("--v" + (variant % COLOURS));

  // The curves of a plot: each with the variant it is of, and how it is drawn.
  const curves = (kind) => {
    const line = (variant, values, more) => ({ variant, values, ...more });
    return data.variants.flatMap((_, variant) => {
      if (kind === "to_dlq") return data.to_dlq[variant] ? [line(variant, data.to_dlq[variant], { width: 2 })] : [];
      if (kind !== "calls") return [line(variant, data[kind][variant], { width: 2 })];
      const edges = data.highest ? [data.highest, data.lowest].map((edge) => line(variant, edge[variant], { isEdge: true })) : [];
      return [...edges, line(variant, data.successes[variant], { width: 1.25, dash: [4, 3] }), line(variant, data.calls[variant], { width: 2 })];
    });
  };

  const shadeOutages = (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    for (const [from, until, words] of data.outages) {
      const clamp = (x) => Math.min(Math.max(x, bbox.left), bbox.left + bbox.width);
      const [left, right] = [from, until].map((time) => clamp(plot.valToPos(time, "x", true)));
      if (right <= left) continue;
      ctx.fillStyle = style("--outage");
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
      ctx.fillStyle = style("--outage-bar");
      ctx.fillRect(left, bbox.top, right - left, 2 * devicePixelRatio);
      ctx.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
      ctx.fillStyle = style("--muted");
      const width = ctx.measureText(words).width;
      ctx.fillText(words, Math.min(left, bbox.left + bbox.width - width), bbox.top - 5 * devicePixelRatio);
    }
    ctx.restore();
  };

  const axis = (values, more) => ({
    stroke: () => style("--muted"),
    font: "12px system-ui, sans-serif",
    grid: { show: false },
    ticks: { stroke: () => style("--rule"), width: 1, size: 4 },
    values: (_, splits) => splits.map(values),
    ...more,
  });

  const build = (element) => {
    const kind = element.dataset.plot;
    const isOverTime = kind !== "to_dlq";
    const all = curves(kind);
    const times = isOverTime ? data.time_s : data.to_dlq_s;
    const end = isOverTime ? data.end_s : times[times.length - 1];
    if (!all.length || !times.length) {
      element.textContent = "No message reached the dead-letter queue.";
      element.classList.add("empty");
      return;
    }
    const chart = { element, kind, all, whole: [0, end], limit: isOverTime ? data.duration_s : end, isOverTime };
    const series = all.map((curve) => ({
      stroke: curve.isEdge ? undefined : () => colour(curve.variant),
      width: curve.width || 0,
      dash: curve.dash,
      points: { show: false },
    }));
    const bands = all.flatMap((curve, index) => {
      const isUpper = curve.isEdge && all[index + 1].isEdge && all[index + 1].variant === curve.variant;
      return isUpper ? [{ series: [index + 1, index + 2], fill: () => colour(curve.variant) + "2b" }] : [];
    });
    const options = {
      width: element.clientWidth,
      height: HEIGHTS[kind],
      legend: { show: false },
      padding: [18, 8, 0, 0],
      scales: {
        x: { time: false },
        y: { range: (_, __, highest) => [0, kind === "to_dlq" ? 1 : highest > 0 ? highest * 1.05 : 1] },
      },
      axes: [
        axis((time) => (time ? duration(time) : "0"), { incrs: STEPS_S, space: 70, size: 30 }),
        axis(kind === "to_dlq" ? share : number, { size: 58, grid: { stroke: () => style("--rule"), width: 1 } }),
      ],
      series: [{}, ...series],
      bands,
      cursor: {
        y: false,
        points: { size: (_, index) => (all[index - 1].isEdge ? 0 : 7) },
        sync: isOverTime ? { key: "time", setSeries: false } : undefined,
        bind: { dblclick: () => () => show(chart, chart.whole) },
      },
      hooks: {
        drawClear: isOverTime ? [shadeOutages] : [],
        setCursor: [(plot) => read(chart, plot.cursor.idx)],
        setScale: [(plot, key) => key === "x" && follow(chart, plot.scales.x)],
      },
    };
    element.replaceChildren();
    chart.plot = new uPlot(options, [times, ...all.map((curve) => curve.values)], element);
    charts.push(chart);
    show(chart, chart.whole);
    element.tabIndex = 0;
    element.addEventListener("keydown", (event) => step(chart, event));
    new ResizeObserver(() => chart.plot.setSize({ width: element.clientWidth, height: HEIGHTS[kind] })).observe(element);
  };

  // Shows a part of the time axis, no longer than the run.
  const show = (chart, [from, until]) => {
    const length = Math.min(until - from, chart.limit);
    const start = Math.min(Math.max(from, 0), chart.limit - length);
    chart.plot.setScale("x", { min: start, max: start + length });
  };

  // Charts over time show the same time.
  const follow = (chart, { min, max }) => {
    chart.element.dataset.from = min;
    chart.element.dataset.until = max;
    if (!chart.isOverTime || isFollowing || min == null) return;
    isFollowing = true;
    for (const other of charts) {
      if (other !== chart && other.isOverTime) other.plot.setScale("x", { min, max });
    }
    isFollowing = false;
  };

  // Writes the values at a place below the charts.
  const read = (chart, index) => {
    const figure = chart.element.closest("figure");
    const readout = figure.querySelector(".readout");
    if (index == null) {
      readout.replaceChildren("Point at the chart to read it off; drag to zoom, double-click for all.");
      return;
    }
    const own = charts.filter((other) => figure.contains(other.element));
    const words = chart.kind === "to_dlq" ? share : number;
    const time = document.createElement("span");
    time.textContent = duration(chart.plot.data[0][index]);
    const entries = data.variants.flatMap((name, variant) => {
      const values = own.flatMap((one) => one.all.filter((curve) => curve.variant === variant && curve.width === 2));
      if (!shown[variant] || !values.length) return [];
      const [entry, swatch, label] = ["span", "span", "bdi"].map((tag) => document.createElement(tag));
      swatch.className = "swatch v" + (variant % COLOURS);
      label.textContent = name;
      entry.append(swatch, label, " " + values.map((curve) => words(curve.values[index])).join(" / "));
      return [entry];
    });
    readout.replaceChildren(time, ...entries);
  };

  // Arrow keys move the place that is read off.
  const step = (chart, event) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    const width = chart.plot.over.clientWidth;
    const left = chart.plot.cursor.left >= 0 ? chart.plot.cursor.left : width / 2;
    chart.plot.setCursor({ left: Math.min(Math.max(left + direction * Math.max(width / 120, 2), 0), width), top: 1 });
  };

  const zoom = (button) => {
    const own = charts.find((chart) => button.closest("figure").contains(chart.element));
    if (!own) return;
    const { min, max } = own.plot.scales.x;
    const [middle, length] = [(min + max) / 2, max - min];
    const part = {
      in: [middle - length / 4, middle + length / 4],
      out: [middle - length, middle + length],
      earlier: [min - length / 4, max - length / 4],
      later: [min + length / 4, max + length / 4],
      all: own.whole,
    };
    show(own, part[button.dataset.zoom]);
  };

  const toggle = (button) => {
    const variant = Number(button.dataset.toggle);
    shown[variant] = !shown[variant];
    button.setAttribute("aria-pressed", shown[variant]);
    for (const chart of charts) {
      chart.plot.batch(() => {
        chart.all.forEach((curve, index) => {
          if (curve.variant === variant) chart.plot.setSeries(index + 1, { show: shown[variant] });
        });
      });
      read(chart, chart.plot.cursor.idx);
    }
    document.querySelector(`[data-variant="${variant}"]`).hidden = !shown[variant];
  };

  // Paper has no switch to open a detail with.
  const details = [...document.querySelectorAll("details")];
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = details.filter((one) => !one.open);
    opened.forEach((one) => (one.open = true));
  });
  addEventListener("afterprint", () => opened.forEach((one) => (one.open = false)));

  root.classList.add("live");
  try {
    document.querySelectorAll("[data-plot]").forEach(build);
  } catch (error) {
    root.classList.remove("live");
    throw error;
  }
  charts.forEach((chart) => read(chart, null));
  document.querySelectorAll("[data-toggle]").forEach((button) => button.addEventListener("click", () => toggle(button)));
  document.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => zoom(button)));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((chart) => chart.plot.redraw()));
})();
