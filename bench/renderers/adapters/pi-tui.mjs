// pi-tui with its own screen: the transcript is a container of text or Markdown components, the newest of which grows.
import { Container, Editor, Markdown, ProcessTerminal, SelectList, Text, TuiMainScreen } from "@earendil-works/pi-tui";
import { CHROME_WITH_BORDERS, drained, OVERLAY_ITEMS, STATUS } from "../marks.mjs";

export const meta = { name: "pi-tui", markdown: true };

// Every style leaves the text as it is: colours would only add to its bytes.
const unstyled = new Proxy({}, { get: () => (text) => text });
const theme = { borderColor: (text) => text, selectList: unstyled };
const markdownTheme = Object.fromEntries(
  "heading link linkUrl code codeBlock codeBlockBorder quote quoteBorder hr listBullet bold italic strikethrough underline"
    .split(" ")
    .map((name) => [name, (text) => text]),
);

export async function create({ variant }) {
  const screen = new TuiMainScreen(new ProcessTerminal());
  const transcript = new Container();
  const editor = new Editor(screen, theme);
  for (const part of [transcript, new Text(STATUS, 0, 0), editor]) screen.addChild(part);
  screen.setFocus(editor);
  const block = (text) => (variant === "md" ? new Markdown(text, 0, 0, markdownTheme) : new Text(text, 0, 0));
  let message;
  let received = "";
  let overlay;
  const flush = () => {
    screen.renderNow();
    return drained();
  };
  return {
    caps: CHROME_WITH_BORDERS,
    start() {
      screen.start();
      return flush();
    },
    commit: (lines) => transcript.addChild(block(lines.join("\n"))),
    append(token) {
      received += token;
      if (message === undefined) {
        message = block(received);
        transcript.addChild(message);
      } else message.setText(received);
    },
    request: () => screen.requestRender(),
    flush,
    openOverlay() {
      const items = OVERLAY_ITEMS.map((label) => ({ value: label, label }));
      overlay = screen.showOverlay(new SelectList(items, 6, unstyled), { anchor: "center", width: 50 });
    },
    closeOverlay: () => overlay.hide(),
  };
}
