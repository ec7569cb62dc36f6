// Counts what a person would see flicker or miss: clears of the whole screen or of the scrollback, and cells with
// content that were emptied while no synchronized update hid it.

const SYNCHRONIZED = 2026;

export function countDamage(emulator) {
  const tally = { clears: 0, erasedUnsynced: 0 };
  let isSynchronized = false;
  const erased = (cells) => {
    if (!isSynchronized) tally.erasedUnsynced += cells;
  };
  watchErasures(emulator, tally, erased);
  for (const [final, state] of Object.entries({ h: true, l: false })) {
    emulator.parser.registerCsiHandler({ prefix: "?", final }, (params) => {
      if (params.includes(SYNCHRONIZED)) isSynchronized = state;
      return false;
    });
  }
  return {
    read: () => ({ ...tally }),
    reset: () => {
      tally.clears = 0;
      tally.erasedUnsynced = 0;
    },
  };
}

// Every handler looks at the cells before the emulator empties them and leaves the work to it.
function watchErasures(emulator, tally, erased) {
  const { parser } = emulator;
  const cursor = () => ({ x: emulator.buffer.active.cursorX, y: emulator.buffer.active.cursorY });
  const cells = (row, from, to) => filledCells(emulator, row, from, to);
  const rows = (first, last) => {
    let sum = 0;
    for (let row = first; row <= last; row += 1) sum += cells(row, 0, emulator.cols);
    return sum;
  };
  parser.registerCsiHandler({ final: "J" }, ([mode]) => {
    const { x, y } = cursor();
    if (mode === 2 || mode === 3) tally.clears += 1;
    if (mode === 2) erased(rows(0, emulator.rows - 1));
    else if (mode === 1) erased(rows(0, y - 1) + cells(y, 0, x + 1));
    else if (mode !== 3) erased(cells(y, x, emulator.cols) + rows(y + 1, emulator.rows - 1));
    return false;
  });
  parser.registerCsiHandler({ final: "K" }, ([mode]) => {
    const { x, y } = cursor();
    if (mode === 2) erased(cells(y, 0, emulator.cols));
    else if (mode === 1) erased(cells(y, 0, x + 1));
    else erased(cells(y, x, emulator.cols));
    return false;
  });
  parser.registerCsiHandler({ final: "X" }, ([count]) => {
    const { x, y } = cursor();
    erased(cells(y, x, x + Math.max(1, count)));
    return false;
  });
  parser.registerEscHandler({ final: "c" }, () => {
    tally.clears += 1;
    return false;
  });
}

function filledCells(emulator, row, from, to) {
  const buffer = emulator.buffer.active;
  const text = buffer.getLine(buffer.baseY + row)?.translateToString(true, from, Math.min(to, emulator.cols)) ?? "";
  return text.replace(/\s/g, "").length;
}
