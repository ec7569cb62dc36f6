// A device that the daemon does not know: it is paired with a code from the terminal, once.
import { useEffect, useState } from "preact/hooks";
import { forgetDrafts } from "../state/drafts.js";
import { daemon } from "../state/page.js";
import { forgetSecretRoute, route } from "../state/route.js";
import { LineInput } from "./parts.jsx";

export function Pair() {
  const here = route.value;
  const identity = daemon.identity.value;
  const why = identity.kind === "unpaired" && identity.words !== "" ? identity.words : "This device is not paired.";
  const [words, setWords] = useState("");
  const [code, setCode] = useState(here.at === "pair" ? here.code : "");
  const [name, setName] = useState(deviceName);
  useEffect(() => {
    if (identity.kind === "unpaired") forgetDrafts();
    if (here.at === "share") void daemon.enterShare(here.secret).then((problem) => entered(problem));
  }, []);
  const entered = (problem: string | null) => {
    if (problem === null) forgetSecretRoute();
    else setWords(problem);
  };
  return (
    <main class="pair">
      <h1>Palaver</h1>
      <p>
        {why} Run <code>palaver pair</code> in a terminal, or <code>/pair</code> in a session, and open the address it
        shows here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void daemon.pair(code.trim(), name.trim()).then(entered);
        }}
      >
        <div class="field">
          <span>code</span>
          <LineInput kind="text" label="code" placeholder="" value={code} onText={setCode} />
        </div>
        <div class="field">
          <span>name of this device, which others see with its answers</span>
          <LineInput kind="text" label="name of this device" placeholder="phone" value={name} onText={setName} />
        </div>
        <button type="submit" class="answer yes" disabled={code.trim() === "" || name.trim() === ""}>
          pair this device
        </button>
      </form>
      <p class="problem" role="status">
        {words}
      </p>
    </main>
  );
}

function deviceName(): string {
  const { userAgent } = navigator;
  const known = ["iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux"].find((word) => userAgent.includes(word));
  return known === "Macintosh" ? "Mac" : (known ?? "browser");
}
