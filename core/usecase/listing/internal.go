package listing

import (
	"reflect"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// InternalFields are what a record says of a product that is for its agency
// alone. All of them can be null, and are for credentials that only feed
// websites. What is added here is neither filtered nor sorted by for them.
type InternalFields struct {
	CustomerID       *int64       `json:"customer_id" ref:"customer" doc:"owner; this and the four that follow are null for credentials that only feed websites"`
	SellerStatistics *bool        `json:"seller_statistics"`
	NextContact      *string      `json:"next_contact" format:"date"`
	Color            *int         `json:"color" minimum:"1" maximum:"5"`
	SyncErrors       *[]SyncError `json:"sync_errors" doc:"rejections by webhook receivers"`
}

// InternalNames returns the names of the internal fields.
func InternalNames() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[InternalFields]()) {
		names = append(names, f.Tag.Get("json"))
	}
	return names
}

// InternalBlocks returns the names of the blocks about people and dealings, which are
// refused to credentials that only feed websites.
func InternalBlocks() []string { return personal.Names() }

// internalFilters are the filters of a search by an internal field.
var internalFilters = func() (filters []reflect.StructField) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[ProductFilters]()) {
		if slices.Contains(InternalNames(), f.Tag.Get("json")) {
			filters = append(filters, f)
		}
	}
	return filters
}()

// checkFilters refuses a filter by an internal field: what it finds would tell.
func checkFilters(c kernel.Caller, in ProductFilters) error {
	if !c.IsPublic() {
		return nil
	}
	for _, f := range internalFilters {
		filter := reflect.ValueOf(in).FieldByIndex(f.Index).Interface()
		if filter, optional := filter.(interface{ Given() bool }); optional && !filter.Given() {
			continue
		}
		return &fault.Error{
			Kind: fault.Forbidden, Code: fault.CodeFilterNotAllowed,
			Message: fault.Textf("this filter needs one of the packs: %s", kernel.AgencyPacks),
			Details: []fault.Detail{{Field: f.Tag.Get("json"), Code: fault.CodeFilterNotAllowed, Message: fault.Textf("not allowed for this credential")}},
		}
	}
	return nil
}
