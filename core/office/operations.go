package office

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
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
	Discover api.UseCase[api.Nothing, []DiscoveryRecord]
	// GetSite reads the token's site with its manufacturers list.
	GetSite api.UseCase[api.Nothing, Site]

	// ListAgencies lists the agencies in scope by id, page by page (contract: GET
	// /agencies). Pages go forwards and backwards. A page that cannot be asked for
	// is Invalid.
	ListAgencies api.UseCase[ListAgencies, AgencyPage]
	// GetAgency reads one agency with its users, or in the form that documents print
	// (contract: GET /agencies/{agencyId}). An agency of another site is NotFound;
	// one of this site outside the scope is Forbidden; an unknown format is Invalid.
	GetAgency api.UseCase[ReadAgency, AgencyDetail]

	// ListCriteria lists all criteria definitions, active or not, by position
	// (contract: GET /criterias/product/all).
	ListCriteria api.UseCase[api.Nothing, []CriteriaResource]
	// GetCriterion reads one definition, by key or id, with its values (contract:
	// GET /criterias/product/{criteriaId}). An unknown one is NotFound.
	GetCriterion api.UseCase[ReadCriterion, CriterionDetail]
	// ListCriterionValues lists the values of a UNIQUE or MULTIPLE criterion
	// (contract: GET /criterias/product/{id}/values). Other types have none. An
	// unknown criterion is NotFound.
	ListCriterionValues api.UseCase[ReadCriterionValues, []ReferentialValue]
	// ListLists names the lists of values (contract: Configs).
	ListLists api.UseCase[api.Nothing, []ListResource]
	// ListListValues lists the values of one list (contract: GET
	// /configs/listes/{listeId}/values). An unknown list is NotFound.
	ListListValues api.UseCase[ReadListValues, []ReferentialValue]

	// ListActionTypes lists the action types of the site, active or not, by
	// position (contract: GET /actions/types).
	ListActionTypes api.UseCase[api.Nothing, []ActionType]

	// ListUsers lists the users of the agencies in scope by id, page by page. An
	// agency outside the scope is Forbidden; a page that cannot be asked for is
	// Invalid.
	ListUsers api.UseCase[ListUsers, UserPage]
	// ListUserGroups lists the groups of the site, and those of agencies in scope.
	ListUserGroups api.UseCase[api.Nothing, []UserGroup]
	// ListUserTypes lists what users can be.
	ListUserTypes api.UseCase[api.Nothing, []LabelRecord]
	// ListGenders lists the genders of users and customers.
	ListGenders api.UseCase[api.Nothing, []LabelRecord]
	// GetUser reads one user. A user of another site is NotFound; one of this site
	// whose agency is outside the scope is Forbidden.
	GetUser api.UseCase[UserPath, User]
}

const (
	properties, websites, sales = access.Properties, access.Websites, access.Sales
	customers, leads            = access.Customers, access.Leads

	agencyReaders     = access.Agencies | properties | websites | sales | leads | customers
	vocabularyReaders = leads | properties | customers | websites

	agencyRead, userRead, config = access.AgencyRead, access.UserRead, access.Config
)

func (s *Service) table(a *API) []api.Operation {
	anyToken, readUsers := access.Rule{}, api.Needs(access.Users|properties|customers|leads|access.Agenda, userRead, access.UserList)
	return []api.Operation{
		api.Op(&a.Discover, "discovery.list", api.GET, "/discovery", 200, anyToken, "List the agencies the token reaches", discover).InData().IsCompressed().IsFirst(),
		api.Op(&a.GetSite, "site.get", api.GET, "/site", 200, anyToken, "Read the token's site and its manufacturers list", getSite).InData().IsCompressed(),

		api.Op(&a.ListAgencies, "agency.list", api.GET, "/agencies", 200, api.Needs(agencyReaders, agencyRead, access.AgencyList), "List the agencies in scope, page by page", s.listAgencies).IsCompressed(),
		api.Op(&a.GetAgency, "agency.get", api.GET, "/agencies/{agencyId}", 200, api.Needs(agencyReaders, agencyRead, access.AgencyGet), "Read one agency with its users", getAgency).InData().IsCompressed(),

		api.Op(&a.ListCriteria, "criteria.all", api.GET, "/criterias/product/all", 200, api.Needs(vocabularyReaders, config, access.CriteriaAll), "List the criteria definitions", listCriteria).InData().IsCompressed().IsFirst(),
		api.Op(&a.GetCriterion, "criteria.get", api.GET, "/criterias/product/{criteriaId}", 200, api.Needs(vocabularyReaders, config, access.CriteriaGet), "Read one criteria definition with its values", getCriterion).InData().IsCompressed(),
		api.Op(&a.ListCriterionValues, "criteria.values", api.GET, "/criterias/product/{criteriaId}/values", 200, api.Needs(vocabularyReaders, config, access.CriteriaAll), "List the values of a UNIQUE or MULTIPLE criterion", listCriterionValues).InData().IsCompressed(),
		api.Op(&a.ListLists, "list.all", api.GET, "/configs/listes", 200, api.Needs(vocabularyReaders, config, access.CriteriaAll), "List the lists of values", listLists).InData().IsCompressed(),
		api.Op(&a.ListListValues, "list.values", api.GET, "/configs/listes/{listeId}/values", 200, api.Needs(vocabularyReaders, config, access.CriteriaAll), "List the values of a list", listListValues).InData().IsCompressed(),

		api.Op(&a.ListActionTypes, "action.types", api.GET, "/actions/types", 200, readUsers, "List the types of action", listActionTypes).InData().IsCompressed(),

		api.Op(&a.ListUsers, "user.list", api.GET, "/users", 200, readUsers, "List the users, page by page", s.listUsers).IsCompressed(),
		api.Op(&a.ListUserGroups, "user.groups", api.GET, "/users/groups", 200, readUsers, "List the groups of users", listUserGroups).InData().IsCompressed(),
		api.Op(&a.ListUserTypes, "user.types", api.GET, "/users/types", 200, readUsers, "List the types of users", listUserTypes).InData().IsCompressed(),
		api.Op(&a.ListGenders, "user.genders", api.GET, "/users/genders", 200, readUsers, "List the genders", listGenders).InData().IsCompressed(),
		api.Op(&a.GetUser, "user.get", api.GET, "/users/{userId}", 200, readUsers, "Read one user", getUser).InData().IsCompressed(),
	}
}

// Places are what the paths of the area name.
func (s *Service) Places() []api.Place {
	return []api.Place{
		{Path: "/agencies/{agencyId}", Exists: exists(findAgency)},
		{Path: "/configs/listes/{listeId}", Exists: exists(findList)},
		{Path: "/criterias/product/{criteriaId}", Exists: criterionExists},
		{Path: "/users/{userId}", Exists: exists(findUser)},
	}
}

// exists is the Exists of what a view of the site holds.
func exists[ID ~int64, T any](find func(api.Caller, ID) (T, error)) func(context.Context, api.Caller, []string) error {
	return api.ByID(func(_ context.Context, c api.Caller, ids []int64) error {
		_, err := find(c, ID(ids[0]))
		return err
	})
}

func criterionExists(_ context.Context, c api.Caller, names []string) error {
	_, err := findCriterion(c, names[0])
	return err
}
