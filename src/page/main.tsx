// Starts the page: finds out which device this is, and renders.
import { effect } from "@preact/signals";
import { render } from "preact";
import { daemon, watchBrowser } from "./state/page.js";
import { registerWorker } from "./state/push.js";
import { theme, wearTheme } from "./state/theme.js";
import { App } from "./views/app.jsx";

watchBrowser();
effect(() => wearTheme(theme.value));
void daemon.identify();
const place = document.getElementById("page");
if (place !== null) render(<App />, place);
registerWorker();
