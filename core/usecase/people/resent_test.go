package people_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// enquiry is a lead as it is sent, in words that tell leads apart. What is empty is
// left out.
type enquiry struct {
	email, phone, origin, message, metadata string
	// street makes it a seller's; home is the product that a buyer asks about.
	street string
	home   int64
}

// same is what two enquiries must have in common, beside a way to reach somebody.
func (e enquiry) same() string {
	return fmt.Sprintf("%s %d %s", strings.ToLower(e.street), e.home, e.origin)
}

// ways are the ways to reach whoever enquires, as they are compared.
func (e enquiry) ways() (ways []string) {
	if e.email != "" {
		ways = append(ways, strings.ToLower(e.email))
	}
	if e.phone != "" {
		ways = append(ways, "+33"+strings.TrimPrefix(strings.ReplaceAll(e.phone, " ", ""), "0"))
	}
	return ways
}

func (e enquiry) common() (in people.LeadInput) {
	field := func(text string) opt.Field[string] {
		if text == "" {
			return opt.Field[string]{}
		}
		return opt.Of(text)
	}
	in.AgencyID, in.Origin = opt.Of(int64(11)), field(e.origin)
	in.Email, in.Phone, in.Message = field(e.email), field(e.phone), field(e.message)
	if e.metadata != "" {
		text := `"` + e.metadata + `":1`
		in.Metadata = opt.Of(kernel.Object{Text: "{" + text + "}", Members: []kernel.Member{{Name: e.metadata, Text: text}}})
	}
	return in
}

func (e enquiry) send(w *world) (people.CreatedLead, error) {
	c := w.As("full", 1)
	if e.home != 0 {
		return w.People.CreateBuyerLead(w.T.Context(), c, people.CreateBuyerLead{LeadInput: e.common(), ProductID: opt.Of(e.home)})
	}
	in := people.CreateSellerLead{LeadInput: e.common()}
	if strings.HasPrefix(e.street, "1") {
		in.Address = opt.Of(e.street)
	} else {
		in.Criteria = opt.Of([]product.CriterionInput{{ID: criteria.KeyAddress, Value: criteria.Raw{V: e.street}}})
	}
	return w.People.CreateSellerLead(w.T.Context(), c, in)
}

// received is a lead in the model: when it came, how its sender can be reached, and
// what they said.
type received struct {
	id                       int64
	at                       time.Time
	ways, messages, metadata map[string]bool
}

// inbox is the model of leads: which one each way to reach somebody stands for, who
// spoke of the same.
type inbox map[string]map[string]*received

// receive is the lead that an enquiry is, whether it comes for the first time, and
// whether it says anything new.
func (b inbox) receive(e enquiry, now time.Time) (it *received, first, news bool) {
	if b[e.same()] == nil {
		b[e.same()] = map[string]*received{}
	}
	known := b[e.same()]
	recent := func(l *received) bool { return l != nil && now.Sub(l.at) <= 24*time.Hour }
	for _, way := range e.ways() {
		if l := known[way]; recent(l) && (it == nil || l.id < it.id) {
			it = l
		}
	}
	if first = it == nil; first {
		it = &received{at: now, ways: map[string]bool{}, messages: map[string]bool{}, metadata: map[string]bool{}}
	}
	note := func(said map[string]bool, what string) {
		if what != "" && !said[what] {
			said[what], news = true, true
		}
	}
	for _, way := range e.ways() {
		note(it.ways, way)
		if !recent(known[way]) {
			known[way] = it
		}
	}
	note(it.messages, e.message)
	note(it.metadata, e.metadata)
	return it, first, news
}

func TestO11_LeadsFollowTheModel(t *testing.T) {
	w := newWorld(t)
	home, other := w.CreateProduct(), w.CreateProduct()
	cases := 0
	rapid.Check(t, func(t *rapid.T) {
		cases++
		of := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
		model := inbox{}
		for range rapid.IntRange(1, 12).Draw(t, "enquiries") {
			n := func(text string) string { // everybody is somebody else in the next case
				if text == "" {
					return ""
				}
				return fmt.Sprintf(text, cases)
			}
			e := enquiry{
				email: n(of("email", "", "a%d@example.com", "A%d@example.com", "b%d@example.com")), phone: n(of("phone", "", "06%08d", "06 %08d", "07%08d")),
				origin: of("origin", "", "", "", "PORTAIL"), message: of("message", "", "One.", "Two."), metadata: of("metadata", "", "a", "b"),
			}
			if e.email+e.phone == "" {
				e.email = n("a%d@example.com")
			}
			switch rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2, 3, 4}).Draw(t, "about") {
			case 0, 1:
				e.home = home
			case 2:
				e.home = other
			case 3:
				e.street = of("street", "1 rue", "1 RUE", "12 rue")
			case 4:
				e.street = of("street", "rue", "RUE")
			}
			w.Clock.Advance(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 1, 11, 24, 25}).Draw(t, "hours")) * time.Hour)
			seq := w.Seq(1)
			got, err := e.send(w)
			if err != nil {
				t.Fatal(err)
			}
			want, first, news := model.receive(e, w.Clock.Now())
			if first {
				want.id = got.ID
			}
			if got.ID != want.id || (got.DuplicateLead == "true") == first {
				t.Fatalf("%+v is lead %d (%q), want %d", e, got.ID, got.DuplicateLead, want.id)
			}
			told := w.Events(1, seq)
			switch {
			case first && (len(told) == 0 || told[len(told)-1] != "LEAD_CREATE"),
				!first && news && !slices.Equal(told, []string{"LEAD_UPDATE"}),
				!first && !news && len(told) > 0:
				t.Fatalf("%+v, new %t, tells of %v", e, first, told)
			}
			w.holds(t, want)
		}
	})
}

// holds demands that a lead has all that was said.
func (w *world) holds(t *rapid.T, want *received) {
	got, err := w.People.GetLead(w.T.Context(), w.As("full", 1), people.LeadPath{ID: want.id})
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]bool{}
	for _, email := range append(got.OtherEmails, or(got.Email)) {
		for _, way := range (enquiry{email: email}).ways() {
			ways[way] = true
		}
	}
	for _, number := range append(got.OtherPhones, or(got.Phone)) {
		for _, way := range (enquiry{phone: number}).ways() {
			ways[way] = true
		}
	}
	if !maps.Equal(ways, want.ways) {
		t.Fatalf("lead %d can be reached by %v, want %v", want.id, ways, want.ways)
	}
	var messages []string
	if said := or(got.Message); said != "" {
		messages = strings.Split(said, "\n\n")
	}
	if slices.Sort(messages); !slices.Equal(messages, slices.Sorted(maps.Keys(want.messages))) {
		t.Fatalf("lead %d says %q, want %v", want.id, messages, want.messages)
	}
	for name := range want.metadata {
		if strings.Count(got.Metadata.Text, `"`+name+`":1`) != 1 {
			t.Fatalf("lead %d has the metadata %s, want %v", want.id, got.Metadata.Text, want.metadata)
		}
	}
}

func or(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
