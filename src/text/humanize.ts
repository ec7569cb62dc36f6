// Numbers for people, independent of the machine's locale.

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** 0.2 s · 12 s · 3 m 12 s · 1 h 04 m · 2 d 03 h */
export function humanDuration(ms: number): string {
  const known = Number.isFinite(ms) ? Math.max(0, ms) : 0;
  const tenths = Math.round(known / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(known / 1000);
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} m ${twoDigits(seconds % MINUTE_S)} s`;
  if (seconds < DAY_S) return `${Math.floor(seconds / HOUR_S)} h ${twoDigits((seconds % HOUR_S) / MINUTE_S)} m`;
  return `${Math.floor(seconds / DAY_S)} d ${twoDigits((seconds % DAY_S) / HOUR_S)} h`;
}

/** How long something took; "" when that is unknown or no time at all. */
export function humanTook(startedAtMs: number | null, endedAtMs: number | null): string {
  const tookMs = startedAtMs === null || endedAtMs === null ? 0 : endedAtMs - startedAtMs;
  return tookMs < 50 ? "" : humanDuration(tookMs);
}

/** 3 s · 3 m 12 s: for running time, where tenths would flicker. */
export function humanSeconds(ms: number): string {
  const seconds = Math.floor((Number.isFinite(ms) ? Math.max(0, ms) : 0) / 1000);
  return seconds < 10 ? `${seconds} s` : humanDuration(seconds * 1000);
}

/** just now · 3 m ago · 3 h ago · 2 d ago */
export function humanAge(ms: number): string {
  const seconds = Math.floor((Number.isFinite(ms) ? Math.max(0, ms) : 0) / 1000);
  if (seconds < MINUTE_S) return "just now";
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} m ago`;
  return seconds < DAY_S ? `${Math.floor(seconds / HOUR_S)} h ago` : `${Math.floor(seconds / DAY_S)} d ago`;
}

/** 1,204 */
export function humanCount(n: number): string {
  if (!Number.isFinite(n)) return "0";
  const whole = Math.round(n);
  const digits = String(Math.abs(whole)).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return whole < 0 ? `-${digits}` : digits;
}

/** 1 line · 1,204 lines · 38 more lines */
export function humanLines(n: number, before = ""): string {
  return `${humanCount(n)} ${before}${n === 1 ? "line" : "lines"}`;
}

/** 840 · 12.4 k · 124 k · 1.2 M */
export function humanTokens(n: number): string {
  const known = Number.isFinite(n) ? Math.max(0, Math.round(n)) : 0;
  if (known < 1000) return String(known);
  // 999,500 would round to 1,000 k.
  return known < 999_500 ? `${threeDigits(known / 1000)} k` : `${threeDigits(known / 1_000_000)} M`;
}

function twoDigits(n: number): string {
  return String(Math.floor(n)).padStart(2, "0");
}

function threeDigits(n: number): string {
  return n < 99.95 ? n.toFixed(1) : humanCount(n);
}

/** `$0.08`, and a tenth of a cent of small sums: `$0.004` */
export function humanCost(dollars: number): string {
  return `$${dollars < 0.1 ? dollars.toFixed(3).replace(/0$/, "") : dollars.toFixed(2)}`;
}
