// Which clusters are one emoji of several characters. The engine's own list takes longer than a frame to load, so it is
// used only for joined sequences.

const SIGN_AS_EMOJI = /^[^0-9#*\p{Emoji_Presentation}]\ufe0f$/u;
const EMOJI = /^\p{Emoji}/u;
const KEYCAP = /^[0-9#*]\ufe0f\u20e3$/u;
const SKIN_TONE = /^\p{Emoji_Modifier_Base}\p{Emoji_Modifier}$/u;
const ENGLAND_SCOTLAND_OR_WALES =
  "\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}";
const ONE_TAG_FLAG = new RegExp(`^${ENGLAND_SCOTLAND_OR_WALES}$`, "u");

/** The only tag sequences in use; all other tags are hidden text. */
export const TAG_FLAGS = new RegExp(ENGLAND_SCOTLAND_OR_WALES, "gu");

// A flag that every supported Node has and the compiler's target does not.
const UNICODE_SETS = "v";
let joined: RegExp | undefined;

export function isEmojiSequence(cluster: string): boolean {
  if (!EMOJI.test(cluster)) return false;
  if (!cluster.includes("\u200d")) {
    return SIGN_AS_EMOJI.test(cluster) || KEYCAP.test(cluster) || SKIN_TONE.test(cluster) || ONE_TAG_FLAG.test(cluster);
  }
  joined ??= new RegExp("^\\p{RGI_Emoji_ZWJ_Sequence}$", UNICODE_SETS);
  return joined.test(cluster);
}
