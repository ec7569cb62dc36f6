// What the page and the daemon say to each other beyond sessions: who this device is, how it paired, and the overview, which is
// every open ask and every session of a daemon in one stream.
//
//   event: hello         the daemon's clock, the number of this protocol, the daemon's epoch   (first, on every connection)
//   event: continuation  every change after Last-Event-ID follows
//   event: snapshot      the overview as it is                                                 id: 1700…042
//   (no name)            a list of changes                                                     id: 1700…043
import * as z from "zod";
import { askSchema, auditRecordSchema } from "./asks.js";
import { hostedSessionSchema } from "./hosted-sessions.js";

/** How long a pairing code is valid. */
export const PAIR_CODE_MS = 120_000;

/** Asks in one snapshot; `asks_more` counts the others. */
export const OVERVIEW_ASKS_MAX = 2_000;

/** Asks in one snapshot are at most this long together; there is always one. */
export const OVERVIEW_CHARS_MAX = 8 * 1024 * 1024;

/** Settled asks in one snapshot, the newest. */
export const OVERVIEW_SETTLED_MAX = 200;

const outcome = auditRecordSchema.shape.outcome;
const delivery = auditRecordSchema.shape.delivery.unwrap().shape.result.nullable();

const overviewAskSchema = z.looseObject({
  ask: askSchema,
  /** Null for an ask of the daemon itself. */
  session: z
    .looseObject({ id: z.string(), name: z.string(), agent: z.string().nullable(), cwd: z.string() })
    .nullable(),
  /** On the clock of `hello.at_ms`, as are deadlines. */
  asked_at_ms: z.number(),
  /** For a question of another machine of the hub: which one, and where it can be answered. */
  elsewhere: z.looseObject({ machine: z.string(), answers: z.enum(["here", "there"]) }).optional(),
});

const overviewSessionSchema = hostedSessionSchema.extend({
  /** The newest line that was said or done; empty when there is none. */
  last_line: z.string(),
  cost: z.number().nullable(),
  tokens: z.number().nullable(),
  title: z.string().nullable(),
  /** For a session of another machine of the hub: it is opened there. */
  machine: z.string().optional(),
});

/** Only a short value is in the outcome; a longer one, and a secret, is null. */
const settledAskSchema = z.looseObject({
  id: z.string(),
  outcome,
  /** Null where there is nothing to deliver; missing while the answer is on its way. */
  delivery: delivery.optional(),
});

export const overviewSnapshotSchema = z.looseObject({
  asks: z.array(overviewAskSchema),
  asks_more: z.number().int().min(0),
  sessions: z.array(overviewSessionSchema),
  settled: z.array(settledAskSchema),
});

export const overviewChangeSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("ask.raised"), ask: overviewAskSchema }),
  z.looseObject({ type: z.literal("ask.settled"), id: z.string(), outcome }),
  z.looseObject({ type: z.literal("ask.finished"), id: z.string(), outcome, delivery }),
  z.looseObject({ type: z.literal("session"), session: overviewSessionSchema }),
  z.looseObject({ type: z.literal("session.gone"), id: z.string() }),
]);

export const overviewHelloSchema = z.looseObject({
  at_ms: z.number(),
  protocol: z.number().int(),
  /** Another one after each start of the daemon. */
  epoch: z.string(),
});

/** "full": like the owner, but it cannot pair, and cannot stop the daemon. "share": reads one session. */
const scope = z.enum(["full", "share"]);

const deviceSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  scope,
  /** The session that a share shows. */
  session: z.string().optional(),
  /** The device that made a share: the share ends with it. Missing where the owner made it. */
  made_by: z.string().optional(),
  created_at_ms: z.number(),
  seen_at_ms: z.number(),
});

export const devicesSchema = z.array(deviceSchema);

/** The file of the daemon: secrets are in it as digests only. */
export const deviceFileSchema = z.object({
  version: z.literal(1),
  devices: z.array(deviceSchema.extend({ digest: z.string() })),
});

/** The id names the code where it may be seen. */
export const pairCodeSchema = z.looseObject({
  id: z.string(),
  code: z.string(),
  url: z.string(),
  expires_at_ms: z.number(),
});

export const pairParamsSchema = z.looseObject({ code: z.string().max(200), name: z.string().max(80).optional() });

export const shareParamsSchema = z.looseObject({ secret: z.string().max(200) });

export const shareLinkSchema = z.object({ id: z.string(), url: z.string() });

export const pairOutcomeSchema = z.discriminatedUnion("state", [
  z.looseObject({ state: z.literal("paired"), device: deviceSchema }),
  z.looseObject({ state: z.literal("expired") }),
]);

const deviceName = deviceSchema.pick({ id: true, name: true });

export const pairResultSchema = z.looseObject({
  device: deviceName,
  /** What a shared link shows, for a device that sees all sessions anyway. */
  session: z.string().optional(),
});

export const deviceResultSchema = z.looseObject({
  device: deviceSchema.pick({ id: true, name: true, scope: true, session: true }),
  daemon: z.looseObject({
    project: z.string(),
    version: z.string(),
    protocol: z.number().int(),
    now_ms: z.number(),
    /** The one session, where this is the page of a terminal's session and not of a daemon. */
    session: z.string().optional(),
  }),
  /** Null where the daemon sends no push messages. */
  push: z.looseObject({ public_key: z.string(), problem: z.string().nullable() }).nullable(),
});

/** An agent that `POST /sessions` can start by name. */
const startableAgentSchema = z.looseObject({ name: z.string(), title: z.string(), installed: z.boolean() });

export const startableAgentsSchema = z.array(startableAgentSchema);

export const fileNamesSchema = z.looseObject({ files: z.array(z.string()) });

/** What the browser's `PushSubscription` says of itself. */
export const pushSubscriptionSchema = z.looseObject({
  endpoint: z.string().max(2_000),
  keys: z.looseObject({ p256dh: z.string().max(200), auth: z.string().max(100) }),
});

/** Null when it was done, or what went wrong. */
export const pushResultSchema = z.looseObject({ problem: z.string().nullable() });

/** The file of the daemon: its keys (VAPID) and where its devices take messages. */
export const pushFileSchema = z.object({
  version: z.literal(1),
  keys: z.object({ public_key: z.string(), private_key: z.string() }),
  subscriptions: z.array(pushSubscriptionSchema.extend({ device: z.string() })),
});

/** The decrypted body of a push message. The title only with `[notify] content = true`. */
export const pushMessageSchema = z.discriminatedUnion("kind", [
  z.looseObject({
    kind: z.literal("ask"),
    id: z.string(),
    session: z.string().nullable(),
    /** Open asks in all. */
    count: z.number().int(),
    title: z.string().optional(),
  }),
  z.looseObject({ kind: z.literal("settled"), id: z.string() }),
  z.looseObject({ kind: z.literal("test") }),
]);

export type OverviewAsk = z.infer<typeof overviewAskSchema>;
export type OverviewSession = z.infer<typeof overviewSessionSchema>;
export type OverviewSnapshot = z.infer<typeof overviewSnapshotSchema>;
export type OverviewChange = z.infer<typeof overviewChangeSchema>;
export type StartableAgent = z.infer<typeof startableAgentSchema>;
export type PairCode = z.infer<typeof pairCodeSchema>;
/** What came of a code. */
export type PairOutcome = z.infer<typeof pairOutcomeSchema>;
export type Device = z.infer<typeof deviceSchema>;
export type DeviceFile = z.infer<typeof deviceFileSchema>;
export type PushSubscriptionParams = z.infer<typeof pushSubscriptionSchema>;
export type PushFile = z.infer<typeof pushFileSchema>;
export type PushMessage = z.infer<typeof pushMessageSchema>;
