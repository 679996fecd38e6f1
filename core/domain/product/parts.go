package product

import (
	"slices"
	"strings"
)

// Parts is a set of fetch values: what a read hydrates besides the base fields.
type Parts uint32

// The fetch values of the contract.
const (
	TextCriteria Parts = 1 << iota
	NumberCriteria
	FullTextCriteria
	FlagCriteria
	PublicationErrors
	Descriptions
	Rooms
	Photos
	Owner
	AssignedTo
	CreatedBy
	Publications
	ActionsHistory
	SaleAgreement
	ActiveSaleAgreement
	LogActions
	LiveVisit
	Scopes
	Statistic
	INSEE
	OnlineBooking
	Category
	Themes
	AllParts = 1<<iota - 1
)

var partNames = []string{
	"criteres_text", "criteres_number", "criteres_fulltext", "criteres_flag", "criteres_publication_errors",
	"descriptions", "rooms", "products_photos", "customer", "assigned_to", "created_by", "publications",
	"actions_history", "sale_agreement", "active_sale_agreement", "log_actions", "live_visit", "scopes",
	"statistic", "insee", "online_booking", "category", "themes",
}

// PartNames lists the fetch values in the contract's order.
func PartNames() []string { return slices.Clone(partNames) }

// Has reports whether all of the parts are in the set.
func (p Parts) Has(q Parts) bool { return p&q == q }

// Names lists the parts of the set.
func (p Parts) Names() []string {
	var names []string
	for i, name := range partNames {
		if p.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// ParseParts reads a fetch parameter: values separated by commas, spaces
// around them and repetitions allowed. It returns the first unknown value, or
// "".
func ParseParts(fetch string) (parts Parts, unknown string) {
	for _, name := range strings.Split(fetch, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		i := slices.Index(partNames, name)
		if i < 0 {
			return 0, name
		}
		parts |= 1 << i
	}
	return parts, ""
}
