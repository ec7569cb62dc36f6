// Themes without colours for the hosted components: a simulation compares texts.

const same = (text: string): string => text;

export const PLAIN_LIST = {
  selectedPrefix: same,
  selectedText: same,
  description: same,
  scrollInfo: same,
  noMatch: same,
};
export const PLAIN_EDITOR = { borderColor: same, selectList: PLAIN_LIST };
