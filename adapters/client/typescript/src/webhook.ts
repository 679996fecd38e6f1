/** What a webhook tells, once its signature is verified. */
export interface Delivery {
  /** The same for each attempt, and for nothing else: a delivery may come more than once. */
  id: string;
  /** When it was signed. */
  sentAt: Date;
  /** Its JSON, in the format that the webhook has. */
  body: string;
}

/** How far the clocks of sender and receiver may be apart, in milliseconds. */
const tolerance = 5 * 60_000;

/**
 * Returns a delivery if one of the secrets signed it within the last five minutes, and throws otherwise. The body is as it came, before it is
 * parsed. Secrets are as the API shows them, beginning with whsec_. Give the old one too while they are exchanged.
 */
export async function verify(
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  secrets: string | string[],
): Promise<Delivery> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const id = header("webhook-id");
  const timestamp = header("webhook-timestamp");
  if (!id || !/^\d+$/.test(timestamp)) throw new Error("the delivery has no webhook-id or webhook-timestamp");
  const sentAt = new Date(Number(timestamp) * 1000);
  if (!(Math.abs(Date.now() - sentAt.getTime()) <= tolerance)) throw new Error("the delivery was signed more than five minutes from now");
  const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const secret of [secrets].flat()) {
    const bytes = decoded(secret.replace(/^whsec_/, ""));
    if (!bytes?.length) throw new Error("a secret is not base64 after whsec_");
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of header("webhook-signature").split(/[\s,]+(?=v\d)/)) {
      const given = signature.startsWith("v1,") && decoded(signature.slice(3));
      if (given && (await crypto.subtle.verify("HMAC", key, given, signed))) return { id, sentAt, body: text };
    }
  }
  throw new Error("no secret signed the delivery");
}

/** Returns the bytes of a text in base64, undefined if it is none. */
function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
