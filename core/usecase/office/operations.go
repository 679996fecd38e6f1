package office

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// API is the use cases of the area. Each checks pack, permission and right of the
// caller first, and is Forbidden where one is missing.
//
// They answer from what the caller came with, so that nothing but the caller and
// the request can make them fail. See docs/contract/access.md and
// docs/contract/criteria.md.
type API struct {
	// Discover lists the active agencies in scope, by id (contract: GET
	// /discovery). It is Forbidden when there is none.
	Discover kernel.UseCase[kernel.Nothing, []DiscoveryRecord]
	// GetSite reads the token's site with its manufacturers list.
	GetSite kernel.UseCase[kernel.Nothing, Site]

	// ListAgencies lists the agencies in scope by id, page by page (contract: GET
	// /agencies). Pages go forwards and backwards. A page that cannot be asked for
	// is Invalid.
	ListAgencies kernel.UseCase[ListAgencies, AgencyPage]
	// GetAgency reads one agency with its users, or in the form that documents print
	// (contract: GET /agencies/{agencyId}). An agency of another site is NotFound;
	// one of this site outside the scope is Forbidden; an unknown format is Invalid.
	GetAgency kernel.UseCase[ReadAgency, AgencyDetail]

	// ListCriteria lists all criteria definitions, active or not, by position
	// (contract: GET /criterias/product/all).
	ListCriteria kernel.UseCase[kernel.Nothing, []CriteriaResource]
	// GetCriterion reads one definition, by key or id, with its values (contract:
	// GET /criterias/product/{criteriaId}). An unknown one is NotFound.
	GetCriterion kernel.UseCase[ReadCriterion, CriterionDetail]
	// ListCriterionValues lists the values of a UNIQUE or MULTIPLE criterion
	// (contract: GET /criterias/product/{id}/values). Other types have none. An
	// unknown criterion is NotFound.
	ListCriterionValues kernel.UseCase[ReadCriterionValues, []ReferentialValue]
	// ListLists names the lists of values (contract: Configs).
	ListLists kernel.UseCase[kernel.Nothing, []ListResource]
	// ListListValues lists the values of one list (contract: GET
	// /configs/listes/{listeId}/values). An unknown list is NotFound.
	ListListValues kernel.UseCase[ReadListValues, []ReferentialValue]

	// ListActionTypes lists the action types of the site, active or not, by
	// position (contract: GET /actions/types).
	ListActionTypes kernel.UseCase[kernel.Nothing, []ActionType]

	// ListUsers lists the users of the agencies in scope by id, page by page. An
	// agency outside the scope is Forbidden; a page that cannot be asked for is
	// Invalid.
	ListUsers kernel.UseCase[ListUsers, UserPage]
	// ListUserGroups lists the groups of the site, and those of agencies in scope.
	ListUserGroups kernel.UseCase[kernel.Nothing, []UserGroup]
	// ListUserTypes lists what users can be.
	ListUserTypes kernel.UseCase[kernel.Nothing, []LabelRecord]
	// ListGenders lists the genders of users and customers.
	ListGenders kernel.UseCase[kernel.Nothing, []LabelRecord]
	// GetUser reads one user. A user of another site is NotFound; one of this site
	// whose agency is outside the scope is Forbidden.
	GetUser kernel.UseCase[UserPath, User]
}

const (
	properties, websites, sales = access.Properties, access.Websites, access.Sales
	customers, leads            = access.Customers, access.Leads

	agencyReaders     = access.Agencies | properties | websites | sales | leads | customers
	vocabularyReaders = leads | properties | customers | websites

	agencyRead, userRead, config = access.AgencyRead, access.UserRead, access.Config
)

func (s *Service) table(a *API) []kernel.Operation {
	anyToken, readUsers := access.Rule{}, kernel.Needs(access.Users|properties|customers|leads|access.Agenda, userRead, access.UserList)
	return []kernel.Operation{
		kernel.Op(&a.Discover, "discovery.list", kernel.GET, "/discovery", 200, anyToken, "List the agencies the token reaches", discover).InData().IsCompressed().IsFirst(),
		kernel.Op(&a.GetSite, "site.get", kernel.GET, "/site", 200, anyToken, "Read the token's site and its manufacturers list", getSite).InData().IsCompressed(),

		kernel.Op(&a.ListAgencies, "agency.list", kernel.GET, "/agencies", 200, kernel.Needs(agencyReaders, agencyRead, access.AgencyList), "List the agencies in scope, page by page", s.listAgencies).IsCompressed(),
		kernel.Op(&a.GetAgency, "agency.get", kernel.GET, "/agencies/{agencyId}", 200, kernel.Needs(agencyReaders, agencyRead, access.AgencyGet), "Read one agency with its users", getAgency).InData().IsCompressed(),

		kernel.Op(&a.ListCriteria, "criteria.all", kernel.GET, "/criterias/product/all", 200, kernel.Needs(vocabularyReaders, config, access.CriteriaAll), "List the criteria definitions", listCriteria).InData().IsCompressed().IsFirst(),
		kernel.Op(&a.GetCriterion, "criteria.get", kernel.GET, "/criterias/product/{criteriaId}", 200, kernel.Needs(vocabularyReaders, config, access.CriteriaGet), "Read one criteria definition with its values", getCriterion).InData().IsCompressed(),
		kernel.Op(&a.ListCriterionValues, "criteria.values", kernel.GET, "/criterias/product/{criteriaId}/values", 200, kernel.Needs(vocabularyReaders, config, access.CriteriaAll), "List the values of a UNIQUE or MULTIPLE criterion", listCriterionValues).InData().IsCompressed(),
		kernel.Op(&a.ListLists, "list.all", kernel.GET, "/configs/listes", 200, kernel.Needs(vocabularyReaders, config, access.CriteriaAll), "List the lists of values", listLists).InData().IsCompressed(),
		kernel.Op(&a.ListListValues, "list.values", kernel.GET, "/configs/listes/{listeId}/values", 200, kernel.Needs(vocabularyReaders, config, access.CriteriaAll), "List the values of a list", listListValues).InData().IsCompressed(),

		kernel.Op(&a.ListActionTypes, "action.types", kernel.GET, "/actions/types", 200, readUsers, "List the types of action", listActionTypes).InData().IsCompressed(),

		kernel.Op(&a.ListUsers, "user.list", kernel.GET, "/users", 200, readUsers, "List the users, page by page", s.listUsers).IsCompressed(),
		kernel.Op(&a.ListUserGroups, "user.groups", kernel.GET, "/users/groups", 200, readUsers, "List the groups of users", listUserGroups).InData().IsCompressed(),
		kernel.Op(&a.ListUserTypes, "user.types", kernel.GET, "/users/types", 200, readUsers, "List the types of users", listUserTypes).InData().IsCompressed(),
		kernel.Op(&a.ListGenders, "user.genders", kernel.GET, "/users/genders", 200, readUsers, "List the genders", listGenders).InData().IsCompressed(),
		kernel.Op(&a.GetUser, "user.get", kernel.GET, "/users/{userId}", 200, readUsers, "Read one user", getUser).InData().IsCompressed(),
	}
}

// Places returns what the paths of the area name.
func (s *Service) Places() []kernel.Place {
	return []kernel.Place{
		{Path: "/agencies/{agencyId}", Exists: exists(findAgency)},
		{Path: "/configs/listes/{listeId}", Exists: exists(findList)},
		{Path: "/criterias/product/{criteriaId}", Exists: criterionExists},
		{Path: "/users/{userId}", Exists: exists(findUser)},
	}
}

// exists returns the Exists of what a view of the site holds.
func exists[ID ~int64, T any](find func(kernel.Caller, ID) (T, error)) func(context.Context, kernel.Caller, []string) error {
	return kernel.ByID(func(_ context.Context, c kernel.Caller, ids []int64) error {
		_, err := find(c, ID(ids[0]))
		return err
	})
}

func criterionExists(_ context.Context, c kernel.Caller, names []string) error {
	_, err := findCriterion(c, names[0])
	return err
}
