// Chance that can be repeated: the same seed gives the same schedule.
export function randomFrom(seed) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
  const integer = (min, max) => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[integer(0, choices.length - 1)],
  };
}
