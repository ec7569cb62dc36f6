// The bar and the arrow of a dialog belong to Palaver alone: they are how a person knows that something wants an answer and
// takes keys. An agent that draws them in its own text gets plainer signs, so that no text can pass for a dialog.
//
//   agent says          is shown as
//   | ▌ Allow it?  |    | │ Allow it?  |
//   | ▌ ❯ 1  yes   |    | │ > 1  yes   |

/** Bars that look like ours, where they could stand for it: before a blank or at the end. Long lines are wrapped by the
 * terminal itself, so that any place in a line can become the start of a row. */
const BAR = /[▉▊▋▌▍┃▐](?=(?:\x1b\[[\d;:]*m)*(?:[ \u00a0]|$))/g;
const ARROW = /❯/g;

export function foreignRow(row: string): string {
  return row.replace(BAR, "│").replace(ARROW, ">");
}
