// In which order the processes of a group are told to end.
import { expect, test } from "vitest";
import { parentsFirst } from "../../../src/builtin/tools/process-group.js";

test("a parent comes before its children, also when the numbers of processes have started again", () => {
  const [shell, child, grandchild] = [32_760, 301, 302];
  const members = [
    { id: child, parentId: shell },
    { id: grandchild, parentId: child },
    { id: shell, parentId: 1 },
  ];
  expect(parentsFirst(members)).toEqual([shell, child, grandchild]);
});

test("numbers that were given away again between two looks are no endless chain", () => {
  const members = [
    { id: 7, parentId: 8 },
    { id: 8, parentId: 7 },
  ];
  expect(parentsFirst(members).sort()).toEqual([7, 8]);
});
