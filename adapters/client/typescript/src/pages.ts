// Made by generate.mjs of the API document. DO NOT EDIT.
// Made of fe36c10f07fa113ec7cf2223f1256fbecb7a2ce36cf85011ff9563b867bc3ae6.

/** The operations that answer in pages: method, where the cursor is sent, its name, and where the next one is. */
export const pages = {
  "/api/v2/site/agencies": ["GET", "query", "cursor", "meta.next_cursor"],
  "/api/v2/site/agenda/events/search": ["POST", "body", "cursor", "next_cursor"],
  "/api/v2/site/agenda/events/{eventId}/history": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/agenda/permanences/{permanenceId}/history": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/customers/search": ["POST", "body", "cursor", "next_cursor"],
  "/api/v2/site/customers/{customerId}/actions": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/customers/{customerId}/follow-ups": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/customers/{customerId}/history": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/customers/{customerId}/products": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/customers/{customerId}/searches": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/events": ["GET", "query", "after", "next_cursor"],
  "/api/v2/site/hooks": ["GET", "query", "cursor", "meta.next_cursor"],
  "/api/v2/site/hooks/{hookId}/deliveries": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/leads": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/leases/search": ["POST", "body", "cursor", "next_cursor"],
  "/api/v2/site/leases/{leaseId}/history": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/products/search": ["POST", "body", "cursor", "next_cursor"],
  "/api/v2/site/products/{productId}/actions": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/products/{productId}/history": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/sale-agreements/search": ["POST", "body", "cursor", "next_cursor"],
  "/api/v2/site/sale-agreements/{agreementId}/history": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/sale-offers/search": ["POST", "body", "cursor", "next_cursor"],
  "/api/v2/site/sale-offers/{offerId}/history": ["GET", "query", "cursor", "next_cursor"],
  "/api/v2/site/users": ["GET", "query", "cursor", "meta.next_cursor"],
} as const;
