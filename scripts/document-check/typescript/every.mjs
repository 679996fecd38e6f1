// every.mjs DOCUMENT > every.ts writes a program that calls each operation once through the client, with the example of the document. A server
// in the same process gets that request, and answers with the example, which comes back as it was. So a wrong type does not compile.
import { readFileSync } from "node:fs";

const { paths, components } = JSON.parse(readFileSync(process.argv[2]));
const written = JSON.stringify;

/** Returns a value of a parameter. */
function valueOf({ schema }) {
  if (schema.type === "integer" || schema.type === "number") return 7;
  if (schema.type === "array") return [valueOf({ schema: schema.items })];
  if (schema.enum) return schema.enum[0];
  return "2026-01-01T00:00:00Z";
}

const calls = [];
for (const [path, item] of Object.entries(paths)) {
  if (!path.startsWith("/api/v2/site/")) continue; // as the client leaves it out
  for (const [method, operation] of Object.entries(item)) {
    const wanted = (operation.parameters ?? []).map((p) => (p.$ref ? components.parameters[p.$ref.split("/").at(-1)] : p)).filter((p) => p.required);
    const params = {};
    for (const p of wanted) (params[p.in] ??= {})[p.name] = valueOf(p);
    const [status, answer] = Object.entries(operation.responses).find(([s]) => s.startsWith("2"));
    const example = answer.content?.["application/json"].example;
    const json = operation.requestBody?.content["application/json"]?.example;
    const file = operation.requestBody?.content["multipart/form-data"] && 'file: new File(["picture"], "a.jpg")';
    const body = file ? `body: { ${file} }` : json === undefined ? "" : `body: ${written(json)}`;
    const sent = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(params.path[name]));
    calls.push(`  { name: ${written(operation.operationId)}, method: ${written(method.toUpperCase())}, path: ${written(sent)}, status: ${status}, body: ${written(json) ?? "undefined"},
    answer: ${written(example) ?? "undefined"}, call: () => crm.${method.toUpperCase()}(${written(path)}, { params: ${written(params)}, ${body} }) },`);
  }
}
console.log(`import assert from "node:assert/strict";
import { connect } from "@vitrine-crm/client";

let seen: Request[] = [];
let next: { status: number; answer: unknown } = { status: 200, answer: undefined };
const server: typeof fetch = async (url, init) => {
  const request = new Request(url, init);
  if (request.url.endsWith("/token/site")) return Response.json({ domain: "https://crm.example", access_token: "t", expires_in: 3600 });
  seen.push(request);
  return new Response(next.answer === undefined ? null : JSON.stringify(next.answer), { status: next.status });
};
const crm = connect({ url: "https://crm.example", clientId: "a", clientSecret: "b", siteId: 1, fetch: server });

const calls: { name: string; method: string; path: string; status: number; body: unknown; answer: unknown; call: () => Promise<{ data: unknown }> }[] = [
${calls.join("\n")}
];
for (const { name, method, path, status, body, answer, call } of calls) {
  seen = [];
  next = { status, answer };
  const { data } = await call();
  assert.deepEqual(data, answer, name);
  assert.deepEqual(seen.map((r) => [r.method, new URL(r.url).pathname]), [[method, path]], name);
  if (body !== undefined) assert.deepEqual(await seen[0]!.json(), body, name);
}
console.log(\`TypeScript: \${calls.length} operations are called by their examples\`);`);
