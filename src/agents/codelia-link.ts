// codelia's runtime as Palaver starts it. It takes no arguments from here: which session goes on is said on the wire.

import type { AgentCommand } from "./agent-process.js";
import { openDialectLink, type SessionLink, withoutEffects } from "./dialect-link.js";
import { createCodeliaDialect } from "./dialects/codelia/codelia-dialect.js";
import type { SessionLinkOptions } from "./session-link.js";

export function openCodeliaLink(command: AgentCommand, options: SessionLinkOptions): SessionLink {
  const { resume } = options;
  const session = resume === undefined ? {} : { resume };
  const create = () => createCodeliaDialect({ clientVersion: PALAVER_VERSION, ...session });
  return openDialectLink(command, create, withoutEffects, options);
}
