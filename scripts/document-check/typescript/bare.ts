// Compiles with the types that openapi-typescript makes of the document, as it comes.

import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const api = createClient<paths>({ baseUrl: "https://crm.example.org" });
export const found = (await api.POST("/api/v2/site/products/search", { body: { count: 1 } })).data?.data[0]?.id satisfies number | undefined;
