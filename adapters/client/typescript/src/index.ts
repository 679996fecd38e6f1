// Calls a server of the Site API v2, Vitrine or another. Tokens, retries, pages, errors and the signatures of webhooks are looked after.

export { connect, type Client, type Config } from "./client.js";
export { VitrineError, type Detail } from "./error.js";
export { verify, type Delivery } from "./webhook.js";
export type { Call, Data, Init, Item, PagedPath, PathWith } from "./types.js";
export type { components, paths } from "./api.js";
