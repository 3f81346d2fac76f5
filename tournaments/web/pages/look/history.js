"use strict";
// Draws ratings over matches. A table below has the same numbers, for readers who cannot see a drawing.
(() => {
  const WAYS = [[], [8, 4], [2, 4], [12, 4, 2, 4]];
  const BORDERS = ["solid", "dashed", "dotted", "double"];
  let drawn = null;

  // There are six colours; lines of the same colour differ in their dashes.
  function wayOf(line) {
    return Math.floor(Math.max(0, line) / 6) % WAYS.length;
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  function draw() {
    const room = document.getElementById("chart");
    if (!room) return;
    drawn?.destroy();
    const { at, bots } = JSON.parse(room.dataset.lines);
    const quiet = { stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1 } };
    drawn = new uPlot({
      width: room.clientWidth,
      height: Math.max(320, Math.min(520, innerHeight - 320)),
      scales: { x: { time: false } },
      legend: { markers: { dash: (_, series) => BORDERS[wayOf(series - 1)] } },
      axes: [{ ...quiet, label: room.dataset.of, size: 40, labelSize: 20 }, { ...quiet, size: 48 }],
      series: [
        { label: room.dataset.of, value: (_, number) => (number == null ? "" : number.toLocaleString("en")) },
        ...bots.map(([name], line) => ({
          label: name,
          stroke: colour(`seat-${line % 6}`),
          width: 2,
          dash: WAYS[wayOf(line)],
          points: { show: at.length < 2 },
          value: (_, number) => (number == null ? "" : number.toFixed(2)),
        })),
      ],
    }, [at, ...bots.map(([, ratings]) => ratings)], room);
  }

  draw();
  addEventListener("resize", draw);
  document.addEventListener("renewed", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
