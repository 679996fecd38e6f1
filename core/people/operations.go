package people

import (
	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/listing"
)

// The words of the table.
const (
	customersPack, leadsPack    = access.Customers, access.Leads
	customerRead, customerWrite = access.CustomerRead, access.CustomerWrite
	leadRead, leadWrite         = access.LeadRead, access.LeadWrite
)

// API is the use cases about people. Each checks pack, permission and right of
// the caller first, and is Forbidden where one is missing.
//
// A customer or lead of another site, or none at all, is NotFound; one of an
// agency outside the scope is Forbidden, and so is an agency_id outside it. What
// is wrong with a request is Invalid, with every field named, and changes nothing.
// Adding to a customer who was anonymised, or changing one, is a Conflict. Under
// an If-Match that does not hold a write is Stale. A change that shows no
// difference leaves no trace. See docs/contract/customers.md, and
// docs/contract/searching.md for matching.
type API struct {
	// SearchCustomers finds customers, by e-mail address or phone number above all
	// (contract: What the service does, point 9a).
	SearchCustomers api.UseCase[SearchCustomers, CustomerResult]
	// CreateCustomer adds a customer (contract: What the service does, point 9b).
	// Others with the same e-mail address or phone number are no obstacle; the
	// answer names them.
	CreateCustomer api.UseCase[CreateCustomer, CreatedCustomer]
	// GetCustomer reads one customer, with what follows from their products, search
	// requests, follow-ups and actions.
	GetCustomer api.UseCase[CustomerPath, Customer]
	// UpdateCustomer changes the given fields of a customer and nothing else.
	UpdateCustomer api.UseCase[UpdateCustomer, api.Changed]
	// DeleteCustomer removes a customer with their search requests and follow-ups.
	// It is a Conflict when the customer owns products.
	DeleteCustomer api.UseCase[DeleteCustomer, api.None]
	// ExportCustomer reads everything that is kept about a customer, by whichever
	// agency: the data is theirs (contract: persons' rights). A list that is too long
	// is cut, and named in truncated.
	ExportCustomer api.UseCase[CustomerPath, CustomerExport]
	// AnonymizeCustomer removes everything personal about a customer, wherever it is
	// kept, and for good (contract: persons' rights). Their id stays, so that
	// mandates, follow-ups and figures stay whole. A second time changes nothing.
	AnonymizeCustomer api.UseCase[CustomerPath, api.None]
	// ListCustomerProducts lists the products a customer owns, by id, page by page,
	// with the blocks asked for. Blocks that the caller's packs do not cover are Forbidden.
	ListCustomerProducts api.UseCase[CustomerProducts, listing.SearchResult]
	// ListCustomerActions reads the action history of a customer, latest first: what
	// was done about them, and what was done with them about products.
	ListCustomerActions api.UseCase[ReadCustomerActions, listing.ActionPage]
	// CreateCustomerAction writes down an action about a customer. It is always in
	// the application log, and in the history as long as its type has an active
	// child.
	CreateCustomerAction api.UseCase[CreateCustomerAction, listing.ActionCreated]

	// CreateSearchRequest adds a search request of a customer (contract: What the
	// service does, point 9c). Without an agency or agent it gets the customer's.
	CreateSearchRequest api.UseCase[CreateSearchRequest, api.Created]
	// ListSearchRequests lists the search requests of a customer, by id, page by page.
	ListSearchRequests api.UseCase[CustomerList, api.CursorPage[SearchRequest]]
	// GetSearchRequest reads one search request, and tells how many products match
	// it, and when one of these last changed. A search request that the customer
	// does not have is NotFound.
	GetSearchRequest api.UseCase[SearchRequestPath, SearchRequest]
	// UpdateSearchRequest changes the given fields of a search request. One that the
	// customer does not have is NotFound.
	UpdateSearchRequest api.UseCase[UpdateSearchRequest, api.Changed]
	// DeleteSearchRequest removes a search request. Follow-ups made for it stay. One
	// that the customer does not have is NotFound.
	DeleteSearchRequest api.UseCase[DeleteSearchRequest, api.None]
	// ListMatchingProducts lists the active products of agencies in scope that match
	// a search request, the best match first. Whether the request is open makes no
	// difference: a customer may ask while it is paused. A search request that the
	// customer does not have is NotFound.
	ListMatchingProducts api.UseCase[MatchingProducts, MatchPage[MatchingProduct]]
	// ListMatchingSearches lists the open search requests of agencies in scope that
	// a product matches, the best match first. Whether the product is for sale makes
	// no difference: a property that is being valued may have buyers already. An
	// unknown product is NotFound, and one outside the scope Forbidden.
	ListMatchingSearches api.UseCase[MatchingSearches, MatchPage[MatchingSearch]]

	// CreateFollowUp attaches a product to a customer's follow-up (contract: What
	// the service does, point 9d). The same product, for the same search request,
	// is attached once: a second time is a Conflict that names the first.
	CreateFollowUp api.UseCase[CreateFollowUp, api.Created]
	// ListFollowUps lists the follow-ups of a customer, by id, page by page.
	ListFollowUps api.UseCase[CustomerList, api.CursorPage[FollowUp]]
	// UpdateFollowUp changes the given fields of a follow-up. One that the customer
	// does not have is NotFound.
	UpdateFollowUp api.UseCase[UpdateFollowUp, api.Changed]
	// DeleteFollowUp detaches a product from a customer's follow-up. A follow-up that
	// the customer does not have is NotFound.
	DeleteFollowUp api.UseCase[DeleteFollowUp, api.None]

	// CreateSellerLead takes in somebody who wants to sell, let or have a property
	// valued (contract: POST /leads/sellers): the customer, and the product where
	// anything is known of it, all or nothing. The same lead sent again within a
	// day is the same lead: the answer names the first.
	CreateSellerLead api.UseCase[CreateSellerLead, CreatedLead]
	// CreateBuyerLead takes in somebody who asked about a product, or for one like
	// it (contract: POST /leads/buyers): the customer, a search request, and the
	// product on the customer's follow-up, all or nothing. The same lead sent again
	// within a day is the same lead: the answer names the first.
	CreateBuyerLead api.UseCase[CreateBuyerLead, CreatedLead]
	// ListLeads lists the leads in scope, latest first.
	ListLeads api.UseCase[ListLeads, LeadPage]
	// GetLead reads one lead.
	GetLead api.UseCase[LeadPath, Lead]
	// UpdateLead changes the status of a lead, or its agent (extension: PATCH
	// /leads/{leadId}). A new lead that is given an agent becomes assigned by
	// itself.
	UpdateLead api.UseCase[UpdateLead, api.Changed]
}

func (s *Service) table(a *API) []api.Operation {
	return []api.Operation{
		api.Op(&a.ListMatchingSearches, "product.matches", api.GET, "/products/{productId}/matching-searches", 200, api.Needs(customersPack, customerRead, access.CustomerSearch), "List the search requests a product matches, best first", s.listMatchingSearches).Weighs(api.Heavy),

		api.Op(&a.SearchCustomers, "customer.search", api.POST, "/customers/search", 200, api.Needs(customersPack|leadsPack, customerRead, access.CustomerSearch), "Search customers", reads(s, Unit.searchCustomers)).IsPolled(api.PolledSearch).Weighs(api.Heavy),
		api.Op(&a.CreateCustomer, "customer.create", api.POST, "/customers", 201, api.Needs(customersPack, customerWrite, access.CustomerCreate), "Create a customer", s.createCustomer).InData().IsPresuming(),
		api.Op(&a.GetCustomer, "customer.get", api.GET, "/customers/{customerId}", 200, api.Needs(customersPack, customerRead, access.CustomerGet), "Read one customer", reads(s, Unit.getCustomer)).InData(),
		api.Op(&a.UpdateCustomer, "customer.update", api.PATCH, "/customers/{customerId}", 204, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Change the given fields of a customer", writes(s, Unit.updateCustomer)).Fails(fault.Conflict).IsPresuming(),
		api.Op(&a.DeleteCustomer, "customer.delete", api.DELETE, "/customers/{customerId}", 204, api.Needs(customersPack, customerWrite, access.CustomerDelete), "Delete a customer", writes(s, Unit.deleteCustomer)).Fails(fault.Conflict),
		api.Op(&a.ExportCustomer, "customer.export", api.GET, "/customers/{customerId}/export", 200, api.Needs(customersPack, customerRead, access.CustomerGet), "Read everything that is kept about a customer", reads(s, Unit.exportCustomer)).InData().Weighs(api.Heavy),
		api.Op(&a.AnonymizeCustomer, "customer.anonymize", api.POST, "/customers/{customerId}/anonymize", 204, api.Needs(customersPack, customerWrite, access.CustomerDelete), "Remove everything personal about a customer for good", writes(s, Unit.anonymizeCustomer)),
		api.Op(&a.ListCustomerProducts, "customer.products", api.GET, "/customers/{customerId}/products", 200, api.Needs(customersPack, customerRead, access.CustomerGet), "List the products a customer owns", s.listCustomerProducts).Weighs(api.Heavy).IsCompressed(),
		api.Op(&a.ListCustomerActions, "customer.actions", api.GET, "/customers/{customerId}/actions", 200, api.Needs(customersPack, customerRead, access.CustomerGet), "List the action history of a customer, latest first", reads(s, Unit.listCustomerActions)),
		api.Op(&a.CreateCustomerAction, "customer.action.create", api.POST, "/customers/{customerId}/actions", 201, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Write down an action about a customer", writes(s, Unit.createCustomerAction)).InData().IsPresuming(),

		api.Op(&a.CreateSearchRequest, "search.create", api.POST, "/customers/{customerId}/searches", 201, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Create a search request of a customer", writes(s, Unit.createSearchRequest)).InData().IsPresuming(),
		api.Op(&a.ListSearchRequests, "search.list", api.GET, "/customers/{customerId}/searches", 200, api.Needs(customersPack, customerRead, access.CustomerGet), "List the search requests of a customer", reads(s, Unit.listSearchRequests)),
		api.Op(&a.GetSearchRequest, "search.get", api.GET, "/customers/{customerId}/searches/{searchId}", 200, api.Needs(customersPack, customerRead, access.CustomerGet), "Read a search request", s.getSearchRequest).InData(),
		api.Op(&a.UpdateSearchRequest, "search.update", api.PATCH, "/customers/{customerId}/searches/{searchId}", 204, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Change the given fields of a search request", writes(s, Unit.updateSearchRequest)).Fails(fault.Conflict).IsPresuming(),
		api.Op(&a.DeleteSearchRequest, "search.delete", api.DELETE, "/customers/{customerId}/searches/{searchId}", 204, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Delete a search request", writes(s, Unit.deleteSearchRequest)),
		api.Op(&a.ListMatchingProducts, "search.matches", api.GET, "/customers/{customerId}/searches/{searchId}/matching-products", 200, api.Needs(customersPack, customerRead, access.CustomerSearch), "List the active products that match a search request, best first", s.listMatchingProducts).Weighs(api.Heavy),

		api.Op(&a.CreateFollowUp, "followup.create", api.POST, "/customers/{customerId}/follow-ups", 201, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Attach a product to a customer's follow-up", writes(s, Unit.createFollowUp)).InData(),
		api.Op(&a.ListFollowUps, "followup.list", api.GET, "/customers/{customerId}/follow-ups", 200, api.Needs(customersPack, customerRead, access.CustomerGet), "List the follow-ups of a customer", reads(s, Unit.listFollowUps)),
		api.Op(&a.UpdateFollowUp, "followup.update", api.PATCH, "/customers/{customerId}/follow-ups/{followUpId}", 204, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Change the given fields of a follow-up", writes(s, Unit.updateFollowUp)).Fails(fault.Conflict),
		api.Op(&a.DeleteFollowUp, "followup.delete", api.DELETE, "/customers/{customerId}/follow-ups/{followUpId}", 204, api.Needs(customersPack, customerWrite, access.CustomerUpdate), "Detach a product from a customer's follow-up", writes(s, Unit.deleteFollowUp)),

		api.Op(&a.CreateSellerLead, "lead.seller", api.POST, "/leads/sellers", 201, api.Needs(leadsPack, leadWrite, access.LeadCreate), "Take in a seller's lead", s.createSellerLead).InData(),
		api.Op(&a.CreateBuyerLead, "lead.buyer", api.POST, "/leads/buyers", 201, api.Needs(leadsPack, leadWrite, access.LeadCreate), "Take in a buyer's lead", s.createBuyerLead).InData(),
		api.Op(&a.ListLeads, "lead.list", api.GET, "/leads", 200, api.Needs(leadsPack, leadRead, access.LeadGet), "List the leads, latest first", reads(s, Unit.listLeads)).Weighs(api.Heavy),
		api.Op(&a.GetLead, "lead.get", api.GET, "/leads/{leadId}", 200, api.Needs(leadsPack, leadRead, access.LeadGet), "Read a lead", reads(s, Unit.getLead)).InData(),
		api.Op(&a.UpdateLead, "lead.update", api.PATCH, "/leads/{leadId}", 204, api.Needs(leadsPack, leadWrite, access.LeadGet), "Say how a lead gets on, and who sees to it", writes(s, Unit.updateLead)).IsPresuming(),
	}
}

// Places are what the paths of the area name.
func (s *Service) Places() []api.Place {
	return []api.Place{
		{Path: "/customers/{customerId}", Exists: api.Exists(s.k, NewUnit, Unit.customerExists)},
		{Path: "/customers/{customerId}/searches/{searchId}", Exists: api.Exists(s.k, NewUnit, Unit.searchExists)},
		{Path: "/customers/{customerId}/follow-ups/{followUpId}", Exists: api.Exists(s.k, NewUnit, Unit.followUpExists)},
		{Path: "/leads/{leadId}", Exists: api.Exists(s.k, NewUnit, Unit.leadExists)},
	}
}

func (u Unit) customerExists(ids []int64) error {
	_, err := u.Customer(ids[0])
	return err
}

func (u Unit) searchExists(ids []int64) error {
	_, err := u.searchRequest(ids[0], ids[1])
	return err
}

func (u Unit) followUpExists(ids []int64) error {
	_, _, err := u.followUpOf(ids[0], ids[1])
	return err
}

func (u Unit) leadExists(ids []int64) error {
	_, err := u.getLead(LeadPath{ID: ids[0]})
	return err
}

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Writes(s.k, NewUnit, use)
}
