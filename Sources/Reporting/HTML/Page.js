(() => {
  "use strict";

  /** Rows of a table for each choice of its menu; the last one is all. */
  const pageSizes = [25, 100, Infinity];

  /** More rows than this are not printed. */
  const printLimit = 100;

  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  /** Makes an element; text in it is text, whatever it holds. */
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  }

  /** Fills a cell with a value of the page's data. */
  function fill(cell, kind, value) {
    if (kind === "number" && typeof value === "number") {
      cell.textContent = grouped(value);
    } else if (kind === "code") {
      const [text, remark, title] = Array.isArray(value) ? value : [value];
      if (text) {
        const code = element("code", title ? { title } : {}, text);
        cell.append(code);
      }
      if (remark) cell.append(element("small", {}, remark));
    } else if (kind === "marks") {
      value.forEach((mark, index) => {
        if (index > 0) cell.append(" ");
        cell.append(element("span", { class: "mark" }, mark));
      });
    } else if (kind === "link" && Array.isArray(value)) {
      cell.append(element("a", { href: "#" + value[1] }, value[0]));
    } else {
      cell.textContent = value;
    }
  }

  /** A row that is in the page, or will be once it is shown. */
  class Row {
    constructor(index, kinds, header, line, values) {
      Object.assign(this, { index, kinds, header, line, values });
    }

    get element() {
      if (!this.line) {
        this.line = element("tr");
        this.values.forEach((value, column) => {
          const isHeader = column === this.header;
          const cell = element(isHeader ? "th" : "td", { class: this.kinds[column] });
          if (isHeader) cell.setAttribute("scope", "row");
          fill(cell, this.kinds[column], value);
          this.line.append(cell);
        });
      }
      return this.line;
    }

    /** What a column is ordered by. */
    key(column) {
      const kind = this.kinds[column];
      let text;
      if (this.values) {
        const value = this.values[column];
        if (typeof value === "number") return value;
        text = Array.isArray(value) ? (kind === "marks" ? value.join(" ") : value[0]) : value;
      } else {
        const cell = this.line.cells[column];
        text = (kind === "code" ? cell.firstElementChild ?? cell : cell).textContent;
      }
      if (kind !== "number" && kind !== "share") return text ?? "";
      const number = parseFloat(text.replaceAll(",", ""));
      return Number.isNaN(number) ? -1 : number;
    }

    /** All that a filter looks at. */
    get words() {
      if (this.text === undefined) {
        const parts = this.values
          ? this.values.flat()
          : Array.from(this.line.cells, (cell) => [
              cell.textContent, cell.querySelector("[title]")?.getAttribute("title") ?? "",
            ]).flat();
        this.text = parts.join("\n").toLowerCase();
      }
      return this.text;
    }
  }

  class Table {
    constructor(box, number) {
      this.box = box;
      this.name = box.dataset.name;
      this.headers = Array.from(box.querySelectorAll("thead th"));
      this.kinds = this.headers.map((cell) => cell.dataset.kind);
      this.body = box.querySelector("tbody");
      this.data = box.querySelector("script");
      this.more = box.querySelector(".more");
      this.lines = Array.from(this.body.rows);
      this.page = 0;
      this.size = pageSizes[0];
      this.query = "";
      this.hasMore = Boolean(this.data);
      if (this.lines.length < 2) return;
      this.addSorting();
      if (this.lines.length > 8) this.addFilter(number);
      if (this.hasMore) this.addPaging(number);
      if (this.more) this.more.hidden = true;
      this.showStatus(this.lines, this.hasMore ? null : this.lines.length);
    }

    /** The rows, read from the data when they are first needed. */
    get rows() {
      if (!this.all) {
        const header = Number(this.box.dataset.header);
        const others = this.data ? JSON.parse(this.data.textContent) : [];
        this.all = this.lines
          .map((line, index) => new Row(index, this.kinds, header, line, null))
          .concat(others.map(
            (values, index) => new Row(this.lines.length + index, this.kinds, header, null, values)));
        this.chosen = this.all;
      }
      return this.all;
    }

    addSorting() {
      this.headers.forEach((cell, column) => {
        const button = element("button", { type: "button" }, cell.textContent);
        if (cell.title) button.title = cell.title;
        cell.removeAttribute("title");
        cell.replaceChildren(button);
        button.addEventListener("click", () => this.sort(column));
      });
      const sorted = this.box.dataset.sorted;
      if (sorted !== undefined) this.headers[Number(sorted)].setAttribute("aria-sort", "descending");
    }

    addFilter(number) {
      const input = element("input", { type: "search", spellcheck: "false", id: `filter-${number}` });
      input.addEventListener("input", () => {
        this.query = input.value.trim().toLowerCase();
        this.page = 0;
        this.choose();
      });
      const label = element("label", { for: input.id }, "Filter", element("span", { class: "quiet" }, ` ${this.name}`));
      this.filterStatus = element("span", { role: "status" });
      const field = element("span", { class: "field" }, label, input);
      this.box.prepend(element("div", { class: "controls" }, field, this.filterStatus));
    }

    addPaging(number) {
      this.menu = element("select", { id: `rows-${number}` });
      pageSizes.forEach((size, index) => {
        this.menu.append(element("option", { value: index }, size === Infinity ? "all" : String(size)));
      });
      this.menu.addEventListener("change", () => {
        this.size = pageSizes[Number(this.menu.value)];
        this.page = 0;
        this.show();
      });
      const turn = (text, step) => {
        const button = element("button", { type: "button" }, text, element("span", { class: "quiet" }, ` rows of ${this.name}`));
        button.addEventListener("click", () => {
          if (button.getAttribute("aria-disabled") === "true") return;
          this.page += step;
          this.show();
        });
        return button;
      };
      this.previous = turn("Previous", -1);
      this.next = turn("Next", 1);
      const label = element("label", { for: this.menu.id }, "Rows", element("span", { class: "quiet" }, ` of ${this.name} on a page`));
      const field = element("span", { class: "field" }, label, this.menu);
      this.pager = element("div", { class: "controls" }, this.previous, this.next, field);
      this.box.querySelector(".scroll").after(this.pager);
      this.status = element("span", { role: "status" });
      this.pager.prepend(this.status);
    }

    sort(column) {
      const cell = this.headers[column];
      const isNumber = this.kinds[column] === "number" || this.kinds[column] === "share";
      const now = cell.getAttribute("aria-sort");
      const order = now ? (now === "descending" ? "ascending" : "descending") : isNumber ? "descending" : "ascending";
      for (const header of this.headers) header.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", order);
      const sign = order === "descending" ? -1 : 1;
      const keys = new Map(this.rows.map((row) => [row, row.key(column)]));
      const compare = isNumber ? (a, b) => a - b : collator.compare;
      this.rows.sort((a, b) => sign * compare(keys.get(a), keys.get(b)) || a.index - b.index);
      this.page = 0;
      this.choose();
    }

    choose() {
      const words = this.query.split(/\s+/).filter(Boolean);
      this.chosen = words.length
        ? this.rows.filter((row) => words.every((word) => row.words.includes(word)))
        : this.rows;
      this.show();
    }

    show(limit = this.size) {
      const rows = this.rows && this.chosen;
      const start = limit === Infinity ? 0 : this.page * limit;
      const shown = rows.slice(start, limit === Infinity ? undefined : start + limit);
      this.body.replaceChildren(...shown.map((row) => row.element));
      this.showStatus(shown, rows.length, start);
      watchWidths();
    }

    showStatus(shown, count, start = 0) {
      if (this.pager) {
        const total = count ?? this.rows.length;
        const end = start + shown.length;
        this.status.textContent = shown.length
          ? `${grouped(start + 1)}–${grouped(end)} of ${grouped(total)}` : "No row";
        this.previous.setAttribute("aria-disabled", String(start === 0));
        this.next.setAttribute("aria-disabled", String(end >= total));
      }
      if (this.filterStatus) {
        this.filterStatus.textContent = !this.query ? ""
          : count === 1 ? "1 row" : `${grouped(count)} rows`;
      }
    }

    beforePrint() {
      if (!this.hasMore) return;
      this.page = 0;
      this.show(printLimit);
      if (!this.more || this.chosen.length <= printLimit) return;
      this.more.textContent = `The first ${printLimit} of ${grouped(this.chosen.length)} rows are printed.`;
      this.more.hidden = false;
    }

    afterPrint() {
      if (!this.hasMore) return;
      this.more.hidden = true;
      this.show();
    }
  }

  /** Lets arrow keys, and a finger, choose a day; says which. */
  function makeChart(plot) {
    const days = Array.from(plot.querySelectorAll("g"));
    if (!days.length) return;
    const texts = days.map((day) => day.querySelector("title").textContent);
    const readout = element("p", { class: "readout", "aria-hidden": "true" }, "\u00a0");
    plot.closest("figure").append(readout);
    let current = days.length - 1;
    const choose = (index) => {
      days[current].classList.remove("chosen");
      current = Math.max(0, Math.min(days.length - 1, index));
      days[current].classList.add("chosen");
      readout.textContent = texts[current];
      plot.setAttribute("aria-valuenow", String(current + 1));
      plot.setAttribute("aria-valuetext", texts[current]);
    };
    const summary = plot.querySelector("svg").getAttribute("aria-label");
    const picture = plot.querySelector("svg");
    picture.removeAttribute("role");
    picture.removeAttribute("aria-label");
    picture.setAttribute("aria-hidden", "true");
    plot.before(element("p", { class: "quiet" }, summary));
    for (const [name, value] of Object.entries({
      tabindex: "0", role: "slider", "aria-label": plot.dataset.name,
      "aria-valuemin": "1", "aria-valuemax": String(days.length),
      "aria-valuenow": String(days.length), "aria-valuetext": texts[current],
    })) plot.setAttribute(name, value);
    plot.addEventListener("focus", () => { if (plot.matches(":focus-visible")) choose(current); });
    plot.addEventListener("keydown", (event) => {
      const steps = {
        ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
        PageDown: -7, PageUp: 7, Home: -Infinity, End: Infinity,
      };
      const step = steps[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      choose(current + step);
    });
    days.forEach((day, index) => {
      day.addEventListener("pointerenter", () => choose(index));
      day.addEventListener("click", () => choose(index));
    });
  }

  /** What scrolls can be reached with the keyboard; what doesn't is no stop. */
  function watchWidths() {
    for (const box of document.querySelectorAll(".scroll")) {
      const name = box.querySelector("caption")?.textContent ?? "";
      if (box.scrollWidth > box.clientWidth + 1) {
        box.setAttribute("tabindex", "0");
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", `${name}, scrolls sideways`);
      } else {
        for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
      }
    }
  }

  const tables = Array.from(document.querySelectorAll(".table"), (box, index) => new Table(box, index + 1));
  document.querySelectorAll(".plot").forEach(makeChart);
  watchWidths();
  let frame = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(watchWidths);
  });
  document.addEventListener("toggle", watchWidths, true);

  /** Opens what is folded around the place that a link leads to. */
  function reveal() {
    const place = document.getElementById(location.hash.slice(1));
    if (!place) return;
    for (let box = place.querySelector(":scope > details") ?? place; box; box = box.parentElement) {
      if (box.localName === "details") box.open = true;
    }
    place.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")?.hash === location.hash) reveal();
  });
  reveal();

  let opened = [];
  addEventListener("beforeprint", () => {
    for (const table of tables) table.beforePrint();
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened = [];
    for (const table of tables) table.afterPrint();
  });
})();
