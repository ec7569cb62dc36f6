// Finds characters that look like others: a Cyrillic а among Latin letters, a full-width r, a character like a slash.
// In a command or path they name something else than the user reads. Unicode's tables identify most; the lists below
// add the rest.
//
//     "pаypal.ts" is not what it looks like: а is a Cyrillic letter (U+0430), not the Latin a
import { isEmojiSequence } from "./emoji.js";
import { graphemes } from "./width.js";

/** Letters that most fonts draw like a Latin one, and that Latin letter. */
const LETTERS: ReadonlyMap<string, string> = pairs(
  // Cyrillic.
  "аaвbсcԁdеeһhіiјjӏlкkоoрpԛqѕsтtуyԝwхxгrпnАAВBЕEЅSІIЈJКKМMНHОOРPСCТTХXУYԌGԜWҮYҺhѵvѴV",
  // Greek.
  "αaοoνvρpυuιiκkγyχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲcϳj",
  // Armenian, Cherokee, and the signs of phonetics.
  "օoսuոnհhցgզqՏSՕOաwɑaɡgɩiʏYꞮIᏟCᎠDᎬEᎻHᎫJᏞLᎷMᏢPᎡRᏚSᎢTᏙVᎳWᏃZ",
);

/** Signs that look like special characters of paths and shells. */
const SIGNS: ReadonlyMap<string, string> = pairs(
  "∕/⁄/⧸/╱/⟋/․.‥.。.﹒.∶:꞉:ː:︓:\u037e;؛;ǀ|∣|￨|❘|ǃ!‚,،,＂\"ʹ'ʼ'ˈ'＇'∼~˜~﹩$﹠&﹡*∗*⁎*‹<›>〈<〉>﹨\\∖\\⧵\\﹣-⁓~",
);

/** Other hyphens than the one on the keyboard, before an option or inside a name. Other dashes are ordinary. */
const NAME_DASH = /(?<=[A-Za-z0-9])[\u2010\u2011\u2212\u2043\u02d7](?=[A-Za-z])/u;
const OPTION_DASH = /(?<=^|[\s"'=])[\u2010-\u2015\u2212\u2043\ufe58\u02d7](?=[\p{L}\u2010-\u2015\u2212-])/u;

const SCRIPTS = [
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Coptic", /\p{Script=Coptic}/u],
  ["Lisu", /\p{Script=Lisu}/u],
  ["Deseret", /\p{Script=Deseret}/u],
  ["Osage", /\p{Script=Osage}/u],
  ["Gothic", /\p{Script=Gothic}/u],
  ["Old Italic", /\p{Script=Old_Italic}/u],
  ["Carian", /\p{Script=Carian}/u],
  ["Lycian", /\p{Script=Lycian}/u],
] as const;

// Scripts that are mixed with Latin letters in one word. A letter of any other script among Latin ones is reported.
const MIXES =
  /[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

// Scripts drawn like Latin capitals that are rare in file names.
const DISGUISING =
  /[\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Deseret}\p{Script=Osage}\p{Script=Gothic}\p{Script=Old_Italic}\p{Script=Carian}\p{Script=Lycian}]/u;

/** The most warnings per text. */
const TOLD_MAX = 3;
/** Only the beginning of a longer text is checked. */
const UNITS_MAX = 100_000;
const WORD_UNITS_SHOWN_MAX = 60;

/** One sentence per misleading word. */
export function lookAlikes(text: string): string[] {
  if (!/[^\x00-\x7f]/.test(text)) return [];
  const head = text.slice(0, UNITS_MAX);
  const found = new Set<string>(oddSpaces(head));
  for (const [word] of head.matchAll(/[^\s"'`]+/gu)) {
    const told = oddWord(word, head);
    if (told !== null) found.add(told);
    if (found.size >= TOLD_MAX) break;
  }
  return [...found];
}

const ODD_SPACE = /(\S*)([\u00a0\u1680\u2000-\u200a\u202f\u205f])(\S*)/u;

function oddSpaces(text: string): string[] {
  const [, before = "", space, after = ""] = ODD_SPACE.exec(text) ?? [];
  if (space === undefined) return [];
  return [`between "${shown(before)}" and "${shown(after)}" is an unusual space (${codeOf(space)})`];
}

function oddWord(word: string, text: string): string | null {
  const hidden = hiddenIn(word);
  if (hidden !== null) return hidden;
  for (const character of word) {
    const twin = asciiTwin(character);
    if (twin !== undefined && !(isSign(twin) && EAST_ASIAN.test(text))) return sentence(word, character, twin);
  }
  const dash = (OPTION_DASH.exec(word) ?? NAME_DASH.exec(word))?.[0];
  if (dash !== undefined) return sentence(word, dash, "-");
  for (const part of word.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const letter = oddLetter(part, text);
    if (letter !== null) return sentence(word, letter, LETTERS.get(letter) ?? "a Latin letter");
  }
  return null;
}

const TURNING = /\p{Bidi_Control}/u;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

// The invisible characters inside an emoji belong there.
function hiddenIn(word: string): string | null {
  if (!UNSEEN.test(word) && !TURNING.test(word)) return null;
  for (const cluster of graphemes(word)) {
    if (cluster.length > 1 && isEmojiSequence(cluster)) continue;
    const turning = TURNING.exec(cluster)?.[0];
    if (turning !== undefined) return `"${shown(word)}" is turned around by a character in it (${codeOf(turning)})`;
    const unseen = UNSEEN.exec(cluster)?.[0];
    if (unseen !== undefined) return `"${shown(word)}" has an invisible character in it (${codeOf(unseen)})`;
  }
  return null;
}

// Mixed with Latin letters it is misleading. A word of only such letters is misleading if the text has no other word of
// that alphabet: real Russian also uses letters without a Latin twin.
function oddLetter(word: string, text: string): string | null {
  const letters = [...word];
  const hasLatin = /\p{Script=Latin}/u.test(word);
  const stranger = letters.find((each) => (hasLatin ? !MIXES.test(each) : DISGUISING.test(each)));
  if (stranger !== undefined && (hasLatin || /[A-Za-z]/.test(text))) return stranger;
  const letter = letters.find((each) => LETTERS.has(each));
  if (letter === undefined) return null;
  if (/\p{Script=Latin}/u.test(word.replace(letter, ""))) return letter;
  const isAllAlike = [...word].every((each) => LETTERS.has(each));
  const script = SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[1];
  if (!isAllAlike || script === undefined) return null;
  const isAtHome = [...text].some((each) => script.test(each) && !LETTERS.has(each));
  return isAtHome || !/[A-Za-z]/.test(text) ? null : letter;
}

/** Full-width signs are ordinary among full-width text. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function isSign(twin: string): boolean {
  return /[^A-Za-z0-9]/.test(twin);
}

function asciiTwin(character: string): string | undefined {
  return character < "\u0080" ? undefined : (compatibleTwin(character) ?? SIGNS.get(character));
}

/** Letters and digits that Unicode itself calls other forms of ASCII ones: wide, mathematical, Roman numerals, ligatures. */
function compatibleTwin(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  // Superscript and circled forms are not mistaken for plain ones.
  if (!/[\p{Lu}\p{Ll}\p{Nl}\p{Nd}]/u.test(character)) return undefined;
  const plain = character.normalize("NFKC");
  return /^[A-Za-z0-9]{1,4}$/.test(plain) ? plain : undefined;
}

function sentence(word: string, character: string, twin: string): string {
  return `"${shown(word)}" is not what it looks like: ${character} is ${kindOf(character)} (${codeOf(character)}), not ${twin}`;
}

function shown(word: string): string {
  return word.length > WORD_UNITS_SHOWN_MAX ? `${word.slice(0, WORD_UNITS_SHOWN_MAX)}…` : word;
}

function kindOf(character: string): string {
  const script = SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0];
  if (script !== undefined) return `${/^[AO]/.test(script) ? "an" : "a"} ${script} letter`;
  if (compatibleTwin(character) !== undefined) return "another form of a letter or digit";
  return /\p{L}/u.test(character) ? "another letter" : "another sign";
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function pairs(...texts: readonly string[]): ReadonlyMap<string, string> {
  const characters = texts.flatMap((text) => [...text]);
  return new Map(characters.flatMap((each, index) => (index % 2 === 0 ? [[each, characters[index + 1] ?? ""]] : [])));
}
