import createClient from "openapi-fetch";
import type { paths } from "./api.js";
import { VitrineError } from "./error.js";
import { pages } from "./pages.js";
import { exchange, unlessAborted } from "./send.js";
import type { All, Call } from "./types.js";

/** Says which server is called, and for whom: a credential and the site or agency that its tokens are for, or an API key. */
export type Config = {
  /** The scheme and host of the server, such as https://crm.example.org. */
  url: string;
  /** Sends the requests; by default the global one. */
  fetch?: typeof fetch;
  /** How often a request is sent again at most; by default 4. */
  maxRetries?: number;
  /** Whether a POST whose answer was lost is sent again, under one Idempotency-Key; by default it is. Say false for servers that know no such keys. */
  retryPosts?: boolean;
} & (
  | { clientId: string; clientSecret: string; siteId: number; agencyId?: never; apiKey?: never }
  | { clientId: string; clientSecret: string; agencyId: number; siteId?: never; apiKey?: never }
  | { apiKey: string; clientId?: never; clientSecret?: never; siteId?: never; agencyId?: never }
);

/** Calls the operations of a server for one site, by the paths of the document. */
export interface Client {
  GET: Call<"get">;
  POST: Call<"post">;
  PUT: Call<"put">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
  /** Throws where there are more items and the server gives no cursor, and where a cursor comes again. */
  all: All;
}

type Token = { value: string; domain: string; until: number };

/** Returns a client. It sends nothing: the first token is obtained by the first call. */
export function connect(config: Config): Client {
  const { url, clientId, clientSecret, siteId, agencyId, apiKey, fetch = globalThis.fetch, maxRetries = 4, retryPosts = true } = config;
  if (!/^https?:\/\/[^/]/.test(url)) throw new TypeError("url must be the scheme and host of a server, such as https://crm.example.org");
  if (apiKey && clientSecret) throw new TypeError("give clientSecret or apiKey, not both");
  if (!apiKey && !(clientId && clientSecret)) throw new TypeError("clientId and clientSecret, or apiKey, are missing");
  if (!apiKey && !siteId === !agencyId) throw new TypeError("give one of siteId and agencyId");
  const home = url.replace(/\/+$/, "");

  let current: Token | undefined;
  let coming: Promise<Token> | undefined;

  /** Returns a token that is good, the same to all who wait. One that is stale was refused, and is not returned again. */
  async function token(stale?: string): Promise<Token> {
    if (current && current.value !== stale && Date.now() < current.until) return current;
    coming ??= obtain().finally(() => (coming = undefined));
    return coming;
  }

  async function obtain(): Promise<Token> {
    const asked = Date.now();
    const credential = new TextEncoder().encode(`${clientId}:${clientSecret}`);
    const answer = await exchange(fetch, maxRetries, `${home}/api/client/token/site`, {
      method: "POST",
      headers: new Headers({
        Authorization: `Basic ${btoa(String.fromCharCode(...credential))}`,
        "Content-Type": "application/x-www-form-urlencoded",
      }),
      body: siteId ? `site_id=${siteId}` : `manufacturer_id=${agencyId}`,
      resend: true,
    });
    const got = (await answer.json()) as { domain: string; access_token: string; expires_in: number };
    // A token is given up when nine tenths of its life are over, so that none ends on its way.
    return (current = { value: got.access_token, domain: got.domain.replace(/\/+$/, ""), until: asked + got.expires_in * 900 });
  }

  /** Carries a call out: with a token, once more with a new one where the server refuses the first, and again as exchange says. */
  async function send(request: Request): Promise<Response> {
    const { method, signal } = request;
    signal.throwIfAborted();
    const headers = new Headers(request.headers);
    const body = request.body && new Uint8Array(await request.arrayBuffer());
    if (method === "POST" && !headers.has("Idempotency-Key")) headers.set("Idempotency-Key", crypto.randomUUID());
    const outgoing = { method, headers, body, signal, resend: method !== "POST" || retryPosts };
    const path = request.url.slice(nowhere.length);
    if (apiKey) {
      headers.set("X-Api-Key", apiKey);
      return exchange(fetch, maxRetries, home + path, outgoing);
    }
    for (let stale: string | undefined; ; ) {
      const { value, domain } = await unlessAborted(token(stale), signal);
      headers.set("Authorization", `Bearer ${value}`);
      try {
        return await exchange(fetch, maxRetries, domain + path, outgoing);
      } catch (error) {
        if (stale || !(error instanceof VitrineError) || error.status !== 401) throw error;
        stale = value;
      }
    }
  }

  const { GET, POST, PUT, PATCH, DELETE } = createClient<paths>({
    baseUrl: nowhere,
    fetch: send,
    querySerializer: { array: { style: "form", explode: false } },
    bodySerializer,
  });
  const methods = { GET, POST, PUT, PATCH, DELETE } as unknown as Omit<Client, "all">;
  return { ...methods, all: reader(methods) as All };
}

/** Stands for the server until it is known where calls go. */
const nowhere = "http://nowhere";

/** Writes JSON, or a form where a file is to be uploaded. */
function bodySerializer(body: unknown): string | FormData {
  const fields = Object.entries(body as object);
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

type Page = { data: unknown[]; next_cursor?: unknown; meta?: { next_cursor?: unknown }; has_more?: boolean };
type Reading = { params?: { query?: object }; body?: object };

function reader(methods: Omit<Client, "all">) {
  return async function* all(path: keyof typeof pages, init: Reading = {}) {
    const [method, where, name, next] = pages[path];
    const read = methods[method] as unknown as (path: string, init: Reading) => Promise<{ data: Page }>;
    const seen = new Set<unknown>();
    for (let asked = init; ; ) {
      const { data: page } = await read(path, asked);
      yield* page.data;
      const cursor = next === "next_cursor" ? page.next_cursor : page.meta?.next_cursor;
      if (!cursor) {
        if (page.has_more) throw new Error("there are more, and the server gives no cursor: it does not for searches with skip, count, sort_type or sort_order");
        return;
      }
      if (seen.has(cursor)) throw new Error("the server gave the same cursor twice");
      seen.add(cursor);
      const placed = { [name]: cursor };
      asked =
        where === "body"
          ? { ...init, body: { ...init.body, ...placed } }
          : { ...init, params: { ...init.params, query: { ...init.params?.query, ...placed } } };
    }
  };
}
