import { createServer } from "node:http";

export const secret = "the-secret-of-the-client";

/** Starts a server of the API, as far as a test needs it: what answer does is asked after the token was looked at. */
export async function serve(t, answer) {
  const s = { tokens: 0, life: 3600, refused: new Set(), seen: [] };
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString("latin1");
    if (request.url.startsWith("/api/client/")) {
      if (request.headers.authorization !== "Basic " + btoa("portal:" + secret) || body !== "site_id=1") return refuse(response, 401, "invalid_client");
      s.tokens++;
      return response.end(JSON.stringify({ domain: s.url, access_token: `token-${s.tokens}`, expires_in: s.life }));
    }
    const { method, url, headers } = request;
    s.seen.push({ method, url, headers, body, key: headers["idempotency-key"] });
    const token = headers.authorization?.slice("Bearer ".length);
    if (!headers["x-api-key"] && (!token || s.refused.has(token))) return refuse(response, 401, "token_expired");
    answer(s.seen.at(-1), response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close(server.closeAllConnections()));
  s.url = `http://127.0.0.1:${server.address().port}`;
  s.config = { url: s.url, clientId: "portal", clientSecret: secret, siteId: 1 };
  return s;
}

export function refuse(response, status, code, headers) {
  response.writeHead(status, headers);
  response.end(JSON.stringify({ error: { code, message: "it is refused" }, request_id: "11111111-1111-4111-8111-111111111111" }));
}
