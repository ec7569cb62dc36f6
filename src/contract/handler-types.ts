// The numbers of handlers and log lines on the wire. Apart from the schemas, so that a program that needs only these bundles only
// these.

/** What a handler is to a user. The numbers are on the wire and never change their meaning. */
export const handlerTypes = { display: 0, edit: 1, execution: 2, interactive: 3, loggable: 4 } as const;

export type HandlerKind = keyof typeof handlerTypes;

/** How a log line is meant. The numbers are on the wire and never change their meaning. */
export const messageTypes = {
  normal: 0,
  info: 1,
  error: 2,
  warning: 3,
  success: 4,
  connect: 5,
  auth: 6,
  parse: 7,
  timeout: 8,
  broadcast: 9,
  debug: 10,
} as const;

export type MessageKind = keyof typeof messageTypes;
