package openapi

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// limits returns the constants by which the core judges how long a field of a request
// is. Tags of such fields name them.
func limits() map[string]int {
	return map[string]int{
		"agreement.MaxConditions": agreement.MaxConditions, "agreement.MaxCommissions": agreement.MaxCommissions,
		"agenda.MaxBookable": agenda.MaxBookable, "agenda.MaxListedUsers": agenda.MaxListedUsers,
		"planning.MaxAttendees": planning.MaxAttendees, "planning.MaxExcept": planning.MaxExcept, "planning.MaxLocation": planning.MaxLocation,
		"planning.MaxProducts": planning.MaxProducts, "planning.MaxReminders": planning.MaxReminders, "planning.MaxTitle": planning.MaxTitle,
		"kernel.MaxPageIDs": kernel.MaxPageIDs, "kernel.MaxText": kernel.MaxText,
		"criteria.MaxConditions": criteria.MaxConditions,
		"customer.MaxContacts":   customer.MaxContacts, "customer.MaxNumber": customer.MaxNumber,
		"customer.MaxPostalCode": customer.MaxPostalCode, "customer.MaxRelated": customer.MaxRelated,
		"deals.MaxItems": deals.MaxItems, "deals.MaxPercents": deals.MaxPercents,
		"demand.MaxAreas": demand.MaxAreas, "demand.MaxKeyPoints": demand.MaxKeyPoints, "demand.MaxPropertyTypes": demand.MaxPropertyTypes,
		"form.MaxComment": form.MaxComment, "form.MaxName": form.MaxName,
		"hooks.MaxSecret":   hooks.MaxSecret,
		"listing.MaxBounds": listing.MaxBounds, "listing.MaxFacets": listing.MaxFacets, "listing.MaxResult": listing.MaxResult,
		"form.MaxURL":         form.MaxURL,
		"offer.MaxConditions": offer.MaxConditions, "offer.MaxParties": offer.MaxParties,
		"people.MaxCountry": people.MaxCountry, "demand.MaxMetadata": demand.MaxMetadata, "people.MaxOffered": people.MaxOffered,
		"product.MaxCriteria": product.MaxCriteria, "product.MaxDescriptions": product.MaxDescriptions, "product.MaxRooms": product.MaxRooms,
		"product.MaxShortText": product.MaxShortText, "product.MaxText": product.MaxText,
		"slot.MaxDays": slot.MaxDays, "slot.MaxExceptions": slot.MaxExceptions, "slot.MaxPatterns": slot.MaxPatterns, "slot.MaxPeriods": slot.MaxPeriods,
		"slot.MaxImported":   slot.MaxImported,
		"webhook.MaxHeaders": webhook.MaxHeaders, "webhook.MaxURL": webhook.MaxURL,
	}
}

// limit says of a schema how long its values may be: texts in characters, arrays in
// items, objects in members.
func limit(schema object, most int) {
	switch kind(schema) {
	case "string":
		schema["maxLength"] = most
	case "array":
		schema["maxItems"] = most
	case "object":
		schema["maxProperties"] = most
	}
	choices, _ := schema["oneOf"].([]object)
	for _, choice := range choices {
		if kind(choice) != "string" {
			limit(choice, most)
		}
	}
}

// kind returns the type of a schema, null aside.
func kind(schema object) string {
	name, _ := valueOf(schema)["type"].(string)
	return name
}
