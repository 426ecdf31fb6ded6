// A slider says its value in words beside it: shares in per cent, seconds in days and hours.
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];

function duration(seconds) {
  const [size, word] = UNITS.find(([size]) => seconds && seconds % size === 0) ?? [1, "second"];
  return `${seconds / size} ${word}${seconds === size ? "" : "s"}`;
}

function words(value, unit) {
  if (unit === "share") return `${Math.round(value * 1000) / 10} %`;
  return unit === "seconds" ? duration(Number(value)) : `${value} ${unit}`.trim();
}

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.unit === undefined) return;
  const output = document.getElementById(`${target.id}-out`);
  if (output) output.textContent = words(target.value, target.dataset.unit);
});
