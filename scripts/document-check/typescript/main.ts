// The two use cases of the contract, through types that openapi-typescript made of the document of the server at VITRINE_URL.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const host = process.env.VITRINE_URL ?? "http://127.0.0.1:8080";
const price = 450000.45; // another one than the program in Go writes: writing the same is no event

setTimeout(() => assert.fail("nothing came for a minute"), 60_000).unref();

async function client(name: string) {
  const api = createClient<paths>({ baseUrl: host });
  const { data } = await api.POST("/api/client/token/site", {
    headers: {
      Authorization: "Basic " + Buffer.from(`${name}:${name}-secret`).toString("base64"),
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: { site_id: 1 },
  });
  assert.ok(data, "there is no token");
  api.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${data.access_token}`);
      return request;
    },
  });
  return api;
}

type API = Awaited<ReturnType<typeof client>>;

/** A lead from an external tool: look the contact up, create it, note what it looks for, follow the listing. */
async function lead(api: API, product: number) {
  const phone = "06 39 98 " + String(process.pid % 10000).padStart(4, "0");
  const found = await api.POST("/api/v2/site/customers/search", { body: { phone } });
  assert.equal(found.data?.data.length, 0);
  const reached = await api.GET("/api/v2/site/discovery");
  const agency = reached.data?.data[0];
  assert.ok(agency, "the token reaches no agency");
  const created = await api.POST("/api/v2/site/customers", {
    body: { agency_id: agency.agency_id, type: "ACQUEREUR", firstname: "Ana", lastname: "Typée", phone },
  });
  assert.ok(created.data, JSON.stringify(created.error));
  const customerId = created.data.data.id;
  const search = await api.POST("/api/v2/site/customers/{customerId}/searches", {
    params: { path: { customerId } },
    body: { transaction_type: "Vente", price_max: price, criteria: [{ id: "Surface", operator: "SUPERIEUR", value: 80 }] },
  });
  assert.ok(search.data, JSON.stringify(search.error));
  const followed = await api.POST("/api/v2/site/customers/{customerId}/follow-ups", {
    params: { path: { customerId } },
    body: { product_id: product, search_id: search.data.data.id },
  });
  assert.ok(followed.data, JSON.stringify(followed.error));
  const read = await api.GET("/api/v2/site/customers/{customerId}/searches/{searchId}", {
    params: { path: { customerId, searchId: search.data.data.id } },
  });
  assert.equal(read.data?.data.price_max, price);
}

/** A feed for a website: read the catalogue, subscribe to changes, read the product that changed. */
async function feed(api: API) {
  const catalogue = new Map<number, components["schemas"]["ProductSummary"]>();
  for (let cursor: string | null = null; ; ) {
    const page: { data?: components["schemas"]["SearchResult"] } = await api.POST("/api/v2/site/products/search", {
      params: { query: { fetch: ["criteres_number", "products_photos"] } },
      body: { criterias: [{ id: "Statut", operator: "EGAL", value: "EnCours" }], cursor },
      querySerializer: { array: { style: "form", explode: false } },
    });
    assert.ok(page.data);
    for (const product of page.data.data) catalogue.set(product.id, product);
    cursor = page.data.next_cursor;
    if (!page.data.has_more) break;
  }
  assert.ok(catalogue.size > 10, `the catalogue has ${catalogue.size} products`);

  const [id] = [...catalogue.keys()];
  assert.ok(id);
  let told: (id: number) => void;
  const changed = new Promise<number>((resolve) => (told = resolve));
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    response.end();
    told(JSON.parse(body).resource_id);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const hook = await api.POST("/api/v2/site/hooks", { body: { url, origines: ["PRODUCT_UPDATE"] } });
  assert.ok(hook.data, JSON.stringify(hook.error));
  const written = await api.PATCH("/api/v2/site/products/{productId}", {
    params: { path: { productId: id } },
    body: { product_id: id, criteria: [{ id: "Prix", value: price }] },
  });
  assert.equal(written.response.status, 204);
  assert.equal(await changed, id);
  receiver.close();
  const product = await api.GET("/api/v2/site/products/{productId}", { params: { path: { productId: id } } });
  assert.equal(product.data?.data.price, price);
  await api.DELETE("/api/v2/site/hooks/{hookId}", { params: { path: { hookId: hook.data.data.id } } });
  return id;
}

const api = await client("sandbox-network");
await lead(api, await feed(api));
console.log("TypeScript: both use cases hold");
