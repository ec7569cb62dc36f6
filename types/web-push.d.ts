// The part of web-push that Palaver uses: it encrypts a message and signs the request for it. Sending is ours.
declare module "web-push" {
  interface RequestDetails {
    readonly headers: Readonly<Record<string, string | number>>;
    readonly body: Uint8Array;
  }
  interface WebPush {
    generateRequestDetails(
      subscription: { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } },
      payload: string,
      options: {
        readonly vapidDetails: { readonly subject: string; readonly publicKey: string; readonly privateKey: string };
        readonly TTL: number;
        readonly urgency: "high" | "normal";
        readonly topic?: string;
      },
    ): RequestDetails;
  }
  const webPush: WebPush;
  export default webPush;
}
