// What the page needs to start and feed a session: the agents that can be started by name, and the files below a session's folder.
import { fileNamesSchema, type StartableAgent, startableAgentsSchema } from "../../contract/page.js";
import type { ServedSessions } from "../../host/served-session.js";
import { HttpRefusal, jsonAnswer, type RouteGroup } from "../http/route.js";

export interface StartRoutePorts {
  readonly sessions: Pick<ServedSessions, "find">;
  /** Agents by name, the installed ones first. */
  agents(): readonly StartableAgent[];
  /** The best fits below the folder, the best first. */
  findFiles(folder: string, query: string, countMax: number): Promise<readonly string[]>;
}

const FILES_MAX = 50;
const QUERY_CHARS_MAX = 500;

export function startRoutes({ sessions, agents, findFiles }: StartRoutePorts): RouteGroup {
  return [
    {
      method: "GET",
      path: "/agents",
      summary: "The agents that can be started by name",
      answers: { 200: { description: "The agents, the installed ones first", schema: startableAgentsSchema } },
      handle: () => jsonAnswer(agents()),
    },
    {
      method: "GET",
      path: "/sessions/:id/files",
      summary: "Files and folders below the session's folder that fit a few letters, the best first",
      query: [{ name: "query", description: "The letters; without them, what is near" }],
      answers: {
        200: { description: "Paths below the folder; folders end in a slash", schema: fileNamesSchema },
        404: { description: "There is no such session" },
      },
      async handle({ pathParams, url }) {
        const session = sessions.find(pathParams["id"] ?? "");
        if (session === null) throw new HttpRefusal(404, "there is no such session");
        const query = (url.searchParams.get("query") ?? "").slice(0, QUERY_CHARS_MAX);
        return jsonAnswer({ files: await findFiles(session.entry().cwd, query, FILES_MAX) });
      },
    },
  ];
}
