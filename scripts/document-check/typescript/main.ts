// The two use cases of the contract, through the client in TypeScript, on the server at VITRINE_URL, as a project outside the repository has it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, verify, type Client, type Item } from "@vitrine-crm/client";

const price = 450000.45; // another one than the program in Go writes: writing the same is no event

setTimeout(() => assert.fail("nothing came for a minute"), 60_000).unref();

/** A text that comes later. */
function later() {
  let resolve!: (text: string) => void, reject!: (error: unknown) => void;
  const promise = new Promise<string>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

/** A lead from an external tool: look the contact up, create it, note what it looks for, follow the listing. */
async function lead(crm: Client, product: number) {
  const phone = "06 39 98 " + String(process.pid % 10000).padStart(4, "0");
  const found = await crm.POST("/api/v2/site/customers/search", { body: { phone } });
  assert.equal(found.data.data.length, 0);
  const reached = await crm.GET("/api/v2/site/discovery");
  const agency = reached.data.data[0];
  assert.ok(agency, "the token reaches no agency");
  const created = await crm.POST("/api/v2/site/customers", {
    body: { agency_id: agency.agency_id, type: "ACQUEREUR", firstname: "Ana", lastname: "Typée", phone },
  });
  const params = { path: { customerId: created.data.data.id } };
  const search = await crm.POST("/api/v2/site/customers/{customerId}/searches", {
    params,
    body: { transaction_type: "Vente", price_max: price, criteria: [{ id: "Surface", operator: "SUPERIEUR", value: 80 }] },
  });
  await crm.POST("/api/v2/site/customers/{customerId}/follow-ups", { params, body: { product_id: product, search_id: search.data.data.id } });
  for await (const known of crm.all("/api/v2/site/customers/{customerId}/searches", { params })) {
    if (known.id === search.data.data.id) return assert.equal(known.price_max, price);
  }
  assert.fail("the search request is not kept");
}

/** A feed for a website: read the catalogue, subscribe to changes, read the product that changed. */
async function feed(crm: Client) {
  const catalogue: Item<"/api/v2/site/products/search">[] = [];
  for await (const product of crm.all("/api/v2/site/products/search", {
    params: { query: { fetch: ["criteres_number", "products_photos"] } },
    body: { criterias: [{ id: "Statut", operator: "EGAL", value: "EnCours" }] },
  })) {
    catalogue.push(product);
  }
  assert.ok(catalogue.length > 10, `the catalogue has ${catalogue.length} products`);
  const changed = catalogue[0]!.id;

  const [secret, told] = [later(), later()];
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    response.end();
    verify(request.headers, body, await secret.promise).then((delivery) => told.resolve(delivery.body), told.reject);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const hook = await crm.POST("/api/v2/site/hooks", { body: { url, origines: ["PRODUCT_UPDATE"] } });
  const ofHook = { params: { path: { hookId: hook.data.data.id } } };
  secret.resolve((await crm.GET("/api/v2/site/hooks/{hookId}/secret", ofHook)).data.data.secret);
  const ofProduct = { params: { path: { productId: changed } } };
  await crm.PATCH("/api/v2/site/products/{productId}", { ...ofProduct, body: { product_id: changed, criteria: [{ id: "Prix", value: price }] } });
  assert.equal(JSON.parse(await told.promise).resource_id, changed);
  receiver.close();
  const product = await crm.GET("/api/v2/site/products/{productId}", ofProduct);
  assert.equal(product.data.data.price, price);
  await crm.DELETE("/api/v2/site/hooks/{hookId}", ofHook);
  return changed;
}

/** Is compiled and not called: what the document does not have is no call. */
export function mistakes(crm: Client) {
  // @ts-expect-error there is no such path
  void crm.GET("/api/v2/site/product");
  // @ts-expect-error nor such a method of it
  void crm.DELETE("/api/v2/site/products");
  // @ts-expect-error the id is missing
  void crm.GET("/api/v2/site/products/{productId}");
  // @ts-expect-error a field is misspelt
  void crm.POST("/api/v2/site/products/search", { body: { status_wbe: true } });
  // @ts-expect-error it does not answer in pages
  void crm.all("/api/v2/site/discovery");
}

const crm = connect({ url: process.env.VITRINE_URL!, clientId: "sandbox-network", clientSecret: "sandbox-network-secret", siteId: 1 });
await lead(crm, await feed(crm));
console.log("TypeScript: both use cases hold");
