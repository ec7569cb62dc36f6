// A terminal with something on it, into one row of which foreign text is written. Afterwards it tells everything about
// itself that the text had no business to change, so that two reports can be compared.
//
//     row 0  a000 ……………………………………        other rows: must stay as they are
//     row 5  █ the text goes here          its own row: may hold anything
//     row 9  a009 ……………………………………

import pkg from "@xterm/headless";

const { Terminal } = pkg;

const COLUMNS = 40;
const ROWS = 10;
const TEXT_ROW = 5;
export const TEXT_COLUMNS = COLUMNS;

const MODES = [1, 6, 7, 9, 12, 25, 45, 47, 66, 69, 1000, 1002, 1003, 1004, 1006, 1016, 1049, 2004, 2026];
const ASK_MODES = [...MODES.map((mode) => `\x1b[?${mode}$p`), "\x1b[4$p", "\x1b[20$p"].join("");
const ASK_SETTINGS = ["r", "m", " q", '"p'].map((setting) => `\x1bP$q${setting}\x1b\\`).join("");
// What a painter writes next. A sequence that is still open would swallow it, a style left open would colour it.
const WITNESS = "\rW";
// Letters that line drawing would change, a tab that cleared stops would stretch, and a scroll at the bottom.
const PROBE = `\x1b[${ROWS};1Hlqk\tx\x1b[${ROWS};1H\n`;

export type Report = {
  otherRows: string[];
  beside: string;
  cursorRow: number;
  scrolledRows: number;
  screen: string;
  modes: object;
  unasked: string[];
  witness: string;
  answers: string;
  afterProbe: string;
};

/** The columns that a text was given; the rest of its row has to stay as it is. */
export type Place = { fromColumn: number; toColumn: number };
export const WHOLE_ROW: Place = { fromColumn: 0, toColumn: COLUMNS };

/** What becomes of the screen when these bytes are written into the middle row. */
export async function watch(bytes: string, place = WHOLE_ROW): Promise<Report> {
  const terminal = new Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 50, allowProposedApi: true });
  const write = (data: string) => new Promise<void>((done) => terminal.write(data, done));
  const unasked: string[] = [];
  const line = (y: number) => terminal.buffer.active.getLine(y)?.translateToString() ?? "";
  const rows = () => Array.from({ length: ROWS }, (_, y) => line(terminal.buffer.active.baseY + y));

  const filling = Array.from({ length: ROWS }, (_, y) => `a00${y}`.padEnd(COLUMNS, "·")).join("\r\n");
  await write(`${filling}\x1b[2;2H\x1b7\x1b[?7l\x1b[${TEXT_ROW + 1};${place.fromColumn + 1}H`);
  terminal.onData((data) => unasked.push(`answer ${JSON.stringify(data)}`));
  terminal.onBinary((data) => unasked.push(`answer ${JSON.stringify(data)}`));
  terminal.onBell(() => unasked.push("bell"));
  terminal.onTitleChange((title) => unasked.push(`title ${title}`));
  for (const osc of [0, 1, 2, 4, 7, 8, 9, 10, 11, 52, 133, 777, 1337]) {
    terminal.parser.registerOscHandler(osc, (data) => {
      unasked.push(`osc ${osc} ${data}`);
      return false;
    });
  }
  await write(`${bytes}${WITNESS}`);

  const ownRow = line(terminal.buffer.active.baseY + TEXT_ROW);
  const cell = terminal.buffer.active.getLine(terminal.buffer.active.baseY + TEXT_ROW)?.getCell(0);
  const otherRows = rows().filter((_, y) => y !== TEXT_ROW);
  const report = {
    otherRows,
    // Column 0 is where the witness stands.
    beside: ownRow.slice(1, Math.max(1, place.fromColumn)) + endOf(ownRow, COLUMNS - place.toColumn),
    cursorRow: terminal.buffer.active.cursorY,
    scrolledRows: terminal.buffer.active.baseY,
    screen: terminal.buffer.active.type,
    modes: { ...terminal.modes },
    unasked: [...unasked],
    witness: `${cell?.getChars()}${cell?.isAttributeDefault() ? "" : " in a style"}`,
  };
  unasked.length = 0;
  await write(ASK_MODES + ASK_SETTINGS);
  const answers = unasked.join("\n");
  await write(PROBE);
  const afterProbe = rows()
    .filter((_, y) => y !== TEXT_ROW - 1)
    .join("\n");
  terminal.dispose();
  return { ...report, answers, afterProbe };
}

// Counted from the end, because a wide character is one letter in two cells.
function endOf(row: string, cells: number): string {
  return cells === 0 ? "" : row.slice(-cells);
}
