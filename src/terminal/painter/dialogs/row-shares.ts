// Who gets how many of the rows a dialog may have. The question and the answers come first, then what is asked about, then
// the names of the keys; a blank row between them only where nothing else wants it.
//
//   ▌ edit src/parser.ts  +1 −1      head    at least its first row
//   ▌  41   const out = [];          body    cut last, and it says so
//   ▌ … 38 more lines · d all of it
//   ▌                                gap
//   ▌   1  allow once                list    shown around its cursor when it is cut
//   ▌ ❯ 2  no
//   ▌ this is needed                 problem always
//   ▌ enter choose · esc no          hint

export interface RowOptions {
  readonly head: number;
  readonly body: number;
  readonly list: number;
  /** As few rows as the list may have without one of its answers missing; absent for one that is shown around its cursor. */
  readonly listMin?: number;
  readonly problem: number;
}

export interface RowShares {
  readonly head: number;
  readonly body: number;
  readonly gap: 0 | 1;
  readonly list: number;
  readonly hint: 0 | 1;
}

/** Fewer rows than this, the question and one answer, are no dialog. */
const ROWS_MIN = 2;
const LIST_ROWS_MIN = 3;

// Where something is approved, what it is or how much of it is cut has a row before a second answer has one. What is
// dangerous about it stands first in the body, which has two rows before the answers have more than they need.
export function shareRows({ head, body, list, listMin, problem }: RowOptions, rowsMax: number): RowShares {
  let left = Math.max(ROWS_MIN, rowsMax) - problem;
  const take = (wanted: number): number => {
    const got = Math.max(0, Math.min(wanted, left));
    left -= got;
    return got;
  };
  const firstHead = take(1);
  const oneAnswer = listMin === undefined ? 0 : take(Math.min(list, 1));
  const bodyBefore = listMin === undefined ? 0 : take(Math.min(body, 1));
  const firstList = oneAnswer + take(Math.min(list, LIST_ROWS_MIN) - oneAnswer);
  const firstBody = bodyBefore + take(Math.min(body, 1) - bodyBefore);
  const answers = take(Math.min(list, listMin ?? 0) - firstList);
  const moreHead = take(head - firstHead);
  const secondBody = listMin === undefined ? 0 : take(Math.min(body - firstBody, 1));
  const moreList = take(list - firstList - answers);
  const hint = take(1) === 1 ? 1 : 0;
  const moreBody = take(body - firstBody - secondBody);
  const gap = body > 0 && take(1) === 1 ? 1 : 0;
  return {
    head: firstHead + moreHead,
    body: firstBody + secondBody + moreBody,
    gap,
    list: firstList + answers + moreList,
    hint,
  };
}
