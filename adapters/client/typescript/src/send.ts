import { refusal, VitrineError } from "./error.js";

/** A request that may be sent several times. */
export interface Outgoing {
  method: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer> | string | null;
  signal?: AbortSignal;
  /** It may be sent again when it is not known whether it had its effect. */
  resend: boolean;
  /** It was sent, and may have had its effect. */
  lost?: boolean;
}

const firstWait = 200;
const longestWait = 30_000;
const longestTimer = 2 ** 31 - 1;

/** The statuses of refusals that may not come again. */
const passing = [429, 502, 503, 504];

/**
 * Sends a request until it is answered, with the same bytes and headers: again when the connection is lost or the server says 429, 502, 503 or
 * 504, after as long as the server asks for, or else for a random part of a wait that doubles. A refusal is thrown.
 */
export async function exchange(fetch: typeof globalThis.fetch, maxRetries: number, url: string, r: Outgoing): Promise<Response> {
  for (let tries = 0; ; tries++) {
    let failure: unknown;
    try {
      return await once(fetch, url, r);
    } catch (error) {
      failure = error;
    }
    const refused = failure instanceof VitrineError ? failure : undefined;
    if (refused && r.lost && r.method === "DELETE" && (refused.status === 404 || refused.status === 410)) {
      return new Response(null, { status: 204 }); // the answer that was lost said that it is deleted
    }
    const passes = refused ? passing.includes(refused.status) : true;
    if (r.signal?.aborted || tries >= maxRetries || !passes || (!r.resend && refused?.status !== 429)) throw failure;
    r.lost ||= refused?.status !== 429;
    await pause(refused?.retryAfter ? refused.retryAfter * 1000 : Math.random() * Math.min(firstWait * 2 ** tries, longestWait), r.signal);
  }
}

/** Sends a request, and reads its answer to the end: one that breaks off is a lost connection. */
async function once(fetch: typeof globalThis.fetch, url: string, { method, headers, body, signal }: Outgoing): Promise<Response> {
  const answer = await fetch(url, { method, headers, body, signal: signal ?? null });
  const read = await answer.arrayBuffer();
  if (!answer.ok) throw refusal(answer, new TextDecoder().decode(read));
  return new Response(read.byteLength ? read : null, answer);
}

async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(new Promise((resolve) => (timer = setTimeout(resolve, Math.min(milliseconds, longestTimer)))), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise, and for no longer than the signal lets it. */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
