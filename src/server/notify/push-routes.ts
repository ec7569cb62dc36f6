// Push messages over HTTP: a paired device says where it takes them, that it no longer does, and asks for one to try.
import { pushResultSchema, pushSubscriptionSchema } from "../../contract/page.js";
import { HttpRefusal, jsonAnswer, type RouteGroup, type RouteRequest, readJsonBody } from "../http/route.js";
import type { PushSender } from "./push-sender.js";

const answers = { 200: { description: "Done; or why not, in words", schema: pushResultSchema } };

export function pushRoutes(sender: PushSender): RouteGroup {
  return [
    {
      method: "POST",
      path: "/push",
      summary: "Send this device a push message for every ask that waits",
      body: { schema: pushSubscriptionSchema },
      answers,
      async handle(request) {
        const subscription = await readJsonBody(request, pushSubscriptionSchema);
        if (!isHttps(subscription.endpoint)) throw new HttpRefusal(400, "endpoint: must be an https address");
        await sender.subscribe(deviceOf(request), subscription);
        return jsonAnswer({ problem: null });
      },
    },
    {
      method: "DELETE",
      path: "/push",
      summary: "Send this device no more push messages",
      answers,
      async handle(request) {
        await sender.unsubscribe(deviceOf(request));
        return jsonAnswer({ problem: null });
      },
    },
    {
      method: "POST",
      path: "/push/test",
      summary: "Send this device one push message now",
      answers,
      handle: async (request) => jsonAnswer({ problem: await sender.send(deviceOf(request), { kind: "test" }) }),
    },
  ];
}

function deviceOf({ caller }: RouteRequest): string {
  if (caller.kind !== "device") throw new HttpRefusal(403, "only a paired device takes push messages");
  return caller.device.id;
}

function isHttps(endpoint: string): boolean {
  return URL.canParse(endpoint) && new URL(endpoint).protocol === "https:";
}
