// Lays the judged rows out as one table for the terminal: a block for each workload, a column for each renderer, ours
// compared with the others, and the goal with its mark.

const MARKS = { met: "✓", missed: "✕", open: "?", none: " " };

export function tableOf(rows, renderers, titles) {
  const whatWidth = Math.max(...rows.map(({ what }) => what.length)) + 2;
  const columns = renderers.map(({ id, name }) => ({ id, name, width: columnWidth(rows, id, name) }));
  const comparedWidth = Math.max(...rows.map(({ compared }) => compared.length), 0);
  const header = columns.map(({ name, width }) => name.padStart(width)).join("  ");
  const lines = [`${" ".repeat(whatWidth + 2)}${header}`];
  let block;
  for (const row of rows) {
    if (row.workload !== block) lines.push("", `${row.workload}  ${titles[row.workload]}`);
    block = row.workload;
    const cells = columns.map(({ id, width }) => (row.cells[id] ?? "–").padStart(width)).join("  ");
    const verdict = `${MARKS[row.verdict]} ${row.compared.padEnd(comparedWidth)}  ${row.goal}`;
    lines.push(`  ${row.what.padEnd(whatWidth)}${cells}  ${verdict}`.trimEnd());
  }
  return lines.join("\n");
}

function columnWidth(rows, id, name) {
  return Math.max(name.length, ...rows.map(({ cells }) => (cells[id] ?? "–").length));
}
