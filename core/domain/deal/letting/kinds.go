package letting

import (
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Type is the kind of contract, and with it the law that it follows.
type Type string

// The types.
const (
	Unfurnished  Type = "VIDE"
	Furnished    Type = "MEUBLE"
	Student      Type = "ETUDIANT"
	Mobility     Type = "MOBILITE"
	Seasonal     Type = "SAISONNIER"
	Professional Type = "PROFESSIONNEL"
	Commercial   Type = "COMMERCIAL"
	ShortTerm    Type = "DEROGATOIRE"
	Parking      Type = "PARKING"
	CivilCode    Type = "CODE_CIVIL"
)

// Index is what rents are revised by.
type Index string

// The indices of INSEE: of rents of dwellings, of shops, and of offices.
const (
	IRL  Index = "IRL"
	ILC  Index = "ILC"
	ILAT Index = "ILAT"
)

// Territory is where a value of an index holds: the law bounds the IRL otherwise
// overseas and in Corsica (loi 2022-1158 art. 12).
type Territory string

// The territories.
const (
	Mainland Territory = "METROPOLE"
	Overseas Territory = "OUTRE_MER"
	Corsica  Territory = "CORSE"
)

// Territories lists them.
func Territories() []Territory { return []Territory{Mainland, Overseas, Corsica} }

// TerritoryOf returns where a home with a French postal code is; the mainland where it
// says nothing.
func TerritoryOf(postalCode string) Territory {
	switch {
	case len(postalCode) != 5:
	case strings.HasPrefix(postalCode, "97"), strings.HasPrefix(postalCode, "98"):
		return Overseas
	case strings.HasPrefix(postalCode, "20"):
		return Corsica
	}
	return Mainland
}

// HasTerritories reports whether the index has a value for each territory in a
// quarter. Any other value holds everywhere.
func (i Index) HasTerritories(q Quarter) bool { return i == IRL && q >= territoriesSince }

// territoriesSince is 2022-T3.
const territoriesSince Quarter = 2022*4 + 2

// Indices lists them.
func Indices() []Index { return []Index{IRL, ILC, ILAT} }

// end is what happens at the end of a term.
type end uint8

const (
	// ends: the lease is over.
	ends end = iota
	// renews: another term begins.
	renews
	// goesOn: the lease goes on without a term.
	goesOn
)

// kind is what the law says of a type.
type kind struct {
	typ Type
	law fault.Text
	// least and most are bounds of the duration in months; 0 is none. A type with
	// neither is for as long as its last day says.
	least, most int
	// days bounds a type that is counted in days.
	days int
	// dwelling types are those of loi 89-462 whose tenants have their fees capped.
	dwelling bool
	// deposit is how many rents it may be at most; -1 is any number.
	deposit int
	indices []Index
	// tenant and landlord are months of notice; 0 is that they can give none.
	tenant, landlord int
	end              end
	// renewal is how long another term is; 0 is as long as the first.
	renewal int
}

// longTerm is how long an unfurnished dwelling is let by a company, in months.
const longTerm = 72

var kinds = []kind{
	{typ: Unfurnished, law: fault.Verbatim("loi 89-462 art. 10, 15, 22"), least: 36, dwelling: true, deposit: 1, indices: []Index{IRL}, tenant: 3, landlord: 6, end: renews, renewal: 36},
	{typ: Furnished, law: fault.Textf("loi 89-462 art. 25-6 to 25-8"), least: 12, dwelling: true, deposit: 2, indices: []Index{IRL}, tenant: 1, landlord: 3, end: renews, renewal: 12},
	{typ: Student, law: fault.Verbatim("loi 89-462 art. 25-7"), least: 9, most: 9, dwelling: true, deposit: 2, indices: []Index{IRL}, tenant: 1},
	{typ: Mobility, law: fault.Textf("loi 89-462 art. 25-12 to 25-18"), least: 1, most: 10, dwelling: true, tenant: 1},
	{typ: Seasonal, law: fault.Verbatim("loi Hoguet art. 1-1"), days: 90, deposit: -1},
	{typ: Professional, law: fault.Verbatim("loi 86-1290 art. 57 A"), least: 72, deposit: -1, indices: []Index{ILAT, ILC}, tenant: 6, landlord: 6, end: renews},
	{typ: Commercial, law: fault.Verbatim("Code de commerce L145-4, L145-9"), least: 108, deposit: -1, indices: []Index{ILC, ILAT}, tenant: 6, landlord: 6, end: goesOn},
	{typ: ShortTerm, law: fault.Verbatim("Code de commerce L145-5"), least: 1, most: 36, deposit: -1, indices: []Index{ILC, ILAT}},
	{typ: Parking, law: fault.Verbatim("Code civil 1709, 1736"), deposit: -1, indices: []Index{IRL, ILC, ILAT}, tenant: 1, landlord: 1},
	{typ: CivilCode, law: fault.Verbatim("Code civil 1709, 1736"), deposit: -1, indices: []Index{IRL, ILC, ILAT}, tenant: 1, landlord: 1},
}

// Types lists the types.
func Types() []Type {
	types := make([]Type, len(kinds))
	for n, k := range kinds {
		types[n] = k.typ
	}
	return types
}

// kind returns what the law says; that of no type is nothing.
func (t Type) kind() kind {
	n := slices.IndexFunc(kinds, func(k kind) bool { return k.typ == t })
	if n < 0 {
		return kind{}
	}
	return kinds[n]
}

// Law names what the rules of the type follow from.
func (t Type) Law() string { return t.kind().law.String() }

// hasDuration reports whether the type is for a number of months.
func (k kind) hasDuration() bool { return k.least > 0 }

// OneMonthReasons returns why tenants of unfurnished dwellings may leave after one
// month (loi 89-462 art. 15 I).
func OneMonthReasons() []string {
	return []string{
		"ZONE_TENDUE", "PREMIER_EMPLOI", "MUTATION", "PERTE_EMPLOI", "NOUVEL_EMPLOI", "SANTE", "VIOLENCES", "RSA_AAH", "LOGEMENT_SOCIAL",
	}
}

// LandlordReasons returns why landlords of dwellings may end a lease.
func LandlordReasons() []string { return []string{"REPRISE", "VENTE", "MOTIF_LEGITIME"} }

// Zones lists how tight the market can be.
func Zones() []money.Zone { return []money.Zone{money.VeryTight, money.Tight, money.OtherZone} }
