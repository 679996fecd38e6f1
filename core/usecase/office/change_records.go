package office

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// SiteSettings is what can be changed of a site.
type SiteSettings struct {
	Name             string `trace:"keep"`
	DefaultStatus    string `trace:"keep"`
	Timezone         string `trace:"keep"`
	Currency         string `trace:"keep"`
	Country          string `trace:"keep"`
	Language         string `trace:"keep"`
	ReferencePattern string `trace:"keep"`
	// EnergyScales are the names of the scales of energy letters; none means the
	// usual ones.
	EnergyScales []string `trace:"keep"`
	// Version is the revision of everything about the site that changes rarely.
	Version kernel.Version
}

// ChangeSettings changes settings of a site: only what is given changes.
type ChangeSettings struct {
	IfMatch kernel.IfMatch
	Name    opt.Field[string]
	// DefaultStatus is an active code of Statut, Timezone an IANA name, Currency and
	// Country are codes of ISO 4217 and 3166, Language is one of ISO 639-1.
	DefaultStatus, Timezone, Currency, Country, Language opt.Field[string]
	// ReferencePattern forms references from {agency} and {number}.
	ReferencePattern opt.Field[string]
	// EnergyScales are names that package energy knows; none means the usual ones.
	EnergyScales opt.Field[[]string]
}

// ChangeCriterionValues changes the referential of a criterion, named by key or
// numeric id.
type ChangeCriterionValues struct {
	IfMatch  kernel.IfMatch
	Criteria string
	// Values are all of the referential's, in the order they are to have.
	Values []ValueChange
}

// ChangeListValues changes the values of a list.
type ChangeListValues struct {
	IfMatch kernel.IfMatch
	List    int64
	// Values are all of the list's, in the order they are to have.
	Values []ValueChange
}

// ValueChange changes one value of a referential or list; what is absent stays. Model
// is its code, which never changes, since records hold it.
type ValueChange struct {
	Model    string
	Label    opt.Field[string]
	IsActive opt.Field[bool]
}
