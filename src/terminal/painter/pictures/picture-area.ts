// How many cells a picture takes. It is never enlarged, never distorted more than a cell allows, and stays a part of the
// conversation: half of the window at most, so that the words around it are still there.

/** One character cell in the terminal's own pixels. */
export interface CellSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** What most terminals have within a few pixels; twice as high as wide is what matters. */
export const USUAL_CELL: CellSize = { widthPx: 10, heightPx: 20 };

export interface PictureArea {
  readonly columns: number;
  readonly rows: number;
}

export function pictureArea(
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  cell: CellSize,
  most: PictureArea,
): PictureArea {
  const natural = { columns: widthPx / cell.widthPx, rows: heightPx / cell.heightPx };
  const scale = Math.min(1, most.columns / natural.columns, most.rows / natural.rows);
  const whole = (cells: number, limit: number) => Math.max(1, Math.min(Math.max(1, limit), Math.round(cells * scale)));
  return { columns: whole(natural.columns, most.columns), rows: whole(natural.rows, most.rows) };
}
