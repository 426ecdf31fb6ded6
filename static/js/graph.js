// The graph can be walked by keyboard (arrows follow edges, Home and End), moved by dragging, and brought closer.
const STEP = 1.25;
const READABLE = 1.35; // beyond this many user units a pixel the words are too small

class GraphView {
  constructor(figure) {
    this.flows = !figure.classList.contains("graph-small"); // a whole graph reads from left to right, a small one downwards
    this.svg = figure.querySelector("[data-graph-canvas]");
    this.nodes = new Map([...this.svg.querySelectorAll("[data-node]")].map((node) => [node.dataset.node, node]));
    this.edges = [...this.svg.querySelectorAll("[data-source]")];
    this.whole = this.svg.viewBox.baseVal;
    this.whole = [this.whole.x, this.whole.y, this.whole.width, this.whole.height];
    this.box = [...this.whole];
    addEventListener("beforeprint", () => this.zoom("fit")); // on paper nobody can move it
    this.here = [...this.nodes.values()].find((node) => node.classList.contains("is-here")) ?? [...this.nodes.values()][0];
    const isWhole = !this.begin();
    for (const node of this.nodes.values()) node.setAttribute("tabindex", node === this.here ? "0" : "-1");
    const buttons = figure.querySelector("[data-graph-buttons]");
    buttons.hidden = isWhole && figure.classList.contains("graph-small"); // a few boxes need no lens
    buttons.addEventListener("click", (event) => this.zoom(event.target.closest("[data-graph-zoom]")?.dataset.graphZoom));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focusin", (event) => this.light(event.target.closest("[data-node]")));
    this.svg.addEventListener("pointerover", (event) => this.light(event.target.closest("[data-node]")));
    this.svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.svg.addEventListener("pointerdown", (event) => this.drag(event));
  }

  /** A graph too wide to be read whole begins at its true size around the segment of this page; true if it does. */
  begin() {
    const seen = this.svg.getBoundingClientRect();
    if (!seen.width || Math.max(this.whole[2] / seen.width, this.whole[3] / seen.height) < READABLE) return false;
    const p = this.place(this.here);
    const room = this.whole[2] - seen.width; // without room the graph stands in the middle
    const left = room < 0 ? room / 2 : Math.min(Math.max(0, p.x + 60 - seen.width / 2), room);
    this.box = [left, Math.max(0, p.y + 22 - seen.height / 2), seen.width, seen.height];
    this.draw();
    return true;
  }

  place(node) {
    const matrix = node.transform.baseVal.getItem(0).matrix;
    return { x: matrix.e, y: matrix.f };
  }

  neighbours(id) {
    return this.edges.flatMap((edge) =>
      edge.dataset.source === id ? [edge.dataset.target] : edge.dataset.target === id ? [edge.dataset.source] : [],
    ).map((other) => this.nodes.get(other)).filter(Boolean);
  }

  key(event) {
    const node = event.target.closest("[data-node]");
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = this.target(node, event.key);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    this.walk(to);
  }

  target(node, key) {
    const all = [...this.nodes.values()];
    if (key === "Home") return all[0];
    if (key === "End") return all.at(-1);
    const here = this.place(node);
    const [along, across] = this.flows ? ["x", "y"] : ["y", "x"]; // edges run along; a layer lies across
    const [back, on, before, after] = this.flows
      ? ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]
      : ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
    const off = (other, axis) => this.place(other)[axis] - here[axis];
    const joined = (sign) => this.neighbours(node.dataset.node).filter((other) => sign * off(other, along) > 1);
    const beside = (sign) => all.filter((other) => Math.abs(off(other, along)) < 1 && sign * off(other, across) > 0);
    const ways = { [back]: () => joined(-1), [on]: () => joined(1), [before]: () => beside(-1), [after]: () => beside(1) };
    const found = ways[key]?.() ?? [];
    const far = (other) => { const p = this.place(other); return Math.hypot(p.x - here.x, p.y - here.y); };
    return found.sort((a, b) => far(a) - far(b))[0];
  }

  walk(node) {
    this.here?.setAttribute("tabindex", "-1");
    node.setAttribute("tabindex", "0");
    this.here = node;
    node.focus({ preventScroll: true });
    this.show(node);
  }

  show(node) {
    const p = this.place(node);
    const [x, y, width, height] = this.box;
    if (p.x < x || p.x + 120 > x + width) this.box[0] = p.x + 60 - width / 2;
    if (p.y < y || p.y + 44 > y + height) this.box[1] = p.y + 22 - height / 2;
    this.draw();
  }

  light(node) {
    const id = node?.dataset.node;
    for (const edge of this.edges) {
      edge.classList.toggle("is-lit", Boolean(id) && (edge.dataset.source === id || edge.dataset.target === id));
    }
  }

  draw() { this.svg.setAttribute("viewBox", this.box.map((value) => value.toFixed(1)).join(" ")); }

  zoom(how) {
    if (!how) return;
    if (how === "fit") this.box = [...this.whole];
    else this.scale(how === "in" ? 1 / STEP : STEP, this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2);
    this.draw();
  }

  scale(by, cx, cy) {
    const width = Math.min(Math.max(this.box[2] * by, 160), this.whole[2] * 4);
    const real = width / this.box[2];
    this.box = [cx - (cx - this.box[0]) * real, cy - (cy - this.box[1]) * real, width, this.box[3] * real];
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    this.scale(event.deltaY > 0 ? 1.1 : 1 / 1.1, point.x, point.y);
    this.draw();
  }

  drag(event) {
    if (event.target.closest("[data-node]") || event.button !== 0) return;
    const unit = 1 / this.svg.getScreenCTM().a;
    const from = { x: event.clientX, y: event.clientY, box: [...this.box] };
    const move = (now) => {
      this.box[0] = from.box[0] - (now.clientX - from.x) * unit;
      this.box[1] = from.box[1] - (now.clientY - from.y) * unit;
      this.draw();
    };
    const stop = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", stop); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
  }
}

const seen = new WeakSet();
function adopt(root) {
  for (const figure of root.querySelectorAll("[data-graph]")) {
    if (seen.has(figure) || !figure.querySelector("[data-node]")) continue;
    seen.add(figure);
    new GraphView(figure);
  }
}
document.addEventListener("htmx:load", (event) => adopt(event.detail.elt.parentElement ?? document));
adopt(document);
