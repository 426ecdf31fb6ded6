// The page that `manage.py audit --html` writes: one trace is opened from its template; the list is sorted and filtered.
(() => {
  const reader = document.getElementById("reader");
  const list = document.getElementById("list");
  const body = list.tBodies[0];
  const words = document.getElementById("words");
  const outcome = document.getElementById("outcome");
  let open = "";

  const shown = () => [...body.rows].filter((row) => !row.hidden);
  const nameOf = (row) => row.querySelector("th a").hash.slice(1);

  function show(name) {
    if (open === name) return true;
    const template = document.getElementById(name);
    if (!(template instanceof HTMLTemplateElement)) return false;
    reader.replaceChildren(template.content.cloneNode(true));
    for (const row of body.rows) row.classList.toggle("is-here", nameOf(row) === name);
    open = name;
    return true;
  }

  // #t3 opens the third trace, #t3-O7 its segment O7.
  function follow() {
    const [, name, segment] = /^#(t\d+)(?:-(\w+))?$/.exec(location.hash) || [];
    if (!name || !show(name)) return;
    const target = (segment && document.getElementById(`${name}-${segment}`)) || reader;
    for (const old of reader.querySelectorAll(".is-target")) old.classList.remove("is-target");
    if (target !== reader) target.classList.add("is-target");
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  }

  function filter() {
    const wanted = words.value.trim().toLowerCase();
    for (const row of body.rows) {
      const fits = !outcome.value || row.dataset.outcome === outcome.value;
      row.hidden = !(fits && row.textContent.toLowerCase().includes(wanted));
    }
    document.getElementById("count").textContent = `${shown().length} of ${body.rows.length} traces`;
  }

  function sort(button) {
    const head = button.closest("th");
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of list.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const text = (row) => row.cells[head.cellIndex].textContent.trim();
    const compare =
      button.dataset.sort === "number"
        ? (a, b) => Number(text(a)) - Number(text(b))
        : (a, b) => text(a).localeCompare(text(b), undefined, { numeric: true });
    body.append(...[...body.rows].sort((a, b) => (down ? compare(b, a) : compare(a, b))));
  }

  function jump(mark) {
    const rows = [...reader.querySelectorAll(`[data-mark="${mark}"]`)];
    if (!rows.length) return;
    const here = rows.indexOf(reader.querySelector(`[data-mark="${mark}"].is-target`));
    location.hash = rows[(here + 1) % rows.length].id;
  }

  function go(steps) {
    const rows = shown();
    const next = rows[rows.findIndex((row) => nameOf(row) === open) + steps];
    if (next) location.hash = nameOf(next);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.sort) sort(button);
    if (button.dataset.jump) jump(button.dataset.jump);
    if (button.dataset.go) go(Number(button.dataset.go));
  });
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  words.addEventListener("input", filter);
  outcome.addEventListener("change", filter);
  addEventListener("hashchange", follow);
  filter();
  follow();
})();
