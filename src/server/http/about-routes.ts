// What a daemon says about itself: which version it is, and how it is.
import { type DaemonHealth, healthSchema, versionSchema } from "../../contract/daemon.js";
import { jsonAnswer, type RouteGroup } from "./route.js";

export interface AboutPorts {
  readonly version: string;
  health(): DaemonHealth;
}

export function aboutRoutes({ version, health }: AboutPorts): RouteGroup {
  return [
    {
      method: "GET",
      path: "/version",
      summary: "The version of the program that runs here",
      answers: { 200: { description: "The version", schema: versionSchema } },
      handle: () => jsonAnswer({ version }),
    },
    {
      method: "GET",
      path: "/health",
      summary: "Whether the daemon is well, and whose it is",
      answers: { 200: { description: "Its process, project and uptime", schema: healthSchema } },
      handle: () => jsonAnswer(health()),
    },
  ];
}
