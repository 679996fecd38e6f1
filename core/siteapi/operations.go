package siteapi

import "github.com/vitrine-crm/vitrine/core/access"

// The words of the table.
const (
	get, post, put, patch, del = "GET", "POST", "PUT", "PATCH", "DELETE"

	properties, websites, sales = access.Properties, access.Websites, access.Sales
	customers, leads            = access.Customers, access.Leads
	webhooks                    = access.Webhooks
	staffing                    = access.Users | properties | customers | leads | access.Agenda
	offices                     = access.Agencies | properties | websites | sales | leads | customers
	configuring                 = leads | properties | customers | websites

	customerRead, customerWrite           = access.CustomerRead, access.CustomerWrite
	leadRead, leadWrite, userRead         = access.LeadRead, access.LeadWrite, access.UserRead
	agencyRead, productRead, productWrite = access.AgencyRead, access.ProductRead, access.ProductWrite
	config, hookRead, hookWrite           = access.Config, access.HookRead, access.HookWrite
)

// Operations is the table: one line per operation that needs a token, with
// paths relative to {base_url}. The router, the gate, the OpenAPI document, the
// metric labels and the authorisation matrix are all read from it.
func (s *Service) Operations() []Operation {
	anyToken := access.Rule{}
	return []Operation{
		op("discovery.list", get, "/discovery", 200, anyToken, "List the agencies the token reaches", data(s.Discover)),
		op("site.get", get, "/site", 200, anyToken, "Read the token's site and its manufacturers list", data(s.GetSite)),

		op("agency.list", get, "/agencies", 200, needs(offices, agencyRead, access.AgencyList), "List the agencies in scope, page by page", s.ListAgencies),
		op("agency.get", get, "/agencies/{agencyId}", 200, needs(offices, agencyRead, access.AgencyGet), "Read one agency with its users", data(s.GetAgency)),

		op("criteria.all", get, "/criterias/product/all", 200, needs(configuring, config, access.CriteriaAll), "List the criteria definitions", data(s.ListCriteria)),
		op("criteria.get", get, "/criterias/product/{criteriaId}", 200, needs(configuring, config, access.CriteriaGet), "Read one criteria definition with its values", data(s.GetCriterion)),
		op("criteria.values", get, "/criterias/product/{criteriaId}/values", 200, needs(configuring, config, access.CriteriaAll), "List the values of a UNIQUE or MULTIPLE criterion", data(s.ListCriterionValues)),
		op("list.all", get, "/configs/listes", 200, needs(configuring, config, access.CriteriaAll), "List the lists of values", data(s.ListLists)),
		op("list.values", get, "/configs/listes/{listeId}/values", 200, needs(configuring, config, access.CriteriaAll), "List the values of a list", data(s.ListListValues)),

		op("product.create", post, "/products", 201, needs(properties, productWrite, access.ProductCreate), "Create a product", data(s.CreateProduct)),
		op("product.search", post, "/products/search", 200, needs(properties|websites, productRead, access.ProductSearch), "Search products", s.SearchProducts),
		op("product.count", post, "/products/search/count", 200, needs(properties|websites, productRead, access.ProductSearch), "Count the products a search matches", s.CountProducts),
		op("product.facets", post, "/products/search/facets", 200, needs(properties|websites, productRead, access.ProductSearch), "Count the products a search matches by the values of criteria", s.CountFacets),
		op("product.get", get, "/products/{productId}", 200, needs(properties|sales|websites, productRead, access.ProductGet), "Read one product", data(s.GetProduct)),
		op("product.update", patch, "/products/{productId}", 204, needs(properties, productWrite, access.ProductUpdate), "Change the given fields of a product", s.UpdateProduct),
		op("product.delete", del, "/products/{productId}", 204, needs(properties, productWrite, access.ProductDelete), "Delete a product", s.DeleteProduct),
		op("product.criteria", get, "/products/{productId}/criteria", 200, needs(properties, productRead, access.ProductGet), "List the criteria of a product", s.ListProductCriteria),
		op("product.lots", get, "/products/{productId}/lots", 200, needs(properties|websites, productRead, access.ProductGet), "List the lots of a product", data(s.ListLots)),
		op("product.actions", get, "/products/{productId}/actions", 200, needs(properties|customers, productRead, access.ProductAction), "List the action history of a product, latest first", s.ListProductActions),
		op("product.action.create", post, "/products/{productId}/actions", 201, needs(properties|customers, productWrite, access.ProductAction), "Write down an action about a product", data(s.CreateProductAction)),
		op("product.matches", get, "/products/{productId}/matching-searches", 200, needs(customers, customerRead, access.CustomerSearch), "List the search requests a product matches, best first", s.ListMatchingSearches),
		op("room.delete", del, "/products/{productId}/rooms/{roomId}", 204, needs(properties, productWrite, access.ProductUpdate), "Remove a room from a product", s.DeleteRoom),

		op("picture.add.public", post, "/products/{productId}/pictures/public", 204, needs(properties, productWrite, access.ProductUpdate), "Add a picture that everybody sees", s.AddPublicPicture),
		op("picture.add.private", post, "/products/{productId}/pictures/private", 204, needs(properties, productWrite, access.ProductUpdate), "Add a picture for the agency alone", s.AddPrivatePicture),
		op("picture.list", get, "/products/{productId}/pictures", 200, needs(properties|sales|websites, productRead, access.ProductGet), "List the pictures of a product, in order", s.ListPictures),
		op("picture.get", get, "/products/{productId}/pictures/{pictureId}", 200, needs(properties|sales|websites, productRead, access.ProductGet), "Read a picture's record", s.GetPicture),
		op("picture.update", patch, "/products/{productId}/pictures/{pictureId}", 204, needs(properties, productWrite, access.ProductUpdate), "Move, label, publish or hide a picture", s.UpdatePicture),
		op("picture.delete", del, "/products/{productId}/pictures/{pictureId}", 204, needs(properties, productWrite, access.ProductUpdate), "Remove a picture from a product", s.DeletePicture),

		op("action.types", get, "/actions/types", 200, needs(staffing, userRead, access.UserList), "List the types of action", data(s.ListActionTypes)),

		op("customer.search", post, "/customers/search", 200, needs(customers|leads, customerRead, access.CustomerSearch), "Search customers", s.SearchCustomers),
		op("customer.create", post, "/customers", 201, needs(customers, customerWrite, access.CustomerCreate), "Create a customer", data(s.CreateCustomer)),
		op("customer.get", get, "/customers/{customerId}", 200, needs(customers, customerRead, access.CustomerGet), "Read one customer", data(s.GetCustomer)),
		op("customer.update", patch, "/customers/{customerId}", 204, needs(customers, customerWrite, access.CustomerUpdate), "Change the given fields of a customer", s.UpdateCustomer),
		op("customer.delete", del, "/customers/{customerId}", 204, needs(customers, customerWrite, access.CustomerDelete), "Delete a customer", s.DeleteCustomer),
		op("customer.export", get, "/customers/{customerId}/export", 200, needs(customers, customerRead, access.CustomerGet), "Read everything that is kept about a customer", data(s.ExportCustomer)),
		op("customer.anonymize", post, "/customers/{customerId}/anonymize", 204, needs(customers, customerWrite, access.CustomerDelete), "Remove everything personal about a customer for good", s.AnonymizeCustomer),
		op("customer.products", get, "/customers/{customerId}/products", 200, needs(customers, customerRead, access.CustomerGet), "List the products a customer owns", data(s.ListCustomerProducts)),
		op("customer.actions", get, "/customers/{customerId}/actions", 200, needs(customers, customerRead, access.CustomerGet), "List the action history of a customer, latest first", s.ListCustomerActions),
		op("customer.action.create", post, "/customers/{customerId}/actions", 201, needs(customers, customerWrite, access.CustomerUpdate), "Write down an action about a customer", data(s.CreateCustomerAction)),
		op("search.create", post, "/customers/{customerId}/searches", 201, needs(customers, customerWrite, access.CustomerUpdate), "Create a search request of a customer", data(s.CreateSearchRequest)),
		op("search.list", get, "/customers/{customerId}/searches", 200, needs(customers, customerRead, access.CustomerGet), "List the search requests of a customer", data(s.ListSearchRequests)),
		op("search.get", get, "/customers/{customerId}/searches/{searchId}", 200, needs(customers, customerRead, access.CustomerGet), "Read a search request", data(s.GetSearchRequest)),
		op("search.update", patch, "/customers/{customerId}/searches/{searchId}", 204, needs(customers, customerWrite, access.CustomerUpdate), "Change the given fields of a search request", s.UpdateSearchRequest),
		op("search.delete", del, "/customers/{customerId}/searches/{searchId}", 204, needs(customers, customerWrite, access.CustomerUpdate), "Delete a search request", s.DeleteSearchRequest),
		op("search.matches", get, "/customers/{customerId}/searches/{searchId}/matching-products", 200, needs(customers, customerRead, access.CustomerSearch), "List the active products that match a search request, best first", s.ListMatchingProducts),
		op("followup.create", post, "/customers/{customerId}/follow-ups", 201, needs(customers, customerWrite, access.CustomerUpdate), "Attach a product to a customer's follow-up", data(s.CreateFollowUp)),
		op("followup.list", get, "/customers/{customerId}/follow-ups", 200, needs(customers, customerRead, access.CustomerGet), "List the follow-ups of a customer", data(s.ListFollowUps)),
		op("followup.update", patch, "/customers/{customerId}/follow-ups/{followUpId}", 204, needs(customers, customerWrite, access.CustomerUpdate), "Change the given fields of a follow-up", s.UpdateFollowUp),
		op("followup.delete", del, "/customers/{customerId}/follow-ups/{followUpId}", 204, needs(customers, customerWrite, access.CustomerUpdate), "Detach a product from a customer's follow-up", s.DeleteFollowUp),

		op("lead.seller", post, "/leads/sellers", 201, needs(leads, leadWrite, access.LeadCreate), "Take in a seller's lead", data(s.CreateSellerLead)),
		op("lead.buyer", post, "/leads/buyers", 201, needs(leads, leadWrite, access.LeadCreate), "Take in a buyer's lead", data(s.CreateBuyerLead)),
		op("lead.list", get, "/leads", 200, needs(leads, leadRead, access.LeadGet), "List the leads, latest first", s.ListLeads),
		op("lead.get", get, "/leads/{leadId}", 200, needs(leads, leadRead, access.LeadGet), "Read a lead", data(s.GetLead)),
		op("lead.update", patch, "/leads/{leadId}", 204, needs(leads, leadWrite, access.LeadCreate), "Say how a lead gets on, and who sees to it", s.UpdateLead),

		op("user.list", get, "/users", 200, needs(staffing, userRead, access.UserList), "List the users, page by page", s.ListUsers),
		op("user.groups", get, "/users/groups", 200, needs(staffing, userRead, access.UserList), "List the groups of users", data(s.ListUserGroups)),
		op("user.types", get, "/users/types", 200, needs(staffing, userRead, access.UserList), "List the types of users", data(s.ListUserTypes)),
		op("user.genders", get, "/users/genders", 200, needs(staffing, userRead, access.UserList), "List the genders", data(s.ListGenders)),
		op("user.get", get, "/users/{userId}", 200, needs(staffing, userRead, access.UserList), "Read one user", data(s.GetUser)),

		op("hook.origines", get, "/hooks/origines", 200, needs(webhooks, hookRead, access.HookList), "List the event types that can be subscribed to", data(s.ListOrigines)),
		op("hook.auth.create", post, "/hooks/auths", 201, needs(webhooks, hookWrite, access.HookCreate), "Add an authentication configuration", data(s.CreateHookAuth)),
		op("hook.auth.list", get, "/hooks/auths", 200, needs(webhooks, hookRead, access.HookList), "List the authentication configurations", data(s.ListHookAuths)),
		op("hook.auth.get", get, "/hooks/auths/{authId}", 200, needs(webhooks, hookRead, access.HookGet), "Read an authentication configuration", data(s.GetHookAuth)),
		op("hook.auth.update", put, "/hooks/auths/{authId}", 200, needs(webhooks, hookWrite, access.HookUpdate), "Change an authentication configuration", data(s.UpdateHookAuth)),
		op("hook.auth.delete", del, "/hooks/auths/{authId}", 204, needs(webhooks, hookWrite, access.HookDelete), "Delete an authentication configuration", s.DeleteHookAuth),
		op("hook.create", post, "/hooks", 201, needs(webhooks, hookWrite, access.HookCreate), "Subscribe a URL to events", data(s.CreateHook)),
		op("hook.list", get, "/hooks", 200, needs(webhooks, hookRead, access.HookList), "List the webhooks, page by page", s.ListHooks),
		op("hook.get", get, "/hooks/{hookId}", 200, needs(webhooks, hookRead, access.HookGet), "Read a webhook", data(s.GetHook)),
		op("hook.update", put, "/hooks/{hookId}", 200, needs(webhooks, hookWrite, access.HookUpdate), "Change a webhook, and reactivate it", data(s.UpdateHook)),
		op("hook.delete", del, "/hooks/{hookId}", 204, needs(webhooks, hookWrite, access.HookDelete), "Delete a webhook", s.DeleteHook),
		op("hook.test", post, "/hooks/{hookId}/test", 202, needs(webhooks, hookWrite, access.HookUpdate), "Send a test event", data(s.TestHook)),
		op("hook.deliveries", get, "/hooks/{hookId}/deliveries", 200, needs(webhooks, hookRead, access.HookGet), "List the deliveries of a webhook, latest first", s.ListDeliveries),
		op("hook.redeliver", post, "/hooks/{hookId}/deliveries/{deliveryId}/redeliver", 202, needs(webhooks, hookWrite, access.HookUpdate), "Send a delivery once more", data(s.Redeliver)),
		op("hook.replay", post, "/hooks/{hookId}/replay", 202, needs(webhooks, hookWrite, access.HookUpdate), "Send a range of events again", data(s.ReplayHook)),
		op("hook.secret.get", get, "/hooks/{hookId}/secret", 200, needs(webhooks, hookWrite, access.HookGet), "Read the signing secret", data(s.GetHookSecret)),
		op("hook.secret.rotate", post, "/hooks/{hookId}/secret/rotate", 200, needs(webhooks, hookWrite, access.HookUpdate), "Draw a new signing secret", data(s.RotateHookSecret)),

		op("event.list", get, "/events", 200, needs(webhooks, hookRead, access.HookList), "Read the ledger of the site, for catching up", s.ListEvents),
	}
}

// TokenOperations are the operations that hand out tokens, with paths relative
// to {auth_url}. They authenticate the client by themselves.
func (s *Service) TokenOperations() []Operation {
	return []Operation{
		public(op("token.site", post, "/api/client/token/site", 200, access.Rule{}, "Obtain a token for a site", s.IssueToken)),
		public(op("token.refresh", post, "/api/client/token/refresh", 200, access.Rule{}, "Exchange a refresh token for a new pair", s.RefreshToken)),
		public(op("token.revoke", post, "/api/client/token/revoke", 200, access.Rule{}, "Revoke a token", s.RevokeToken)),
	}
}
