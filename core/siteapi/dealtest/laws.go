package dealtest

import (
	stdcmp "cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// Broken returns which law a step broke, or "".
func (p *Play) Broken(before, after State, s Step, out Outcome) string {
	if out.Err != nil {
		if diff := Difference(before, after); diff != "" {
			return "it was refused, and changed something:\n" + diff
		}
	}
	for _, law := range []func(State, State, Step) string{p.events, p.transitions, p.statuses, p.followed} {
		if why := law(before, after, s); why != "" {
			return why
		}
	}
	return p.Stands(after)
}

// Difference returns the difference between two states.
func Difference(one, other State) string { return cmp.Diff(one, other, cmpopts.EquateEmpty()) }

// Stands returns which law a state breaks, or "".
func (p *Play) Stands(s State) string {
	for _, law := range []func(State) string{p.oneBuyer, p.oneTenant, p.present, p.numbers, p.versions, p.foreseen, p.found} {
		if why := law(s); why != "" {
			return why
		}
	}
	return ""
}

// oneBuyer: a product has one live agreement and one accepted offer, which are
// about the same.
func (p *Play) oneBuyer(s State) string {
	live := map[product.ID]agreement.Agreement{}
	for _, a := range inOrder(s.Agreements) {
		if a = a.At(p.Clock.Now(), p.zone()); !a.Live() {
			continue
		}
		if other, taken := live[a.Product]; taken {
			return fmt.Sprintf("product %d has the live agreements %s and %s", a.Product, other.Number, a.Number)
		}
		live[a.Product] = a
	}
	accepted := map[product.ID]offer.Offer{}
	for _, o := range inOrder(s.Offers) {
		if o.Status != offer.Accepted {
			continue
		}
		if other, taken := accepted[o.Product]; taken {
			return fmt.Sprintf("product %d has the accepted offers %s and %s", o.Product, other.Number, o.Number)
		}
		accepted[o.Product] = o
		if a, taken := live[o.Product]; taken && a.Offer != o.ID {
			return fmt.Sprintf("product %d has the live agreement %s, and the accepted offer %s", o.Product, a.Number, o.Number)
		}
	}
	for _, a := range live {
		if a.Offer != 0 && s.Offers[a.Offer].Status != offer.Accepted {
			return fmt.Sprintf("agreement %s is live, and its offer is %s", a.Number, s.Offers[a.Offer].Status)
		}
	}
	for _, o := range inOrder(s.Offers) {
		latest := agreement.ID(0)
		for _, a := range s.Agreements {
			if a.Offer == o.ID {
				latest = max(latest, a.ID)
			}
		}
		if o.Agreement != latest {
			return fmt.Sprintf("offer %s names the agreement %d, and the latest is %d", o.Number, o.Agreement, latest)
		}
	}
	return ""
}

// oneTenant: no two leases let the same on one day.
func (p *Play) oneTenant(s State) string {
	var binding []letting.Lease
	for _, l := range inOrder(s.Leases) {
		if l = l.At(p.Clock.Now(), p.zone()); !l.Binding() {
			continue
		}
		for _, other := range binding {
			if other.Product == l.Product && other.Overlaps(l) {
				return fmt.Sprintf("the leases %s and %s of product %d have a day in common", other.Number, l.Number, l.Product)
			}
		}
		binding = append(binding, l)
	}
	return ""
}

// present: what binds is about a product that exists, and names customers who do.
func (p *Play) present(s State) string {
	now, zone := p.Clock.Now(), p.zone()
	for kind, binding := range map[string][]product.ID{
		"accepted offer": about(s.Offers, func(o offer.Offer) (product.ID, bool) {
			return o.Product, o.Status == offer.Accepted && !s.completed(o)
		}),
		"live agreement": about(s.Agreements, func(a agreement.Agreement) (product.ID, bool) { return a.Product, a.At(now, zone).Live() }),
		"binding lease":  about(s.Leases, func(l letting.Lease) (product.ID, bool) { return l.Product, l.At(now, zone).Binding() }),
	} {
		for _, id := range binding {
			if _, there := s.Products[id]; !there {
				return fmt.Sprintf("product %d is gone, and there is a %s", id, kind)
			}
		}
	}
	gone := func(parties []customer.ID) bool {
		return slices.ContainsFunc(parties, func(id customer.ID) bool { _, there := s.Customers[id]; return !there })
	}
	for _, o := range s.Offers {
		if gone(o.Parties()) && (o.Status == offer.Draft || o.At(now).Binding()) {
			return fmt.Sprintf("somebody in the offer %s, which is %s, is gone", o.Number, o.Status)
		}
	}
	for _, a := range s.Agreements {
		if gone(a.Parties()) {
			return fmt.Sprintf("somebody in the agreement %s, which is %s, is gone", a.Number, a.Status)
		}
	}
	for _, l := range s.Leases {
		if gone(l.Parties()) {
			return fmt.Sprintf("somebody in the lease %s, which is %s, is gone", l.Number, l.Status)
		}
	}
	return ""
}

// completed reports whether the deed of an offer's agreement was signed.
func (s State) completed(o offer.Offer) bool {
	return o.Agreement != 0 && s.Agreements[o.Agreement].Status == agreement.Completed
}

func about[ID ~int64, T any](records map[ID]T, of func(T) (product.ID, bool)) (all []product.ID) {
	for _, r := range inOrder(records) {
		if id, binds := of(r); binds {
			all = append(all, id)
		}
	}
	return all
}

// found: searches find what has a status now, and nothing else.
func (p *Play) found(s State) string {
	now, zone := p.Clock.Now(), p.zone()
	return stdcmp.Or(
		search(s.Offers, offer.Transitions().Statuses(), func(o offer.Offer) offer.Status { return o.At(now).Status },
			func(f deals.DealFilters) ([]int64, error) {
				page, err := p.deals.SearchOffers(p.T.Context(), p.agents[0], deals.SearchOffers{DealFilters: f})
				return ids(page.Data, func(r dealrecords.SaleOffer) int64 { return r.ID }), err
			}),
		search(s.Agreements, agreement.Transitions().Statuses(), func(a agreement.Agreement) agreement.Status { return a.At(now, zone).Status },
			func(f deals.DealFilters) ([]int64, error) {
				page, err := p.deals.SearchAgreements(p.T.Context(), p.agents[0], deals.SearchAgreements{DealFilters: f})
				return ids(page.Data, func(r dealrecords.SaleAgreement) int64 { return r.ID }), err
			}),
		search(s.Leases, letting.Transitions().Statuses(), func(l letting.Lease) letting.Status { return l.At(now, zone).Status },
			func(f deals.DealFilters) ([]int64, error) {
				page, err := p.deals.SearchLeases(p.T.Context(), p.agents[0], deals.SearchLeases{DealFilters: f})
				return ids(page.Data, func(r dealrecords.Lease) int64 { return r.ID }), err
			}),
	)
}

func ids[R any](records []R, id func(R) int64) (all []int64) {
	for _, r := range records {
		all = append(all, id(r))
	}
	return all
}

// search asks for the first half of the statuses, and compares.
func search[ID ~int64, T any, S ~string](
	records map[ID]T, statuses []S, status func(T) S, find func(deals.DealFilters) ([]int64, error),
) string {
	statuses = statuses[:len(statuses)/2]
	var codes kernel.Codes
	for _, s := range statuses {
		codes = append(codes, string(s))
	}
	var want []int64
	for _, id := range slices.Sorted(maps.Keys(records)) {
		if slices.Contains(statuses, status(records[id])) {
			want = append(want, int64(id))
		}
	}
	got, err := find(deals.DealFilters{Status: opt.Of(codes)})
	if err != nil || !slices.Equal(got, want) {
		return fmt.Sprintf("a search for %v finds %v, and there are %v: %v", codes, got, want, err)
	}
	return ""
}

// followed: a buyer who offers has a follow-up that says so, and one who has bought one
// that says that, and a search request that is over.
func (p *Play) followed(before, after State, _ Step) string {
	says := func(id product.ID, by []customer.ID, statuses ...string) string {
		for _, buyer := range by {
			if !slices.ContainsFunc(slices.Collect(maps.Values(after.FollowUps)), func(f demand.FollowUp) bool {
				return f.Customer == buyer && f.Product == id && slices.Contains(statuses, f.Status)
			}) {
				return fmt.Sprintf("customer %d has no follow-up of product %d that is %v", buyer, id, statuses)
			}
		}
		return ""
	}
	for id, o := range after.Offers {
		if was := before.Offers[id].Status; o.Status != offer.Open || was == offer.Open || was == offer.Countered {
			continue
		}
		if why := says(o.Product, o.Buyers, "OFFRE", "ACQUIS"); why != "" {
			return why
		}
	}
	for id, a := range after.Agreements {
		if a.Status != agreement.Completed || before.Agreements[id].Status == a.Status {
			continue
		}
		if why := says(a.Product, a.Buyers, "ACQUIS"); why != "" {
			return why
		}
		search, there := after.Searches[after.Offers[a.Offer].Search]
		if there && (search.Active || search.Status != demand.StatusDone) {
			return fmt.Sprintf("search request %d is %s after the deed", search.ID, search.Status)
		}
	}
	return ""
}

// numbers are 1, 2, 3 and so on for each kind of each agency, as far as what was
// not deleted shows them.
func (p *Play) numbers(s State) string {
	drawn := map[string]int{}
	for _, e := range s.Events {
		if letter := letters[e.Type.Resource()]; letter != "" && !e.Type.IsUpdate() && !e.Type.IsDelete() {
			drawn[fmt.Sprintf("%d-%s", e.Agency, letter)]++
		}
	}
	seen := map[string]bool{}
	all := func(number string) string {
		cut := strings.LastIndexAny(number, "OCB") + 1
		n, err := strconv.Atoi(number[cut:])
		if err != nil || n < 1 || n > drawn[number[:cut]] || seen[number] {
			return fmt.Sprintf("%s is one of %d, seen %t: %v", number, drawn[number[:cut]], seen[number], err)
		}
		seen[number] = true
		return ""
	}
	for _, number := range slices.Concat(
		numbered(s.Offers, func(o offer.Offer) string { return o.Number }),
		numbered(s.Agreements, func(a agreement.Agreement) string { return a.Number }),
		numbered(s.Leases, func(l letting.Lease) string { return l.Number }),
	) {
		if why := all(number); why != "" {
			return why
		}
	}
	return ""
}

var letters = map[string]string{"OFFER": "O", "AGREEMENT": "C", "LEASE": "B"}

func numbered[ID ~int64, T any](records map[ID]T, number func(T) string) (all []string) {
	for _, r := range inOrder(records) {
		all = append(all, number(r))
	}
	return all
}

// versions are the sequence of the last event about the record.
func (p *Play) versions(s State) string {
	last := map[named]int64{}
	for _, e := range s.Events {
		last[named{e.Type.Resource(), e.Resource}] = e.Seq
	}
	for of, version := range s.versions() {
		if at, told := last[of]; told && at != version {
			return fmt.Sprintf("%s %d has the version %d, and its last event is %d", of.kind, of.id, version, at)
		}
	}
	return ""
}

// foreseen: each record has the changes that the clock will make of it.
func (p *Play) foreseen(s State) string {
	zone := p.zone()
	for _, o := range s.Offers {
		if diff := cmp.Diff(o.Foresee().Ahead, o.Ahead, cmpopts.EquateEmpty()); diff != "" {
			return o.Number + " foresees otherwise:\n" + diff
		}
	}
	for _, a := range s.Agreements {
		if diff := cmp.Diff(a.Foresee(zone).Ahead, a.Ahead, cmpopts.EquateEmpty()); diff != "" {
			return a.Number + " foresees otherwise:\n" + diff
		}
	}
	for _, l := range s.Leases {
		if diff := cmp.Diff(l.Foresee(zone).Ahead, l.Ahead, cmpopts.EquateEmpty()); diff != "" {
			return l.Number + " foresees otherwise:\n" + diff
		}
	}
	return ""
}

// order is that of the events of one write.
var order = []string{"CUSTOMER", "PRODUCT", "SEARCH", "FOLLOWUP", "OFFER", "AGREEMENT", "LEASE"}

// events: one about each record that changed, in their order. Steps about customers make
// several writes, so theirs are in any.
func (p *Play) events(before, after State, s Step) string {
	added := after.Events[len(before.Events):]
	seen := map[named]bool{}
	last := 0
	for _, e := range added {
		of := named{e.Type.Resource(), e.Resource}
		if seen[of] {
			return fmt.Sprintf("two events are about %s %d: %v", of.kind, of.id, added)
		}
		seen[of] = true
		place := slices.Index(order, of.kind)
		if place < 0 || place < last && !strings.HasPrefix(s.Do, "customer.") {
			return fmt.Sprintf("%s is not in its place: %v", of.kind, added)
		}
		last = place
	}
	was, is := before.versions(), after.versions()
	for of, version := range is {
		if old, there := was[of]; (!there || old != version) && !seen[of] {
			return fmt.Sprintf("no event tells of %s %d", of.kind, of.id)
		}
	}
	for of := range was {
		if _, there := is[of]; !there && !seen[of] {
			return fmt.Sprintf("no event tells that %s %d is gone", of.kind, of.id)
		}
	}
	for of := range seen {
		old, was := was[of]
		if version, there := is[of]; was && there && old == version {
			return fmt.Sprintf("an event tells of %s %d, which did not change", of.kind, of.id)
		}
	}
	return ""
}

// transitions: no status is reached that the tables do not admit.
func (p *Play) transitions(before, after State, s Step) string {
	now, zone := p.Clock.Now(), p.zone()
	kind, by, _ := strings.Cut(s.Do, ".")
	done := func(of string) []string {
		switch {
		case of == kind:
			return []string{by}
		case of == "offer" && kind == "agreement":
			return []string{offer.AgreementEnds}
		}
		return nil
	}
	return stdcmp.Or(
		moved("offer", before.Offers, after.Offers, func(o offer.Offer) (offer.Status, offer.Status) { return o.Status, o.At(now).Status },
			offer.Transitions(), []offer.Status{offer.Draft, offer.Open}, done("offer")),
		moved("agreement", before.Agreements, after.Agreements, func(a agreement.Agreement) (agreement.Status, agreement.Status) {
			return a.Status, a.At(now, zone).Status
		}, agreement.Transitions(), []agreement.Status{agreement.Draft}, done("agreement")),
		moved("lease", before.Leases, after.Leases, func(l letting.Lease) (letting.Status, letting.Status) { return l.Status, l.At(now, zone).Status },
			letting.Transitions(), []letting.Status{letting.Draft}, done("lease")),
	)
}

// moved compares how the statuses of records of a kind changed with their table. status
// returns the stored status, and the one that the clock has made of it.
func moved[ID ~int64, T any, S ~string](
	kind string, before, after map[ID]T, status func(T) (stored, now S), table transition.Table[S], first []S, by []string,
) string {
	for id, is := range after {
		stored, _ := status(is)
		was, there := before[id]
		if !there {
			if !slices.Contains(first, stored) {
				return fmt.Sprintf("%s %d begins as %s", kind, id, stored)
			}
			continue
		}
		old, present := status(was)
		byClock := old == present || table.Leads(old, transition.Clock, present)
		byHand := slices.ContainsFunc(by, func(by string) bool { return table.Leads(present, by, stored) })
		if !byClock || stored != old && stored != present && !byHand {
			return fmt.Sprintf("%s %d came from %s, which is %s now, to %s", kind, id, old, present, stored)
		}
	}
	for id, was := range before {
		if _, there := after[id]; !there {
			if old, _ := status(was); old != first[0] {
				return fmt.Sprintf("%s %d is gone, which was %s", kind, id, old)
			}
		}
	}
	return ""
}

// statuses: Statut of the products follows from what became of offers, agreements
// and leases.
func (p *Play) statuses(before, after State, s Step) string {
	if strings.HasPrefix(s.Do, "product.") {
		return "" // a step about a product may set it
	}
	now, zone := p.Clock.Now(), p.zone()
	want := map[product.ID]string{}
	for id, p := range before.Products {
		want[id] = p.Status()
	}
	step := func(of product.ID, to string, from ...string) {
		if slices.Contains(from, want[of]) {
			want[of] = to
		}
	}
	for id, a := range after.Agreements {
		was, there := before.Agreements[id]
		if was = was.At(now, zone); !there || was.Status == a.Status {
			continue
		}
		switch {
		case was.Status == agreement.Draft && a.Live():
			step(a.Product, "SousCompromis", "EnCours", "SousOffre", "Option")
		case a.Status == agreement.Completed:
			step(a.Product, "Vendu", "SousCompromis")
		case was.Live() && !a.Live():
			step(a.Product, "EnCours", "SousCompromis")
		}
	}
	for id, o := range after.Offers {
		was := before.Offers[id].At(now)
		switch {
		case was.Status == o.Status:
		case o.Status == offer.Accepted:
			step(o.Product, "SousOffre", "EnCours")
		case o.Status == offer.Cancelled && p.isFree(after, o.Product):
			step(o.Product, "EnCours", "SousOffre")
		}
	}
	for id, l := range after.Leases {
		was, there := before.Leases[id]
		was = was.At(now, zone)
		switch {
		case !there || was.Status == l.Status:
		case was.Status == letting.Draft && l.Status != letting.Cancelled:
			step(l.Product, "Loue", "EnCours", "SousOffre", "Option")
		case was.Status == letting.Signed && l.Status == letting.Cancelled && !p.isLet(after, l.Product):
			step(l.Product, "EnCours", "Loue")
		}
	}
	for id, is := range after.Products {
		if is.Status() != want[id] {
			return fmt.Sprintf("product %d is %s, and must be %s", id, is.Status(), want[id])
		}
	}
	return ""
}

// isFree reports whether no offer for a product is accepted and no agreement live.
func (p *Play) isFree(s State, id product.ID) bool {
	return !slices.ContainsFunc(inOrder(s.Offers), func(o offer.Offer) bool { return o.Product == id && o.Status == offer.Accepted }) &&
		!slices.ContainsFunc(inOrder(s.Agreements), func(a agreement.Agreement) bool { return a.Product == id && a.Live() })
}

// isLet reports whether a lease occupies a product.
func (p *Play) isLet(s State, id product.ID) bool {
	return slices.ContainsFunc(inOrder(s.Leases), func(l letting.Lease) bool {
		return l.Product == id && l.At(p.Clock.Now(), p.zone()).Binding()
	})
}

// inOrder returns records by id.
func inOrder[ID ~int64, T any](records map[ID]T) (all []T) {
	for _, id := range slices.Sorted(maps.Keys(records)) {
		all = append(all, records[id])
	}
	return all
}
