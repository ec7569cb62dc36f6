// Known ways in which text has misused a terminal, as data, so that every suite that prints foreign text can try them.
// Each one is followed by visible text, because swallowing what comes after is an attack as well.
// `felt` says that the emulator of the tests reacts when the text arrives as it is; the others harm
// real terminals, or only whoever cleans them clumsily.

export type Attack = { name: string; text: string; felt: boolean };

const felt = (name: string, text: string): Attack => ({ name, text, felt: true });
const elsewhere = (name: string, text: string): Attack => ({ name, text, felt: false });

const ESC = "\x1b";
const BEL = "\x07";
const ST = "\x1b\\";
const CSI = `${ESC}[`;
const OSC = `${ESC}]`;

const cursorMoves: Attack[] = [
  felt("cursor home", `${CSI}Hgotcha`),
  felt("cursor to a place", `${CSI}2;3Hgotcha`),
  felt("cursor up", `${CSI}3Agotcha`),
  felt("cursor down", `${CSI}3Bgotcha`),
  felt("next line", `${CSI}2Egotcha`),
  felt("previous line", `${CSI}2Fgotcha`),
  felt("absolute row", `${CSI}1dgotcha`),
  felt("index", `${ESC}Dgotcha`),
  felt("reverse index", `${ESC}Mgotcha`),
  felt("next line escape", `${ESC}Egotcha`),
  felt("restore a saved cursor", `${ESC}8gotcha`),
  felt("restore a saved cursor, CSI form", `${CSI}ugotcha`),
  felt("line feeds", "a\n\n\ngotcha"),
  felt("vertical tab", "a\x0bgotcha"),
  felt("form feed", "a\x0cgotcha"),
  felt("full reset", `${ESC}cgotcha`),
  felt("alignment pattern", `${ESC}#8gotcha`),
];

const erasures: Attack[] = [
  felt("erase the screen", `${CSI}2Jgotcha`),
  felt("erase above", `${CSI}1Jgotcha`),
  felt("erase below", `${CSI}Jgotcha`),
  elsewhere("erase the scrollback", `${CSI}3Jgotcha`),
  felt("insert lines", `${CSI}3Lgotcha`),
  felt("delete lines", `${CSI}3Mgotcha`),
  felt("scroll up", `${CSI}2Sgotcha`),
  felt("scroll down", `${CSI}2Tgotcha`),
  elsewhere("repeat a character without end", `a${CSI}2147483647bgotcha`),
];

const modes: Attack[] = [
  felt("alternate screen", `${CSI}?1049hgotcha`),
  felt("hide the cursor", `${CSI}?25lgotcha`),
  felt("mouse tracking", `${CSI}?1000;1003;1006hgotcha`),
  felt("bracketed paste", `${CSI}?2004hgotcha`),
  felt("focus reports", `${CSI}?1004hgotcha`),
  felt("synchronized output left open", `${CSI}?2026hgotcha`),
  felt("autowrap on", `${CSI}?7hgotcha`),
  felt("origin mode", `${CSI}?6hgotcha`),
  felt("insert mode", `${CSI}4hgotcha`),
  felt("application keypad", `${ESC}=gotcha`),
  felt("application cursor keys", `${CSI}?1hgotcha`),
  felt("scroll region", `${CSI}3;5rgotcha`),
  felt("soft reset", `${CSI}!pgotcha`),
  felt("clear the tab stops", `${CSI}3ggotcha`),
  felt("line drawing into G0", `${ESC}(0gotcha`),
  felt("shift out to line drawing", `${ESC})0\x0egotcha`),
  elsewhere("kitty keyboard", `${CSI}>31ugotcha`),
  elsewhere("modifyOtherKeys", `${CSI}>4;2mgotcha`),
  elsewhere("132 columns", `${CSI}?3hgotcha`),
  elsewhere("left and right margins", `${CSI}?69h${CSI}5;9sgotcha`),
  elsewhere("cursor shape", `${CSI}5 qgotcha`),
  elsewhere("resize the window", `${CSI}8;5;10tgotcha`),
  elsewhere("iconify the window", `${CSI}2tgotcha`),
];

const questions: Attack[] = [
  felt("device attributes", `${CSI}cgotcha`),
  felt("secondary device attributes", `${CSI}>cgotcha`),
  elsewhere("tertiary device attributes", `${CSI}=cgotcha`),
  felt("status report", `${CSI}5ngotcha`),
  felt("cursor position report", `${CSI}6ngotcha`),
  felt("extended cursor position report", `${CSI}?6ngotcha`),
  elsewhere("title report", `${OSC}2;rm -rf /${BEL}${CSI}21tgotcha`),
  felt("mode report", `${CSI}?2026$pgotcha`),
  felt("DECRQSS", `${ESC}P$qm${ST}gotcha`),
  elsewhere("XTGETTCAP", `${ESC}P+q544e${ST}gotcha`),
  elsewhere("XTVERSION", `${CSI}>0qgotcha`),
  elsewhere("answerback", "\x05gotcha"),
  elsewhere("identify", `${ESC}Zgotcha`),
  elsewhere("colour report", `${OSC}4;0;?${BEL}gotcha`),
  elsewhere("background report", `${OSC}11;?${BEL}gotcha`),
  elsewhere("kitty graphics query", `${ESC}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${ST}gotcha`),
];

const strings: Attack[] = [
  felt("title and icon", `${OSC}0;gotcha${BEL}gotcha`),
  felt("title", `${OSC}2;gotcha${ST}gotcha`),
  felt("title, 8-bit terminator", `${OSC}2;gotcha\x9cgotcha`),
  felt("clipboard write", `${OSC}52;c;Z290Y2hh${BEL}gotcha`),
  felt("clipboard read", `${OSC}52;c;?${ST}gotcha`),
  felt("clipboard write, never ended", `${OSC}52;c;Z290Y2hh gotcha`),
  felt(
    "link that says another address",
    `${OSC}8;;https://evil.example/${ST}https://good.example/${OSC}8;;${ST}gotcha`,
  ),
  felt("link left open", `${OSC}8;;https://evil.example/${ST}gotcha`),
  elsewhere("working directory", `${OSC}7;file:///etc${BEL}gotcha`),
  elsewhere("notification", `${OSC}9;gotcha${BEL}gotcha`),
  elsewhere("shell prompt marker", `${OSC}133;A${BEL}gotcha`),
  elsewhere("palette", `${OSC}4;1;rgb:00/00/00${BEL}gotcha`),
  elsewhere("iTerm file", `${OSC}1337;File=name=eA==;size=1:QQ==${BEL}gotcha`),
  elsewhere("DCS user-defined keys", `${ESC}P1;1|17/0a${ST}gotcha`),
  elsewhere("sixel", `${ESC}Pq#0;2;0;0;0#0!9999~-${ST}gotcha`),
  felt("DCS never ended", `${ESC}Pq gotcha`),
  felt("APC never ended", `${ESC}_ gotcha`),
  felt("PM never ended", `${ESC}^ gotcha`),
  felt("SOS never ended", `${ESC}X gotcha`),
  felt("OSC never ended", `${OSC} gotcha`),
  elsewhere("screen title", `${ESC}kgotcha${ST}gotcha`),
  elsewhere("tmux passthrough", `${ESC}Ptmux;${ESC}${OSC}52;c;Z290Y2hh${BEL}${ST}gotcha`),
];

const eightBit: Attack[] = [
  felt("8-bit CSI", "\x9b2;3Hgotcha"),
  felt("8-bit CSI erase", "\x9b2Jgotcha"),
  felt("8-bit OSC", "\x9d2;gotcha\x07gotcha"),
  felt("8-bit OSC with 8-bit terminator", "\x9d52;c;Z290Y2hh\x9cgotcha"),
  felt("8-bit DCS", "\x90$qm\x9cgotcha"),
  felt("8-bit DCS never ended", "\x90gotcha"),
  felt("8-bit APC never ended", "\x9fgotcha"),
  felt("8-bit PM never ended", "\x9egotcha"),
  felt("8-bit SOS never ended", "\x98gotcha"),
  felt("8-bit index", "\x84gotcha"),
  felt("8-bit next line", "\x85gotcha"),
  elsewhere("8-bit reverse index", "\x8dgotcha"),
];

const broken: Attack[] = [
  felt("CSI never ended", `${CSI}31`),
  felt("a bare escape at the end", `gotcha${ESC}`),
  felt("escape inside a CSI", `${CSI}3${ESC}[2;3Hgotcha`),
  felt("line feed inside a CSI", `${CSI}2\nJgotcha`),
  felt("cancelled CSI, then another", `${CSI}2\x18${CSI}2Jgotcha`),
  felt("nested introducers", `${ESC}${ESC}${ESC}[2Jgotcha`),
  felt("introducer left over when one is removed", `${ESC}${OSC}0;x${BEL}[2Jgotcha`),
  elsewhere("C1 introducer left over when one is removed", `\x9b${CSI}0m2;3Hgotcha`),
  elsewhere("delete", "a\x7fgotcha"),
  felt("bell", "\x07gotcha"),
  elsewhere("NUL", "a\x00gotcha"),
  felt("carriage return over a prompt", "safe\r\nallow? yes"),
  elsewhere("lone surrogates", "\ud83d gotcha \ude00"),
  elsewhere("noncharacters", "\uffff\ufffe\u{10ffff}gotcha"),
];

const invisible: Attack[] = [
  elsewhere("right-to-left override", "\u202egpj.exe gotcha"),
  elsewhere("embeddings", "\u202aa\u202bb\u202dc\u202c gotcha"),
  elsewhere("isolates left open", "\u2066a\u2067b\u2068c gotcha"),
  elsewhere("direction marks", "\u200ea\u200fb\u061cc gotcha"),
  elsewhere("zero-width characters", "got\u200bc\u2060h\ufeffa\u00ad"),
  elsewhere("hidden message in tags", "gotcha\u{e0073}\u{e0065}\u{e0063}\u{e0072}\u{e0065}\u{e0074}"),
  elsewhere("hidden message in variation selectors", `gotcha${"\u{e0101}".repeat(500)}`),
  elsewhere("interlinear annotation", "\ufff9good\ufffaevil\ufffb gotcha"),
  elsewhere("line and paragraph separators", "a\u2028b\u2029gotcha"),
  elsewhere("fillers", "a\u3164b\uffa0c\u115f\u1160gotcha"),
  elsewhere("a tower of marks", `z${"\u0353".repeat(5000)}gotcha`),
  elsewhere("a tower of marks in pieces", `z${`${"\u0353".repeat(20)}${CSI}K`.repeat(300)}gotcha`),
  elsewhere("a tower of marks in colours", `z${`${"\u0353".repeat(20)}${CSI}31m`.repeat(300)}gotcha`),
  elsewhere("an endless family", `${"👩\u200d".repeat(2000)}gotcha`),
  elsewhere("an endless syllable", `${"\u1100".repeat(2000)}gotcha`),
];

const colours: Attack[] = [
  felt("colour left open", `${CSI}31;44;1mgotcha`),
  felt("concealed text", `${CSI}8mgotcha`),
  felt("blink", `${CSI}5mgotcha`),
  elsewhere("colour with absurd parameters", `${CSI}38;2;999999999999;-1;${"9".repeat(5000)}mgotcha`),
  elsewhere("colour with thousands of parameters", `${CSI}${"1;".repeat(5000)}mgotcha`),
  felt("colour with a private prefix", `${CSI}?1mgotcha${CSI}>1;1m${CSI}1 m${CSI}1$m${CSI}?2Jgotcha`),
];

export const attacks: readonly Attack[] = [
  ...cursorMoves,
  ...erasures,
  ...modes,
  ...questions,
  ...strings,
  ...eightBit,
  ...broken,
  ...invisible,
  ...colours,
];
