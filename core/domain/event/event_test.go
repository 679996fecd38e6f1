package event_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/event"
)

func TestEventsAreNamedResourceAction(t *testing.T) {
	form := regexp.MustCompile(`^[A-Z]+_(CREATE|UPDATE|DELETE)$`)
	seen := map[event.Type]bool{}
	for _, kind := range event.Types() {
		if !form.MatchString(string(kind)) || seen[kind] {
			t.Errorf("%s is not RESOURCE_ACTION with a resource of one word, or listed twice", kind)
		}
		seen[kind] = true
		parsed, ok := event.Parse(string(kind))
		if !ok || parsed != kind {
			t.Errorf("%s parses as %q, %t", kind, parsed, ok)
		}
		if action := strings.TrimPrefix(string(kind), kind.Resource()+"_"); action == string(kind) {
			t.Errorf("the resource of %s is not %s", kind, kind.Resource())
		}
	}
	for _, named := range []event.Type{"CUSTOMER_CREATE", "CUSTOMER_UPDATE", "PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"} {
		if !seen[named] {
			t.Errorf("the contract names %s", named)
		}
	}
}

func TestW9_OnlyUpperCaseNamesAreEvents(t *testing.T) {
	for _, name := range []string{
		"", "PRODUCT", "PRODUCT_", "product.update", "PRODUCT.UPDATE", "product_update", "Product_Update", " PRODUCT_UPDATE",
		"PRODUCT_UPDATE ", "PRODUCT_UPDATED", "HOOK_TEST", "*",
	} {
		if kind, ok := event.Parse(name); ok {
			t.Errorf("%q is read as the event %s", name, kind)
		}
	}
}

func TestResourceIsTheFirstWord(t *testing.T) {
	for kind, want := range map[event.Type]string{
		event.ProductUpdate: "PRODUCT", event.CustomerDelete: "CUSTOMER", "APPOINTMENT_CREATE": "APPOINTMENT", "": "",
	} {
		if got := kind.Resource(); got != want {
			t.Errorf("the resource of %q is %q, not %q", kind, got, want)
		}
	}
}

func TestTheKindOfWhatAnEventIsAbout(t *testing.T) {
	for _, c := range []struct {
		kind          event.Type
		subject, want string
	}{
		{event.ProductUpdate, "", "PRODUCT"}, {event.FollowUpDelete, "", "FOLLOWUP"},
		{event.ActionCreate, "PRODUCT", "PRODUCT"}, {event.ActionCreate, "CUSTOMER", "CUSTOMER"}, {event.ActionCreate, "", ""},
	} {
		if got := event.KindOf(c.kind, c.subject); got != c.want {
			t.Errorf("%s with the subject %q is about a %q, not a %q", c.kind, c.subject, got, c.want)
		}
	}
}

// The ledger is kept for long and told to many: it holds ids, and words of closed
// sets. Values alone may be about people, and is never told with the rest; see
// port.EventQuery.
func TestAnEventSaysNothingAboutAnybody(t *testing.T) {
	var fields []string
	for field := range reflect.TypeFor[event.Event]().Fields() {
		fields = append(fields, field.Name+" "+field.Type.Kind().String())
	}
	if got, want := strings.Join(fields, ", "), "Site int64, Seq int64, Type string, Resource int64, Subject string, Agency int64, At struct, Changed string, By string, Request string, Values string"; got != want {
		t.Errorf("an event holds %s, want %s", got, want)
	}
}
