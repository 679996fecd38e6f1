package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
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
	SearchCustomers kernel.UseCase[SearchCustomers, CustomerResult]
	// CreateCustomer adds a customer (contract: What the service does, point 9b).
	// Others with the same e-mail address or phone number are no obstacle; the
	// answer names them.
	CreateCustomer kernel.UseCase[CreateCustomer, CreatedCustomer]
	// GetCustomer reads one customer, with what follows from their products, search
	// requests, follow-ups and actions.
	GetCustomer kernel.UseCase[CustomerPath, Customer]
	// UpdateCustomer changes the given fields of a customer and nothing else.
	UpdateCustomer kernel.UseCase[UpdateCustomer, kernel.Changed]
	// DeleteCustomer removes a customer with their search requests and follow-ups.
	// It is a Conflict when the customer owns products.
	DeleteCustomer kernel.UseCase[DeleteCustomer, kernel.None]
	// ExportCustomer reads everything that is kept about a customer, by whichever
	// agency: the data is theirs (contract: persons' rights). A list that is too long
	// is cut, and named in truncated.
	ExportCustomer kernel.UseCase[CustomerPath, CustomerExport]
	// AnonymizeCustomer removes everything personal about a customer, wherever it is
	// kept, and for good (contract: persons' rights). Their id stays, so that
	// mandates, follow-ups and figures stay whole. A second time changes nothing.
	AnonymizeCustomer kernel.UseCase[CustomerPath, kernel.None]
	// MergeCustomers joins two records of one person: what belongs to the one that goes
	// moves to the one that stays, and its id is Gone for ever. A preview answers the
	// same, and changes nothing. Being on both sides of a deal is Invalid.
	MergeCustomers kernel.UseCase[MergeCustomers, MergedCustomers]
	// ListCustomerProducts lists the products a customer owns, by id, page by page,
	// with the blocks asked for. Blocks that the caller's packs do not cover are Forbidden.
	ListCustomerProducts kernel.UseCase[CustomerProducts, listing.SearchResult]
	// ListCustomerActions reads the action history of a customer, latest first: what
	// was done about them, and what was done with them about products.
	ListCustomerActions kernel.UseCase[ReadCustomerActions, listing.ActionPage]
	// CreateCustomerAction writes down an action about a customer. It is always in
	// the application log, and in the history as long as its type has an active
	// child.
	CreateCustomerAction kernel.UseCase[CreateCustomerAction, listing.ActionCreated]

	// CreateSearchRequest adds a search request of a customer (contract: What the
	// service does, point 9c). Without an agency or agent it gets the customer's.
	CreateSearchRequest kernel.UseCase[CreateSearchRequest, kernel.Created]
	// ListSearchRequests lists the search requests of a customer, by id, page by page.
	ListSearchRequests kernel.UseCase[CustomerList, kernel.CursorPage[SearchRequest]]
	// GetSearchRequest returns one search request, and how many products match
	// it, and when one of these last changed. A search request that the customer
	// does not have is NotFound.
	GetSearchRequest kernel.UseCase[SearchRequestPath, SearchRequest]
	// UpdateSearchRequest changes the given fields of a search request. One that the
	// customer does not have is NotFound.
	UpdateSearchRequest kernel.UseCase[UpdateSearchRequest, kernel.Changed]
	// DeleteSearchRequest removes a search request. Follow-ups made for it stay. One
	// that the customer does not have is NotFound.
	DeleteSearchRequest kernel.UseCase[DeleteSearchRequest, kernel.None]
	// ListMatchingProducts lists the active products of agencies in scope that match
	// a search request, the best match first. Whether the request is open makes no
	// difference: a customer may ask while it is paused. A search request that the
	// customer does not have is NotFound.
	ListMatchingProducts kernel.UseCase[MatchingProducts, MatchPage[MatchingProduct]]
	// ListMatchingSearches lists the open search requests of agencies in scope that
	// a product matches, the best match first. Whether the product is for sale makes
	// no difference: a property that is being valued may have buyers already. An
	// unknown product is NotFound, and one outside the scope Forbidden.
	ListMatchingSearches kernel.UseCase[MatchingSearches, MatchPage[MatchingSearch]]

	// CreateFollowUp attaches a product to a customer's follow-up (contract: What
	// the service does, point 9d). The same product, for the same search request,
	// is attached once: a second time is a Conflict that names the first.
	CreateFollowUp kernel.UseCase[CreateFollowUp, kernel.Created]
	// ListFollowUps lists the follow-ups of a customer, by id, page by page.
	ListFollowUps kernel.UseCase[CustomerList, kernel.CursorPage[FollowUp]]
	// UpdateFollowUp changes the given fields of a follow-up. One that the customer
	// does not have is NotFound.
	UpdateFollowUp kernel.UseCase[UpdateFollowUp, kernel.Changed]
	// DeleteFollowUp detaches a product from a customer's follow-up. A follow-up that
	// the customer does not have is NotFound.
	DeleteFollowUp kernel.UseCase[DeleteFollowUp, kernel.None]

	// CreateSellerLead takes in somebody who wants to sell, let or have a property
	// valued (contract: POST /leads/sellers): the customer, and the product where
	// anything is known of it, all or nothing. The same lead sent again within a
	// day is the same lead: the answer names the first.
	CreateSellerLead kernel.UseCase[CreateSellerLead, CreatedLead]
	// CreateBuyerLead takes in somebody who asked about a product, or for one like
	// it (contract: POST /leads/buyers): the customer, a search request, and the
	// product on the customer's follow-up, all or nothing. The same lead sent again
	// within a day is the same lead: the answer names the first.
	CreateBuyerLead kernel.UseCase[CreateBuyerLead, CreatedLead]
	// ListLeads lists the leads in scope, latest first.
	ListLeads kernel.UseCase[ListLeads, LeadPage]
	// GetLead reads one lead.
	GetLead kernel.UseCase[LeadPath, Lead]
	// UpdateLead changes the status of a lead, or its agent (extension: PATCH
	// /leads/{leadId}). A new lead that is given an agent becomes assigned by
	// itself.
	UpdateLead kernel.UseCase[UpdateLead, kernel.Changed]
}

// updateRule returns who may change a customer.
func updateRule() access.Rule {
	return kernel.Needs(customersPack, customerWrite, access.CustomerUpdate)
}

func (s *Service) table(a *API) []kernel.Operation {
	return []kernel.Operation{
		kernel.Op(&a.ListMatchingSearches, "product.matches", kernel.GET, "/products/{productId}/matching-searches", 200, kernel.Needs(customersPack, customerRead, access.CustomerSearch), "List the search requests a product matches, best first", s.listMatchingSearches).Weighs(kernel.Heavy),

		kernel.Op(&a.SearchCustomers, "customer.search", kernel.POST, "/customers/search", 200, kernel.Needs(customersPack|leadsPack, customerRead, access.CustomerSearch), "Search customers", reads(s, Unit.searchCustomers)).IsPolled(kernel.PolledSearch).Weighs(kernel.Heavy),
		kernel.Op(&a.CreateCustomer, "customer.create", kernel.POST, "/customers", 201, kernel.Needs(customersPack, customerWrite, access.CustomerCreate), "Create a customer", s.createCustomer).InData(),
		kernel.Op(&a.GetCustomer, "customer.get", kernel.GET, "/customers/{customerId}", 200, kernel.Needs(customersPack, customerRead, access.CustomerGet), "Read one customer", reads(s, Unit.getCustomer)).InData(),
		kernel.Op(&a.UpdateCustomer, "customer.update", kernel.PATCH, "/customers/{customerId}", 204, updateRule(), "Change the given fields of a customer", writes(s, Unit.updateCustomer)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteCustomer, "customer.delete", kernel.DELETE, "/customers/{customerId}", 204, kernel.Needs(customersPack, customerWrite, access.CustomerDelete), "Delete a customer", writes(s, Unit.deleteCustomer)).Fails(fault.Conflict),
		kernel.Op(&a.ExportCustomer, "customer.export", kernel.GET, "/customers/{customerId}/export", 200, kernel.Needs(customersPack, customerRead, access.CustomerGet), "Read everything that is kept about a customer", reads(s, Unit.exportCustomer)).InData().Weighs(kernel.Heavy),
		kernel.Op(&a.AnonymizeCustomer, "customer.anonymize", kernel.POST, "/customers/{customerId}/anonymize", 204, kernel.Needs(customersPack, customerWrite, access.CustomerDelete), "Remove everything personal about a customer for good", writes(s, Unit.anonymizeCustomer)),
		kernel.Op(&a.MergeCustomers, "customer.merge", kernel.POST, "/customers/{customerId}/merge", 200, kernel.Needs(customersPack, customerWrite, access.CustomerDelete), "Join two records of one person", s.mergeCustomers).InData().Weighs(kernel.Heavy),
		kernel.Op(&a.ListCustomerProducts, "customer.products", kernel.GET, "/customers/{customerId}/products", 200, kernel.Needs(customersPack, customerRead, access.CustomerGet), "List the products a customer owns", s.listCustomerProducts).Weighs(kernel.Heavy).IsCompressed(),
		kernel.Op(&a.ListCustomerActions, "customer.actions", kernel.GET, "/customers/{customerId}/actions", 200, kernel.Needs(customersPack, customerRead, access.CustomerGet), "List the action history of a customer, latest first", reads(s, Unit.listCustomerActions)),
		kernel.Op(&a.CreateCustomerAction, "customer.action.create", kernel.POST, "/customers/{customerId}/actions", 201, kernel.Needs(customersPack, customerWrite, access.CustomerUpdate), "Write down an action about a customer", writes(s, Unit.createCustomerAction)).InData(),

		kernel.Op(&a.CreateSearchRequest, "search.create", kernel.POST, "/customers/{customerId}/searches", 201, kernel.Needs(customersPack, customerWrite, access.CustomerUpdate), "Create a search request of a customer", writes(s, Unit.createSearchRequest)).InData(),
		kernel.Op(&a.ListSearchRequests, "search.list", kernel.GET, "/customers/{customerId}/searches", 200, kernel.Needs(customersPack, customerRead, access.CustomerGet), "List the search requests of a customer", reads(s, Unit.listSearchRequests)),
		kernel.Op(&a.GetSearchRequest, "search.get", kernel.GET, "/customers/{customerId}/searches/{searchId}", 200, kernel.Needs(customersPack, customerRead, access.CustomerGet), "Read a search request", s.getSearchRequest).InData(),
		kernel.Op(&a.UpdateSearchRequest, "search.update", kernel.PATCH, "/customers/{customerId}/searches/{searchId}", 204, kernel.Needs(customersPack, customerWrite, access.CustomerUpdate), "Change the given fields of a search request", writes(s, Unit.updateSearchRequest)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteSearchRequest, "search.delete", kernel.DELETE, "/customers/{customerId}/searches/{searchId}", 204, kernel.Needs(customersPack, customerWrite, access.CustomerUpdate), "Delete a search request", writes(s, Unit.deleteSearchRequest)),
		kernel.Op(&a.ListMatchingProducts, "search.matches", kernel.GET, "/customers/{customerId}/searches/{searchId}/matching-products", 200, kernel.Needs(customersPack, customerRead, access.CustomerSearch), "List the active products that match a search request, best first", s.listMatchingProducts).Weighs(kernel.Heavy),

		kernel.Op(&a.CreateFollowUp, "followup.create", kernel.POST, "/customers/{customerId}/follow-ups", 201, kernel.Needs(customersPack, customerWrite, access.CustomerUpdate), "Attach a product to a customer's follow-up", writes(s, Unit.createFollowUp)).InData(),
		kernel.Op(&a.ListFollowUps, "followup.list", kernel.GET, "/customers/{customerId}/follow-ups", 200, kernel.Needs(customersPack, customerRead, access.CustomerGet), "List the follow-ups of a customer", reads(s, Unit.listFollowUps)),
		kernel.Op(&a.UpdateFollowUp, "followup.update", kernel.PATCH, "/customers/{customerId}/follow-ups/{followUpId}", 204, kernel.Needs(customersPack, customerWrite, access.CustomerUpdate), "Change the given fields of a follow-up", writes(s, Unit.updateFollowUp)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteFollowUp, "followup.delete", kernel.DELETE, "/customers/{customerId}/follow-ups/{followUpId}", 204, kernel.Needs(customersPack, customerWrite, access.CustomerUpdate), "Detach a product from a customer's follow-up", writes(s, Unit.deleteFollowUp)),

		kernel.Op(&a.CreateSellerLead, "lead.seller", kernel.POST, "/leads/sellers", 201, kernel.Needs(leadsPack, leadWrite, access.LeadCreate), "Take in a seller's lead", s.createSellerLead).InData(),
		kernel.Op(&a.CreateBuyerLead, "lead.buyer", kernel.POST, "/leads/buyers", 201, kernel.Needs(leadsPack, leadWrite, access.LeadCreate), "Take in a buyer's lead", s.createBuyerLead).InData(),
		kernel.Op(&a.ListLeads, "lead.list", kernel.GET, "/leads", 200, kernel.Needs(leadsPack, leadRead, access.LeadGet), "List the leads, latest first", reads(s, Unit.listLeads)).Weighs(kernel.Heavy),
		kernel.Op(&a.GetLead, "lead.get", kernel.GET, "/leads/{leadId}", 200, kernel.Needs(leadsPack, leadRead, access.LeadGet), "Read a lead", reads(s, Unit.getLead)).InData(),
		kernel.Op(&a.UpdateLead, "lead.update", kernel.PATCH, "/leads/{leadId}", 204, kernel.Needs(leadsPack, leadWrite, access.LeadGet), "Say how a lead gets on, and who sees to it", writes(s, Unit.updateLead)),
	}
}

// Places returns what the paths of the area name.
func (s *Service) Places() []kernel.Place {
	return []kernel.Place{
		{Path: "/customers/{customerId}", Exists: kernel.Exists(s.k, NewUnit, Unit.customerExists)},
		{Path: "/customers/{customerId}/searches/{searchId}", Exists: kernel.Exists(s.k, NewUnit, Unit.searchExists)},
		{Path: "/customers/{customerId}/follow-ups/{followUpId}", Exists: kernel.Exists(s.k, NewUnit, Unit.followUpExists)},
		{Path: "/leads/{leadId}", Exists: kernel.Exists(s.k, NewUnit, Unit.leadExists)},
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

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Writes(s.k, NewUnit, use)
}
