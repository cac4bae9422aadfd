// The mistakes in the structure of a page, a text each.
const problems = [];
const ids = new Set();
for (const element of document.querySelectorAll("[id]")) {
  if (ids.has(element.id)) problems.push("the id " + element.id + " is there twice");
  ids.add(element.id);
}
for (const element of document.querySelectorAll("*")) {
  for (const attribute of element.attributes) {
    if (attribute.name === "style" || attribute.name.startsWith("on")) {
      problems.push("the attribute " + attribute.name + " of " + element.localName);
    }
    if (["href", "xlink:href"].includes(attribute.name)) {
      if (!attribute.value.startsWith("#")) problems.push("a link to " + attribute.value);
      else if (!document.getElementById(attribute.value.slice(1))) problems.push("a link to nothing: " + attribute.value);
    }
    if (["src", "action", "srcset", "data", "poster", "background"].includes(attribute.name)) {
      problems.push("the attribute " + attribute.name);
    }
    if (["aria-labelledby", "aria-describedby", "for"].includes(attribute.name)) {
      for (const id of attribute.value.split(" ")) {
        if (!document.getElementById(id)) problems.push(attribute.name + " names " + id + ", which is not there");
      }
    }
  }
}
for (const control of document.querySelectorAll("input, select, textarea")) {
  if (!control.labels.length || !control.labels[0].textContent.trim()) problems.push("a control has no label");
}
for (const button of document.querySelectorAll("button, a, summary")) {
  if (!button.textContent.trim()) problems.push("a button or link without text");
}
for (const table of document.querySelectorAll("table")) {
  if (!table.caption || !table.caption.textContent.trim()) problems.push("a table without a caption");
  for (const cell of table.querySelectorAll("th")) {
    if (!cell.scope) problems.push("a heading without a scope in " + table.caption.textContent);
  }
}
let level = 0;
for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  const now = Number(heading.localName[1]);
  if (now > level + 1) problems.push("a heading of level " + now + " below one of " + level + ": " + heading.textContent);
  level = now;
}
if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
for (const landmark of ["header", "nav", "main", "footer"]) {
  if (document.querySelectorAll("body > " + landmark).length !== 1) problems.push("not one " + landmark);
}
if (document.documentElement.lang !== "en") problems.push("no language");
return problems;
