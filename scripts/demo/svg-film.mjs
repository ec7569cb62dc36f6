// Frames of a terminal as one SVG that plays by itself: every distinct row is drawn once and named, a frame is a list of those
// names, and a style sheet shows one frame at a time. No script is in it, so that it plays wherever a picture may stand.

const CELL = { width: 8.4, height: 18 };
/** From the top of a row to the line that letters stand on. */
const BASELINE = 13.5;
const PADDING = 14;
const GROUND = "#15191f";
const TEXT = "#d8dee9";
/** Faster frames are not visible; longer pauses are not worth waiting for. */
const FRAME_MS = { min: 50, max: 2_500 };
const LAST_FRAME_MS = 4_000;
const PALETTE = ["#15191f", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf"];

export function filmOf(frames, { columns, rows }) {
  const names = new Map();
  const lasting = durations(frames);
  const totalMs = lasting.reduce((sum, ms) => sum + ms, 0);
  let beginMs = 0;
  const groups = frames.map(({ rows: cells }, index) => {
    const used = cells.flatMap((row, at) => {
      const drawn = drawnRow(row);
      if (drawn === "") return [];
      if (!names.has(drawn)) names.set(drawn, `r${names.size}`);
      return `<use href="#${names.get(drawn)}" y="${at * CELL.height}"/>`;
    });
    const span = { from: (beginMs / totalMs) * 100, to: ((beginMs + lasting[index]) / totalMs) * 100 };
    beginMs += lasting[index];
    return { body: used.join(""), span };
  });
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = rows * CELL.height + 2 * PADDING;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A conversation in Palaver: a prompt, a diff, an approval">
<style>text{font:14px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:${TEXT}}g.f{visibility:hidden;animation-duration:${totalMs}ms;animation-iteration-count:infinite;animation-timing-function:step-end}
${groups.map(({ span }, index) => keyframes(index, span, groups.length)).join("\n")}</style>
<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>
<defs>${[...names].map(([drawn, name]) => `<g id="${name}">${drawn}</g>`).join("\n")}</defs>
<g transform="translate(${PADDING} ${PADDING})">
${groups.map(({ body }, index) => `<g class="f" id="f${index}">${body}</g>`).join("\n")}
</g>
</svg>
`;
}

function durations(frames) {
  return frames.map(({ atMs }, index) => {
    const next = frames[index + 1];
    if (next === undefined) return LAST_FRAME_MS;
    return Math.round(Math.min(FRAME_MS.max, Math.max(FRAME_MS.min, next.atMs - atMs)));
  });
}

// Who asks for less motion sees the last frame and nothing else.
function keyframes(index, { from, to }, count) {
  const stops = [
    index === 0 ? "" : "0%{visibility:hidden}",
    `${from.toFixed(3)}%{visibility:visible}`,
    index === count - 1 ? "" : `${to.toFixed(3)}%{visibility:hidden}`,
  ].join("");
  const still = index === count - 1 ? `@media(prefers-reduced-motion){#f${index}{visibility:visible}}` : "";
  return `@keyframes k${index}{${stops}}@media(prefers-reduced-motion:no-preference){#f${index}{animation-name:k${index}}}${still}`;
}

// Neighbours of one style are one text; each begins at its own cell, so that no font can shift what follows.
function drawnRow(cells) {
  const runs = [];
  for (const [column, { text, style }] of cells.entries()) {
    const last = runs.at(-1);
    if (text === "") continue;
    if (last !== undefined && last.style === style && last.end === column && /^[\x20-\x7e]+$/.test(last.text + text)) {
      last.text += text;
      last.end += 1;
    } else runs.push({ column, end: column + 1, text, style });
  }
  return runs.map(drawnRun).join("");
}

function drawnRun({ column, end, text, style }) {
  const [fg, bg, bold, dim, italic, underline, inverse] = style.split("|");
  const colours = { fg: colourOf(fg, TEXT), bg: colourOf(bg, "") };
  const ink = inverse ? colours.bg || GROUND : colours.fg;
  const paper = inverse ? colours.fg : colours.bg;
  const x = (column * CELL.width).toFixed(1);
  const cells = Math.max(end - column, text.length === 1 ? 1 : text.length);
  const box = paper
    ? `<rect x="${x}" width="${(cells * CELL.width).toFixed(1)}" height="${CELL.height}" fill="${paper}"/>`
    : "";
  const words = text.trim();
  if (words === "") return box;
  const look = [
    ink === TEXT ? "" : `fill:${ink}`,
    bold ? "font-weight:bold" : "",
    dim ? "opacity:.6" : "",
    italic ? "font-style:italic" : "",
    underline ? "text-decoration:underline" : "",
  ].filter(Boolean);
  // Blanks at the edges of a text are dropped by some renderers, so they become a place instead.
  const wordsX = ((column + text.indexOf(words)) * CELL.width).toFixed(1);
  const length = words.length > 1 ? ` textLength="${(words.length * CELL.width).toFixed(1)}"` : "";
  const styled = look.length > 0 ? ` style="${look.join(";")}"` : "";
  return `${box}<text x="${wordsX}" y="${BASELINE}" xml:space="preserve"${length}${styled}>${escaped(words)}</text>`;
}

function colourOf(name, otherwise) {
  if (name === "" || name === undefined) return otherwise;
  if (name.startsWith("#")) return name;
  const index = Number(name.slice(1));
  return PALETTE[index % 8] ?? otherwise;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
