// Package site knows who owns what: a Site groups agencies, an Agency employs
// users, and a Scope is the set of agencies a token reaches.
package site

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// ID identifies a site.
type ID int64

// AgencyID identifies an agency, which the contract also calls a manufacturer.
type AgencyID int64

// UserID identifies an agent or collaborator of an agency.
type UserID int64

// Site is a tenant: a network, a franchise, or one agency.
type Site struct {
	ID       ID
	Name     string
	Disabled bool
	Settings Settings
	// Agencies is the manufacturers_list: the agencies a token of this site
	// reaches, in ascending order. An agency that has left the network stays in
	// the store but not in this list.
	Agencies []AgencyID
	// Groups are the teams of its users.
	Groups []Group
}

// Settings are a site's choices that change how its requests are understood.
type Settings struct {
	// DefaultStatus is the Statut of a product created without one.
	DefaultStatus string
	// TimeZone is an IANA name; dates sent without an offset are read in it.
	TimeZone string
	// Currency is an ISO 4217 code.
	Currency string
	// Country is an ISO 3166 code, the country of products that state none.
	Country string
	// Language is the main language, in which titles are shown.
	Language string
	// ReferencePattern forms generated product references from {agency} and
	// {number}.
	ReferencePattern string
	// EnergyScales are the names of the scales that energy letters are read off,
	// as package energy knows them; none means the usual ones.
	EnergyScales []string
	// Indices are the published values of the indices that rents follow, by index
	// and quarter.
	Indices []IndexValue
	// FeeCaps are what tenants can be asked for at most, by the day from which on;
	// none means those of French law.
	FeeCaps []FeeCap
}

// IndexValue is what an index was in a quarter.
type IndexValue struct {
	Index string
	// Quarter is written 2025-T3.
	Quarter string
	// Territory is where it holds, of an index that has territories; empty for the
	// mainland.
	Territory string `json:",omitempty"`
	Value     float64
	// Published is a day, YYYY-MM-DD; empty where nobody says.
	Published string
}

// FeeCap is what tenants can be asked for at most from a day on, in the site's
// currency per m².
type FeeCap struct {
	// From is a day, YYYY-MM-DD.
	From string
	// VeryTight, Tight and Other are for visits, file and lease, by how tight the
	// market is; Inventory is for the inventory.
	VeryTight, Tight, Other, Inventory float64
}

// WithDefaults fills in what is empty.
func (s Settings) WithDefaults() Settings {
	fill := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	fill(&s.DefaultStatus, criteria.StatusActive)
	fill(&s.TimeZone, "Europe/Paris")
	fill(&s.Currency, "EUR")
	fill(&s.Country, "FR")
	fill(&s.Language, "fr")
	fill(&s.ReferencePattern, "{agency}-{number}")
	return s
}

// Scope is the set of agencies a token reaches: its site's manufacturers list,
// evaluated anew at each request.
type Scope struct {
	agencies []AgencyID
}

// Scope returns what a token of this site reaches.
func (s Site) Scope() Scope {
	agencies := slices.Clone(s.Agencies)
	slices.Sort(agencies)
	return Scope{slices.Compact(agencies)}
}

// NewScope makes a scope of the given agencies.
func NewScope(agencies ...AgencyID) Scope { return Site{Agencies: agencies}.Scope() }

// Has reports whether the agency is in scope.
func (s Scope) Has(agency AgencyID) bool {
	_, found := slices.BinarySearch(s.agencies, agency)
	return found
}

// Agencies lists the scope in ascending order.
func (s Scope) Agencies() []AgencyID { return slices.Clone(s.agencies) }

// Only returns the single agency of the scope, if it has exactly one.
func (s Scope) Only() (AgencyID, bool) {
	if len(s.agencies) != 1 {
		return 0, false
	}
	return s.agencies[0], true
}

// Empty reports whether the scope reaches no agency.
func (s Scope) Empty() bool { return len(s.agencies) == 0 }

// Agency is an office of a site (contract: AgencyFullResponse).
type Agency struct {
	ID                                    AgencyID
	Site                                  ID
	Name, LegalName                       string
	Address, PostalCode, City, Country    string
	Email, Phone                          string
	SIREN, SIRET                          string
	Latitude, Longitude                   *float64
	LogoURL, Website                      string
	Active                                bool
	VATNumber, RCS, Capital, LegalForm    string
	Card                                  ProfessionalCard
	Guarantee                             Guarantee
	Insurance                             Insurance
	Mediator                              Mediator
	FeesScheduleURL, Network, Description string
	// TimeZone is an IANA name; empty where it is the site's.
	TimeZone        string
	OpeningHours    []OpeningHours
	Languages       []string
	Added, Modified time.Time
}

// ProfessionalCard is the "carte professionnelle" of the loi Hoguet. Mentions
// are T (transaction), G (management) and S (syndic).
type ProfessionalCard struct {
	Number     string
	Mentions   []string
	IssuedBy   string
	ValidUntil string
}

// Guarantee is the financial guarantee; Amount is in the site's currency.
type Guarantee struct {
	Provider string
	Amount   float64
}

// Insurance is the professional liability insurance.
type Insurance struct{ Provider, Policy string }

// Mediator is the consumer mediator the agency answers to.
type Mediator struct{ Name, URL string }

// OpeningHours is one opening of one weekday (1 is Monday), as "09:00".
type OpeningHours struct {
	Weekday     int
	Open, Close string
}

// User is an agent or collaborator.
type User struct {
	ID                   UserID
	Site                 ID
	Agency               AgencyID
	Firstname, Lastname  string
	Email, Phone, Mobile string
	JobTitle, PhotoURL   string
	Languages            []string
	// StatusKind is one of StatusKinds; empty where nobody says.
	StatusKind                    string
	RSAC, SIRET, ProfessionalCard string
	Active, WebVisible            bool
	Biography, Zone               string
	// Group is one of the site's groups, Type and Gender are ids of UserTypes and
	// Genders; 0 is none.
	Group, Type, Gender int64
	Added, Modified     time.Time
}

// Same reports whether two states of an agency show no difference but their
// times.
func (a Agency) Same(b Agency) bool {
	a.Added, a.Modified = b.Added, b.Modified
	return reflect.DeepEqual(a, b)
}

// Same reports whether two states of a user show no difference but their times.
func (u User) Same(v User) bool {
	u.Added, u.Modified = v.Added, v.Modified
	return reflect.DeepEqual(u, v)
}

// Group is a team of users, of the site or of one agency.
type Group struct {
	ID     int64
	Name   string
	Agency AgencyID // 0: of the whole site
}

// Label is an entry of a fixed list.
type Label struct {
	ID          int64
	Code, Label string
}

// UserTypes lists what users can be.
func UserTypes() []Label {
	return []Label{
		{1, "DIRECTEUR", "Directeur"}, {2, "NEGOCIATEUR", "Négociateur"}, {3, "ASSISTANT", "Assistant"},
		{4, "GESTIONNAIRE", "Gestionnaire"}, {5, "RESEAU", "Réseau"},
	}
}

// StatusKinds lists the positions that users have by law.
func StatusKinds() []string { return []string{"SALARIE", "AGENT_COMMERCIAL", "DIRIGEANT"} }

// Genders lists the genders of users and customers.
func Genders() []Label {
	return []Label{{1, "M", "Masculin"}, {2, "F", "Féminin"}, {3, "N", "Non précisé"}}
}

// FullName is "firstname lastname".
func (u User) FullName() string { return strings.TrimSpace(u.Firstname + " " + u.Lastname) }
