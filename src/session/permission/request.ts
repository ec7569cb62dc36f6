// What the policy is asked about, and what it answers. A tool's plan has these fields, so that a request is a plan with
// the tool's name; the policy knows nothing else about tools.

export type PermissionRequest = {
  readonly tool: string;
  readonly access: "read" | "write" | "execute";
  /** A path with links followed, relative to the workspace when it is inside and absolute when not; or a command. */
  readonly subject: string;
  readonly reach: "inside" | "outside";
  /** What is dangerous about it, in words; null when nothing is. */
  readonly danger: string | null;
  /** Set when it tells what was there before it writes: then the rules about reading count too. */
  readonly reveals?: true;
};

export type PermissionDecision = "allow" | "ask" | "deny";

export type PermissionVerdict = {
  readonly decision: PermissionDecision;
  /** Why, as the rest of a sentence: for the user, the log, and for the model when it is a denial. */
  readonly because: string;
};
