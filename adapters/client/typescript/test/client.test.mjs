import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { inspect } from "node:util";
import { refuse, secret, serve } from "./server.mjs";

const { connect, VitrineError, verify } = await import(process.env.CLIENT ?? "../dist/index.js");

const product = { params: { path: { productId: 1 } } };
const onProduct = "/api/v2/site/products/{productId}";
const search = "/api/v2/site/products/search";
const refusedWith = (status, code) => (error) => error instanceof VitrineError && error.status === status && (code === undefined || error.code === code);

const failures = {
  "after reading": (response) => response.destroy(),
  "before answering": (response, done) => (done(), response.destroy()),
  "in the middle of a body": (response, done) => {
    done();
    response.writeHead(200, { "Content-Length": 99 });
    response.write('{"data"', () => response.destroy());
  },
  "503 with a wait": (response, done) => (done(), refuse(response, 503, "unavailable", { "Retry-After": "0.01" })),
  "502 of a proxy": (response, done) => (done(), response.writeHead(502).end("<html>")),
  429: (response) => refuse(response, 429, "rate_limited", { "Retry-After": "0.01" }),
};
for (const [name, fail] of Object.entries(failures)) {
  test(`a request has its effect once when a server fails ${name}`, async (t) => {
    const effects = new Set();
    let tries = 0;
    const s = await serve(t, ({ key }, response) => {
      const done = () => effects.add(key);
      if (++tries <= 3) return fail(response, done);
      done();
      response.end('{"data": {"id": 4711}}');
    });
    const { data } = await connect(s.config).POST("/api/v2/site/products", { body: { agency_id: 11, user_id: null } });
    assert.equal(data.data.id, 4711);
    assert.equal(tries, 4);
    assert.equal(effects.size, 1, "keys with an effect");
    for (const { key, body } of s.seen) assert.deepEqual({ key, body }, { key: s.seen[0].key, body: '{"agency_id":11,"user_id":null}' });
    assert.ok(s.seen[0].key);
  });
}

test("what is refused is not sent again", async (t) => {
  let status = 422;
  const s = await serve(t, (_, response) => refuse(response, status, "some_code"));
  const call = (config, path, method = "POST", init = {}) => {
    s.seen.length = 0;
    return connect({ ...s.config, ...config })[method](path, init);
  };
  await assert.rejects(call({}, "/api/v2/site/products"), (error) => refusedWith(422, "some_code")(error) && error.message === "it is refused" && error.requestId !== "");
  assert.equal(s.seen.length, 1);
  status = 503;
  await assert.rejects(call({ retryPosts: false }, "/api/v2/site/products"), refusedWith(503));
  assert.equal(s.seen.length, 1, "a POST that is not to be sent again");
  await assert.rejects(call({ maxRetries: 1 }, onProduct, "DELETE", product), refusedWith(503));
  assert.equal(s.seen.length, 2);
});

test("nothing is sent after the signal", async (t) => {
  const s = await serve(t, (_, response) => refuse(response, 503, "unavailable", { "Retry-After": "3" }));
  const crm = connect({ ...s.config, maxRetries: 100 });
  const started = Date.now();
  await assert.rejects(crm.GET(onProduct, { ...product, signal: AbortSignal.timeout(200) }), { name: "TimeoutError" });
  assert.ok(Date.now() - started < 2000, "the wait goes on after the signal");
  assert.equal(s.seen.length, 1);
  await assert.rejects(connect(s.config).GET(onProduct, { ...product, signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal(s.tokens, 1, "a token for a call that had ended");
});

test("a wait is as long as the server asks for", async (t) => {
  let first;
  const s = await serve(t, (_, response) => {
    if (first) return response.end('{"data": {}}');
    first = Date.now();
    refuse(response, 429, "rate_limited", { "Retry-After": "1" });
  });
  await connect(s.config).GET(onProduct, product);
  assert.ok(Date.now() - first >= 990);
  first = undefined;
  await assert.rejects(connect({ ...s.config, maxRetries: 0 }).GET(onProduct, product), { retryAfter: 1 });
});

test("a deletion whose answer was lost is done", async (t) => {
  const answers = [502, 404, 502, 401, 404];
  const s = await serve(t, (_, response) => refuse(response, answers.shift() ?? 404, "some_code"));
  const crm = connect(s.config);
  assert.equal((await crm.DELETE(onProduct, product)).data, undefined);
  await crm.DELETE(onProduct, product); // with another token
  await assert.rejects(crm.DELETE(onProduct, product), refusedWith(404));
});

test("fifty callers get one token", async (t) => {
  const s = await serve(t, (_, response) => response.end('{"data": {}}'));
  const crm = connect(s.config);
  const callAll = () => Promise.all(Array.from({ length: 50 }, () => crm.GET(onProduct, product)));
  await callAll();
  assert.equal(s.tokens, 1);
  s.refused.add("token-1");
  await callAll();
  assert.equal(s.tokens, 2);
  s.refused.add("token-2").add("token-3");
  await assert.rejects(crm.GET(onProduct, product), refusedWith(401, "token_expired"));
  assert.equal(s.tokens, 3, "where none is good");
});

test("a token is given up when nine tenths of its life are over", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const s = await serve(t, (_, response) => response.end('{"data": {}}'));
  const crm = connect(s.config);
  for (const [later, tokens] of [[0, 1], [3239, 1], [2, 2]]) {
    t.mock.timers.setTime(Date.now() + later * 1000);
    await crm.GET(onProduct, product);
    assert.equal(s.tokens, tokens, `${later} s later`);
  }
});

test("calls go to the domain of the token, and with a key to the server", async (t) => {
  const other = await serve(t, (_, response) => response.end('{"data": {}}'));
  const s = await serve(t, (_, response) => response.end('{"data": {}}'));
  await connect({ ...s.config, fetch: async (url, init) => {
    const answer = await fetch(url, init);
    return url.endsWith("/token/site") ? Response.json({ ...(await answer.json()), domain: other.url + "/" }) : answer;
  } }).GET(onProduct, product);
  assert.deepEqual([s.seen.length, other.seen[0].url], [0, "/api/v2/site/products/1"]);
  await connect({ url: s.url, apiKey: "key" }).GET(onProduct, product);
  assert.equal(s.seen[0].headers["x-api-key"], "key");
});

test("pages are read one after the other", async (t) => {
  let last = null;
  let more = false;
  const s = await serve(t, ({ body }, response) => {
    const { cursor } = JSON.parse(body);
    const page = cursor ? { data: [{ id: 3 }], next_cursor: last, has_more: more } : { data: [{ id: 1 }, { id: 2 }], next_cursor: "b", has_more: true };
    response.end(JSON.stringify(page));
  });
  const crm = connect(s.config);
  const read = async () => {
    const ids = [];
    for await (const { id } of crm.all(search, { body: { status_web: true } })) ids.push(id);
    return ids;
  };
  assert.deepEqual(await read(), [1, 2, 3]);
  assert.deepEqual(s.seen.map(({ body }) => JSON.parse(body)), [{ status_web: true }, { status_web: true, cursor: "b" }]);
  s.seen.length = 0;
  for await (const _ of crm.all(search, { body: {} })) break;
  assert.equal(s.seen.length, 1, "pages for one item");
  more = true;
  await assert.rejects(read(), /gives no cursor/);
  last = "b";
  await assert.rejects(read(), /same cursor twice/);
});

test("cursors go where the document says", async (t) => {
  const s = await serve(t, ({ url }, response) => {
    const asked = new URL(url, s.url).searchParams.size > (url.includes("actions") ? 0 : 1);
    response.end(JSON.stringify({ data: [], next_cursor: asked ? null : "12", meta: { next_cursor: asked ? null : "xy" } }));
  });
  const crm = connect(s.config);
  for await (const _ of crm.all("/api/v2/site/events", { params: { query: { limit: 5 } } }));
  for await (const _ of crm.all("/api/v2/site/customers/{customerId}/actions", { params: { path: { customerId: 3 } } }));
  for await (const _ of crm.all("/api/v2/site/agencies", { params: { query: { per_page: 5 } } }));
  assert.deepEqual(s.seen.map(({ url }) => url.slice("/api/v2/site".length)), [
    "/events?limit=5", "/events?limit=5&after=12", "/customers/3/actions", "/customers/3/actions?cursor=12", "/agencies?per_page=5", "/agencies?per_page=5&cursor=xy",
  ]);
});

test("lists are one parameter, and tags are sent and kept", async (t) => {
  const s = await serve(t, ({ headers }, response) => {
    if (headers["if-none-match"] === '"1"') return response.writeHead(304).end();
    if (headers["if-match"] === '"0"') return refuse(response, 412, "precondition_failed");
    response.writeHead(200, { ETag: '"1"' }).end('{"data": {}}');
  });
  const crm = connect(s.config);
  const { response } = await crm.GET(onProduct, { params: { ...product.params, query: { fetch: ["rooms", "insee"] } } });
  assert.equal(s.seen[0].url, "/api/v2/site/products/1?fetch=rooms,insee");
  const tag = response.headers.get("ETag");
  await assert.rejects(crm.GET(onProduct, { params: { ...product.params, header: { "If-None-Match": tag } } }), refusedWith(304));
  await assert.rejects(crm.PATCH(onProduct, { params: { ...product.params, header: { "If-Match": '"0"' } }, body: { product_id: 1, color: null } }), refusedWith(412));
  assert.equal(s.seen.at(-1).body, '{"product_id":1,"color":null}');
});

test("a key of the caller's is kept", async (t) => {
  const s = await serve(t, (_, response) => response.end('{"data": {"id": 1}}'));
  await connect(s.config).POST("/api/v2/site/products", { params: { header: { "Idempotency-Key": "mine" } }, body: {} });
  assert.equal(s.seen[0].key, "mine");
});

test("a picture is sent again as it was", async (t) => {
  const s = await serve(t, (_, response) => response.writeHead(s.seen.length === 1 ? 502 : 204).end());
  const { data } = await connect(s.config).POST("/api/v2/site/products/{productId}/pictures/public", {
    params: { path: { productId: 1 } },
    body: { file: new File([new Uint8Array([0xff, 0xd8, 0x00])], "a.jpg", { type: "image/jpeg" }) },
  });
  assert.equal(data, undefined);
  const [first, again] = s.seen;
  assert.match(first.headers["content-type"], /^multipart\/form-data; boundary=/);
  assert.match(first.body, /name="file"; filename="a.jpg"\r\nContent-Type: image\/jpeg\r\n\r\n\xff\xd8\x00\r\n/);
  assert.deepEqual([again.body, again.key, again.headers["content-type"]], [first.body, first.key, first.headers["content-type"]]);
});

test("refusals have what the server says", async (t) => {
  const details = [{ field: "criteria[0].value", code: "invalid", message: "no number", accepted_values: ["1"] }];
  const s = await serve(t, (_, response) => response.writeHead(422).end(JSON.stringify({ error: { code: "invalid_criteria_value", message: "no", details }, request_id: "r" })));
  await assert.rejects(connect(s.config).GET(onProduct, product), (error) => {
    const { status, code, message, requestId, retryAfter } = error;
    assert.deepEqual({ status, code, message, details: error.details, requestId, retryAfter }, { status: 422, code: "invalid_criteria_value", message: "no", details, requestId: "r", retryAfter: 0 });
    return error instanceof VitrineError;
  });
});

test("secrets are not printed", async (t) => {
  const s = await serve(t, (_, response) => refuse(response, 403, "forbidden"));
  const crm = connect(s.config);
  const printed = [crm, connect({ url: s.url, apiKey: secret })];
  printed.push(await crm.GET(onProduct, product).catch((error) => error));
  printed.push(await connect({ ...s.config, url: "http://127.0.0.1:1", maxRetries: 0 }).GET(onProduct, product).catch((error) => error));
  printed.push(await connect({ ...s.config, clientSecret: secret + "!" }).GET(onProduct, product).catch((error) => error));
  assert.ok(printed.slice(2).every((error) => error instanceof Error));
  for (const value of printed) {
    for (const text of [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value), JSON.stringify(Object.getOwnPropertyDescriptors(value)), value.stack ?? ""]) {
      for (const hidden of [secret, "token-1", btoa("portal:" + secret)]) assert.ok(!text.includes(hidden), text);
    }
  }
});

test("configurations are checked", () => {
  const good = { url: "https://crm.example/", clientId: "a", clientSecret: "b", siteId: 1 };
  connect(good);
  connect({ url: "https://crm.example", apiKey: "k" });
  for (const wrong of [{ url: "" }, { url: "crm.example" }, { clientSecret: "" }, { siteId: 0 }, { agencyId: 2 }, { apiKey: "k" }]) {
    assert.throws(() => connect({ ...good, ...wrong }), TypeError, JSON.stringify(wrong));
  }
});

test("signatures are verified", async (t) => {
  // The example of the Standard Webhooks specification.
  const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const headers = { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330", "webhook-signature": "v1,nothing v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" };
  const body = '{"test": 2432232314}';
  const at = new Date(1614265330_000);
  t.mock.timers.enable({ apis: ["Date"], now: at.getTime() + 4 * 60_000 });
  assert.deepEqual(await verify(headers, body, ["whsec_AAAA", key]), { id: headers["webhook-id"], sentAt: at, body });
  assert.deepEqual(await verify(new Headers(headers), new TextEncoder().encode(body), key), { id: headers["webhook-id"], sentAt: at, body });
  await assert.rejects(verify(headers, body + " ", key), /no secret signed/);
  await assert.rejects(verify(headers, body, "whsec_AAAA"), /no secret signed/);
  await assert.rejects(verify(headers, body, []), /no secret signed/);
  await assert.rejects(verify(headers, body, "%"), /not base64/);
  await assert.rejects(verify({}, body, key), /no webhook-id/);
  for (const minutes of [-6, 6]) {
    t.mock.timers.setTime(at.getTime() + minutes * 60_000);
    await assert.rejects(verify(headers, body, key), /five minutes/);
  }
  const now = String(Math.floor(Date.now() / 1000));
  const signature = "v1," + createHmac("sha256", Buffer.from("secret")).update(`m.${now}.${body}`).digest("base64");
  await verify({ "webhook-id": "m", "webhook-timestamp": now, "webhook-signature": [signature] }, body, "whsec_" + btoa("secret"));
});
