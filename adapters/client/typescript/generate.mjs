// generate.mjs DOCUMENT FOLDER writes api.d.ts and pages.ts of the API document into a folder. `make clients` runs it.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const [source, folder] = process.argv.slice(2);
const text = readFileSync(source);
const sum = createHash("sha256").update(readFileSync(process.argv[1])).update(text).digest("hex");
const made = `// Made by generate.mjs of the API document. DO NOT EDIT.\n// Made of ${sum}.\n\n`;

const document = JSON.parse(text);
delete document.webhooks;
for (const path of Object.keys(document.paths)) {
  if (!path.startsWith("/api/v2/site/")) delete document.paths[path]; // tokens are looked after, and pictures have addresses of their own
}
const bodies = [];
for (const operation of Object.values(document.paths).flatMap(Object.values)) {
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (status >= "300") delete operation.responses[status]; // VitrineError says it
    delete answer.headers;
    bodies.push(answer);
  }
  bodies.push(operation.requestBody ?? {});
}
for (const { content } of bodies) for (const body of Object.values(content ?? {})) delete body.example;
delete document.components.headers;
delete document.components.responses;
delete document.components.examples;

const blob = ts.factory.createTypeReferenceNode("Blob");
const types = await openapiTS(document, { transform: (schema) => (schema.format === "binary" ? blob : undefined) });
writeFileSync(`${folder}/api.d.ts`, made + astToString(types));

let pages = "";
for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, { "x-pages": of }] of Object.entries(item)) {
    if (of) pages += `  ${JSON.stringify(path)}: [${[method.toUpperCase(), of.in, of.cursor, of.next].map((word) => JSON.stringify(word)).join(", ")}],\n`;
  }
}
writeFileSync(`${folder}/pages.ts`, `${made}/** The operations that answer in pages: method, where the cursor is sent, its name, and where the next one is. */\nexport const pages = {\n${pages}} as const;\n`);
