import type { components } from "./api.js";

/** What is wrong with a field. */
export type Detail = components["schemas"]["ErrorDetail"];

/** A refusal of the server, or its 304. The message is for people, and code for programs. */
export class VitrineError extends Error {
  override readonly name = "VitrineError";

  constructor(
    message: string,
    /** That of HTTP. */
    readonly status: number,
    /** Stable; empty if the answer is not of the API, as those of proxies. */
    readonly code: string,
    readonly details: Detail[],
    /** Names the request to the operator of the server. */
    readonly requestId: string,
    /** How many seconds the server asks to wait; 0 if it does not say. */
    readonly retryAfter: number,
  ) {
    super(message);
  }
}

/** Reads an answer that is no success. */
export function refusal(answer: Response, body: string): VitrineError {
  let said: components["schemas"]["Error"] | undefined;
  try {
    said = JSON.parse(body);
  } catch {
    // of a proxy
  }
  const error = said?.error;
  return new VitrineError(
    error?.message ?? (answer.statusText || `HTTP ${answer.status}`),
    answer.status,
    error?.code ?? "",
    error?.details ?? [],
    said?.request_id ?? answer.headers.get("X-Request-Id") ?? "",
    retryAfter(answer.headers.get("Retry-After")),
  );
}

/** Reads the header of that name, in seconds or as a date. */
function retryAfter(text: string | null): number {
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return Math.max(0, seconds);
  return Math.max(0, (Date.parse(text ?? "") - Date.now()) / 1000) || 0;
}
