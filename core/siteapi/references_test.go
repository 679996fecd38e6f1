package siteapi_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// lasting are the fields of answers that name what is never gone while the record is
// there, each with the reason.
var lasting = map[string]string{
	"agency_id": "agencies stay", "agency_ids": "agencies stay", "site_id": "sites stay",
	"user_id": "users stay, active or not", "user_ids": "users stay, active or not", "booking_id": "bookings stay", "lead_id": "leads stay",
	"permanence_id": "of a permanence that was just read", "action_id": "types of action stay", "child_action_id": "types of action stay",
	"gender_id": "a list of ours", "type_id": "a list of ours", "group_id": "groups stay", "parent_id of Category": "always null",
	"hook_id": "rejections and deliveries go with the webhook", "auth_id": "a configuration in use is not deleted",
	"resource_id": "tells what happened, to what is gone as well", "event_id": "tells what happened",
	"missed_after_event_id": "of an event", "first_event_id": "of an event", "last_event_id": "of an event",
	"webhook_id": "an id of the message", "delivery_id": "tells what was just made", "last_id": "of an event", "client_id": "a name of the receiver's",
	"request_id": "tells what happened", "last_request_id": "tells what happened", "client_request_id": "an id of the sender's",
	"external_id": "an id of the sender's", "duplicate_of": "always null",
	"parent_id of ProductFields":   "the catalogue knows which parents are there",
	"customer_id of SearchRequest": "goes with the customer", "customer_id of FollowUp": "goes with the customer",
	"customer_id of Matching": "of a search request that is there", "search_id of MatchingSearch": "the catalogue knows which are there",
	"product_id of MatchingProduct": "of a product that was just read", "product_id of Mandate": "of a product that was just read",
	"sale_offer_id": "an offer with an agreement is no draft, and only drafts are deleted", "sale_agreement_id": "whoever deletes the agreement changes the offer",
	"condition_id": "of a condition of the record itself", "customer_id of Notification": "a buyer of what is signed is not deleted",
	"customer_ids of Mandate": "the customer themselves", "customer_id of Mention": "of a customer who was just read",
}

// Whoever adds a field that names a record says what becomes of it when that record
// is gone: with the tag ref, or here.
func TestFieldsThatNameRecordsSayWhichOrWhyTheyStay(t *testing.T) {
	used := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		if seen[of] {
			return
		}
		seen[of] = true
		if of.Implements(reflect.TypeFor[listing.Lazy]()) {
			walk(reflect.New(of).Interface().(listing.Lazy).Elem())
			return
		}
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(of.Elem())
		case reflect.Struct:
			for i := range of.NumField() {
				f := of.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				_, tagged := f.Tag.Lookup("ref")
				switch here := name + " of " + of.Name(); {
				case tagged, !strings.HasSuffix(name, "_id") && !strings.HasSuffix(name, "_ids") && name != "duplicate_of":
				case lasting[here] != "":
					used[here] = true
				case lasting[name] != "":
					used[name] = true
				default:
					t.Errorf("%s.%s names a record: tag it with ref, or say why that is never gone", of, f.Name)
				}
				walk(f.Type)
			}
		default:
		}
	}
	for _, o := range apitest.New(t).Operations() {
		walk(o.Out)
	}
	for _, name := range slices.Sorted(maps.Keys(lasting)) {
		if !used[name] {
			t.Errorf("no answer has %s any more", name)
		}
	}
}
