package porttest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// subject is what random programs are about.
type subject struct {
	suite string
	// commands make up one command each; what is named twice comes twice as often.
	commands []func(program) command
}

func subjects() []subject {
	return []subject{
		{"Agreement", []func(program) command{program.productCommand, program.productCommand, program.bulkCommand, program.siteCommand}},
		{"ActionAgreement", []func(program) command{program.actionCommand, program.actionCommand, program.actionCommand, program.productCommand}},
		{"LedgerAgreement", []func(program) command{program.ledgerCommand, program.ledgerCommand, program.numberCommand, program.followCommand}},
		{"ClientAgreement", []func(program) command{program.clientCommand, program.tokenCommand, program.tokenCommand, program.usageCommand}},
		{"ReceiptAgreement", []func(program) command{program.receiptCommand, program.importCommand}},
		{"WebhookAgreement", []func(program) command{
			program.hookCommand, program.deliveryCommand, program.deliveryCommand, program.leaseCommand, program.leaseCommand, program.ledgerCommand,
		}},
		{"RejectionAgreement", []func(program) command{program.rejectionCommand, program.rejectionCommand, program.deliveryCommand}},
		{"PeopleAgreement", []func(program) command{program.customerCommand, program.customerCommand, program.claimCommand, program.entityCommand}},
		{"RecordAgreement", []func(program) command{program.entityCommand}},
		{"MoveAgreement", []func(program) command{
			program.moveCommand, program.ledgerCommand, program.siteCommand, program.followCommand, program.leaseCommand, program.deliveryCommand,
		}},
	}
}

// agreements are the random programs about each subject.
func agreements() (all []suite) {
	for _, about := range subjects() {
		all = append(all, suite{about.suite, []example{{
			"AnswersAreThoseOfTheModel", func(t *testing.T, w *world) { agrees(t, w.Store, about) },
		}}})
	}
	return all
}

// agrees runs random programs against the store and the model: every answer
// and every kind of error must be the same. A program has two sites of its own, so
// the two stores can serve all programs.
func agrees(t *testing.T, s port.Store, about subject) {
	model := memstore.New()
	programs := int64(0)
	rapid.Check(t, func(r *rapid.T) {
		programs++
		id := site.ID(1_000_000 + 2*programs)
		p := program{sites: []site.ID{id, id, id, id + 1}, rapid: r, subject: about, made: newMadeUp()}
		for _, store := range []port.Store{model, s} {
			if err := store.Update(t.Context(), p.begin); err != nil {
				r.Fatal(err)
			}
			defer func() {
				if err := store.Update(t.Context(), p.end); err != nil {
					r.Fatal(err)
				}
			}()
		}
		units := rapid.IntRange(3, 9).Draw(r, "units")
		var told strings.Builder // the program so far, as a person reads it
		for n := range units + 1 {
			next := p.unit
			if n == units {
				next = p.lastLook
			}
			u := next()
			fmt.Fprintf(&told, "unit %d of %s", n, u)
			want, got := u.run(t.Context(), model), u.run(t.Context(), s)
			for i := range max(len(want), len(got)) {
				if i >= len(want) || i >= len(got) {
					r.Fatalf("unit %d took %d steps, want %d\n%s", n, len(got), len(want), &told)
				}
				if d := difference(want[i], got[i]); d != "" {
					r.Fatalf("unit %d, step %d (-model +store):\n%s\n%s", n, i, d, &told)
				}
			}
		}
	})
}

// begin puts the sites of a program into a store.
func (p program) begin(tx port.Tx) error {
	for _, id := range p.sites {
		if err := tx.Sites().Put(site.Site{ID: id}); err != nil {
			return err
		}
	}
	return nil
}

// end leaves nothing that the next programs could purge, and nothing to do for the sites.
func (p program) end(tx port.Tx) error {
	for _, id := range p.sites {
		if err := tx.Sites().PutMove(site.Move{Site: id, State: site.Moved}); err != nil {
			return err
		}
	}
	for _, purge := range p.made.purges {
		if _, err := purge(tx, time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC), 1<<20); err != nil {
			return err
		}
	}
	return nil
}

// program makes up commands about a few things of two sites.
type program struct {
	sites   []site.ID
	site    site.ID // that of a command
	rapid   *rapid.T
	subject subject
	made    *madeUp
	looking bool // nothing is changed any more
}

// madeUp is what a program has made up.
type madeUp struct {
	delivery int64 // the last one
	action   customer.ActionID
	products product.ID
	moments  int
	purges   map[string]purge
}

func newMadeUp() *madeUp { return &madeUp{purges: map[string]purge{}} }

// moment is one of an hour, and no other of the program is the same: where the oldest go
// first, no two are equally old.
func (p program) moment(what string) time.Time {
	p.made.moments++
	return p.hour(what).Add(time.Duration(p.made.moments) * time.Second)
}

func (p program) hour(what string) time.Time { return old(3600 * int(p.number(what, 4))) }

// command is one step of a unit of work.
type command struct {
	name string
	run  func(port.Tx) (any, error)
}

// unit is a unit of work of several commands.
type unit struct {
	sites []site.ID
	view  bool
	abort bool
	// heedless: it ends as if nothing had happened when it is spoiled.
	heedless bool
	commands []command
}

// String is the program as a person reads it.
func (u unit) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sites %d, view %t, abort %t, heedless %t\n", u.sites, u.view, u.abort, u.heedless)
	for i, c := range u.commands {
		fmt.Fprintf(&b, "%4d %s\n", i, c.name)
	}
	return b.String()
}

// step is what a command answered.
type step struct {
	Command string
	Answer  any
	Error   string
}

var errAborted = errors.New("aborted")

// run executes the unit and tells what happened, step by step.
func (u unit) run(ctx context.Context, s port.Store) []step {
	var steps []step
	fn := func(tx port.Tx) error {
		steps = nil
		for _, c := range u.commands {
			answer, err := c.run(tx)
			if err != nil {
				answer = nil
			}
			steps = append(steps, step{c.name, answer, kind(err)})
			switch spoiled := errors.Is(err, errSpoiled) || kind(err) == kind(port.NotOpen()); {
			case err == nil:
			case spoiled && u.heedless:
				return nil
			case spoiled, !errors.Is(err, fault.NotFound) && !errors.Is(err, port.ErrTaken) && !errors.Is(err, port.ErrReferenceTaken), errors.Is(err, errFinal):
				return err
			}
		}
		if u.abort {
			return errAborted
		}
		return nil
	}
	open := s.Update
	if u.view {
		open = s.View
	}
	err := open(ctx, fn)
	steps = append(steps, step{"the unit", nil, kind(err)})
	for _, id := range u.sites {
		head, err := s.Head(ctx, id)
		steps = append(steps, step{fmt.Sprint("head of ", id), head, kind(err)})
	}
	return steps
}

var (
	// errFinal says of an error that the function of the unit must return it.
	errFinal = errors.New("the unit cannot go on")
	// errSpoiled says of an error that the unit fails whatever its function returns.
	errSpoiled = errors.New("the unit is spoiled")
)

// spoils is the error of a product that was replaced.
func spoils(err error) error {
	if errors.Is(err, port.ErrReferenceTaken) {
		err = errors.Join(err, errSpoiled)
	}
	return err
}

func final(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, errFinal)
}

// kind is what of an error a caller can act upon.
func kind(err error) string {
	var k fault.Kind
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errAborted):
		return "aborted"
	case errors.Is(err, port.ErrReferenceTaken):
		return "reference taken"
	case errors.Is(err, port.ErrTaken):
		return "taken"
	case errors.As(err, &k):
		if told := fault.From(err); told.Code == fault.CodeSiteMoving {
			return fmt.Sprint(k, ": the site is moving, wait ", told.Wait)
		}
		return k.Error()
	}
	return "another error"
}

func (p program) unit() unit {
	u := unit{sites: slices.Compact(slices.Clone(p.sites))}
	u.abort = rapid.IntRange(0, 4).Draw(p.rapid, "abort") == 4
	u.view = rapid.IntRange(0, 4).Draw(p.rapid, "view") == 4
	u.heedless = !u.view && rapid.Bool().Draw(p.rapid, "heedless")
	for range rapid.IntRange(2, 9).Draw(p.rapid, "commands") {
		p.site = draw(p, "site", p.sites...)
		u.commands = append(u.commands, draw(p, "kind", p.subject.commands...)(p))
	}
	return u
}

// lastLook is a view that looks at both sites.
func (p program) lastLook() unit {
	u := unit{sites: slices.Compact(slices.Clone(p.sites)), view: true}
	p.looking = true
	for _, p.site = range u.sites {
		for _, look := range p.subject.commands {
			u.commands = append(u.commands, look(p))
		}
	}
	return u
}

func draw[T any](p program, what string, from ...T) T {
	return rapid.SampledFrom(from).Draw(p.rapid, what)
}

// with is what a command was made up of.
type with = map[string]any

// pick is one of some commands that change something, or a look with all the others.
func (p program) pick(of with, looks []command, changes ...command) command {
	picked := command{"look", func(tx port.Tx) (any, error) {
		var seen []step
		for _, c := range looks {
			answer, err := c.run(tx)
			switch {
			case errors.Is(err, fault.NotFound):
				answer = nil
			case err != nil:
				return nil, err
			}
			seen = append(seen, step{c.name, answer, kind(err)})
		}
		return seen, nil
	}}
	if !p.looking && (len(looks) == 0 || rapid.IntRange(0, 2).Draw(p.rapid, "look") < 2) {
		picked = draw(p, "change", changes...)
	}
	picked.name += strings.ReplaceAll(fmt.Sprintf(" at site %d, with %+v", p.site, of), awkward, "<awkward text>")
	return picked
}

// writes is a command that answers nothing but how it ended.
func writes(name string, write func(port.Tx) error) command {
	return command{name, func(tx port.Tx) (any, error) { return nil, write(tx) }}
}

// reads is a command that answers something.
func reads[T any](name string, read func(port.Tx) (T, error)) command {
	return command{name, func(tx port.Tx) (any, error) { return read(tx) }}
}

// before is an hour to purge up to, late ones first.
func (p program) before() time.Time { return old(3600 * int(7-p.number("before", 6))) }

// purge removes at most n of the oldest records of a kind.
type purge func(tx port.Tx, before time.Time, n int) (int, error)

// purges is a command that purges some records, and which the program ends with.
func (p program) purges(of string, before time.Time, purge purge) command {
	p.made.purges[of] = purge
	n := p.limit()
	return reads(fmt.Sprintf("purge %d %s before %s", n, of, before), func(tx port.Tx) (int, error) { return purge(tx, before, n) })
}

// number is between 1 and n, small ones first.
func (p program) number(what string, n int64) int64 {
	return rapid.Int64Range(1, n).Draw(p.rapid, what)
}

func (p program) numbers(what string, n int64) []int64 {
	return rapid.SliceOfN(rapid.Int64Range(0, n), 0, 5).Draw(p.rapid, what)
}

// limit is how many are wanted.
func (p program) limit() int { return rapid.IntRange(-1, 4).Draw(p.rapid, "limit") }

func (p program) product() product.Product {
	id, full := product.ID(p.number("product", 4)), sampleProduct(p.site, 1)
	made := plainProduct(p.site, id)
	if draw(p, "full", false, true) {
		made = sampleProduct(p.site, id)
	}
	made.Agency, made.Customer = site.AgencyID(p.number("agency", 2)), customer.ID(p.number("customer", 3)-1)
	made.Parent = product.ID(p.number("parent", 4) - 1)
	made.Reference = draw(p, "reference", "A", "a", "Été-1", "ETE-1", "B ", "b", "C", "")
	made.Version = p.number("version", 1000)
	for range p.number("criteria", 3) {
		key := draw(p, "key", slices.Sorted(maps.Keys(full.Criteria))...)
		made.Criteria[draw(p, "as", key, "Prix", "a")] = full.Criteria[key]
	}
	made.Derived = product.Derived{Energy: draw(p, "derived", true, false), Regime: draw(p, "regime", "", "fr-2021")}
	if draw(p, "rooms", true, false) {
		made.Rooms, made.Pictures, made.Descriptions = full.Rooms, full.Pictures, full.Descriptions
	}
	if draw(p, "geocoded", true, false) {
		made.Geocoded = full.Geocoded
	}
	return made
}

// brief says of products what makes a difference to others.
func brief(products ...product.Product) (all []string) {
	for _, p := range products {
		all = append(all, fmt.Sprintf("%d of agency %d, %q, customer %d, parent %d, version %d", p.ID, p.Agency, p.Reference, p.Customer, p.Parent, p.Version))
	}
	return all
}

func (p program) productIDs(what string) []product.ID { return idsAs[product.ID](p.numbers(what, 5)) }

func (p program) productCommand() command {
	id, made, ids, n := product.ID(p.number("product", 4)), p.product(), p.productIDs("ids"), p.limit()
	owner, deleted := customer.ID(p.number("customer", 3)-1), p.moment("deleted")
	words, newest := draw(p, "words", nil, []string{"house"}, []string{"us", "ho"}, []string{"house", "x"}), int(p.number("newest", 5))-1
	becomes := func(read func(port.Products) (product.Product, error), write func(port.Products, product.Product) error) func(port.Tx) (product.Product, error) {
		return func(tx port.Tx) (product.Product, error) {
			found, err := read(tx.Products())
			if err == nil {
				err = write(tx.Products(), found)
			}
			return found, err
		}
	}
	living := func(r port.Products) (product.Product, error) { return r.Get(p.site, id) }
	gone := func(r port.Products) (product.Product, error) { return r.Deleted(p.site, id) }
	add := writes("add", func(tx port.Tx) error { return tx.Products().Add(made) })
	remove := reads("delete", becomes(living, func(r port.Products, found product.Product) error {
		found.Deleted = deleted
		return r.Replace(found)
	}))
	return p.pick(with{"id": id, "ids": ids, "limit": n, "words": words, "newest": newest, "owner": owner, "deleted": deleted, "made": brief(made)}, []command{
		reads("get", func(tx port.Tx) (product.Product, error) { return living(tx.Products()) }),
		reads("deleted", func(tx port.Tx) (product.Product, error) { return gone(tx.Products()) }),
		reads("kept", func(tx port.Tx) ([]product.Product, error) {
			return tx.Products().Kept(p.site, []product.ID{4, 1, 2, 3, 1, 9})
		}),
		reads("many", func(tx port.Tx) ([]product.Product, error) { return tx.Products().Many(p.site, ids) }),
		reads("existing", func(tx port.Tx) ([]product.ID, error) { return tx.Products().Existing(p.site, ids) }),
		reads("scan", func(tx port.Tx) ([]product.Product, error) { return tx.Products().Scan(p.site, id-2, n) }),
		reads("owned", func(tx port.Tx) ([]product.Product, error) { return tx.Products().OwnedBy(p.site, owner) }),
		reads("titled", func(tx port.Tx) ([]product.ID, error) {
			return tx.Products().Titled(p.site, words, newest, n)
		}),
		reads("lots", func(tx port.Tx) ([]product.ID, error) { return tx.Products().Lots(p.site, id-1) }),
		reads("holder", func(tx port.Tx) (product.ID, error) {
			return tx.Products().Holder(p.site, made.Agency, made.Reference)
		}),
	}, add, add, add, remove, remove, remove,
		writes("replace", func(tx port.Tx) error { return spoils(tx.Products().Replace(made)) }),
		reads("take a reference", becomes(living, func(r port.Products, found product.Product) error {
			others, err := r.Kept(p.site, ids)
			for _, other := range others {
				found.Agency, found.Reference = other.Agency, other.Reference
			}
			return errors.Join(err, spoils(r.Replace(found)))
		})),
		reads("change", becomes(living, func(r port.Products, found product.Product) error {
			found.Color, found.Customer, found.Parent = int(made.Version), made.Customer, made.Parent
			return r.Replace(found)
		})),
		reads("restore", becomes(gone, func(r port.Products, found product.Product) error {
			found.Deleted = time.Time{}
			return r.Restore(found)
		})),
		writes("restore a living one", func(tx port.Tx) error {
			if found, err := living(tx.Products()); err == nil {
				return tx.Products().Restore(found)
			}
			return nil
		}),
		p.purges("products", p.before(), func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Products().Purge(before, n) }))
}

// bulkCommand makes up a command about several products at once: as the store offers them, or
// as they are where it offers none.
func (p program) bulkCommand() command {
	of := draw(p, "of", func(tx port.Tx) port.Products { return tx.Products() }, func(tx port.Tx) port.Products { return struct{ port.Products }{tx.Products()} })
	ids := p.productIDs("ids")
	var added []product.Product
	var references []string
	for range p.number("products", 3) {
		made := p.product()
		p.made.products++
		made.ID = 4 + p.made.products // which nobody had before
		ids, added, references = append(ids, made.ID-2), append(added, made), append(references, made.Reference)
	}
	reference, missing := draw(p, "reference", "A", "C", "other"), draw(p, "missing", false, false, true)
	return p.pick(with{"ids": ids, "reference": reference, "missing": missing, "added": brief(added...)}, []command{
		reads("get together", func(tx port.Tx) ([]product.Product, error) { return port.GetAll(of(tx), p.site, ids) }),
		reads("holders", func(tx port.Tx) (map[string]product.ID, error) { return port.Holders(of(tx), p.site, 1, references) }),
	},
		writes("add together", func(tx port.Tx) error { return final(port.AddAll(of(tx), added)) }),
		reads("replace together", func(tx port.Tx) ([]product.Product, error) {
			found, err := port.GetAll(of(tx), p.site, ids)
			for i := range found {
				found[i].Color++
			}
			switch {
			case missing:
				found = append(found, plainProduct(p.site, 1<<40))
			case len(found) == 0:
				return nil, err
			default:
				found[0].Reference = reference
			}
			return found, errors.Join(err, final(port.ReplaceAll(of(tx), found)))
		}))
}

func (p program) siteCommand() command {
	text := draw(p, "text", "", "a", awkward)
	made := draw(p, "site", site.Site{ID: p.site, Name: text}, sampleSite(p.site))
	return p.pick(with{"name": made.Name}, []command{
		reads("site", func(tx port.Tx) (site.Site, error) { return tx.Sites().Get(p.site) }),
		reads("no site", func(tx port.Tx) (site.Site, error) { return tx.Sites().Get(7) }),
		reads("agency", func(tx port.Tx) (site.Agency, error) { return tx.Agencies().ByID(1) }),
		reads("last agency", func(tx port.Tx) (site.AgencyID, error) { return tx.Agencies().LastID() }),
	},
		reads("sites", func(tx port.Tx) ([]site.Site, error) { return tx.Sites().All() }),
		writes("put the site", func(tx port.Tx) error { return tx.Sites().Put(made) }))
}

// moveCommand has a site begin, end or go on with moving.
func (p program) moveCommand() command {
	m := site.Move{Site: p.site, State: site.State(p.number("state", 5) - 1), ID: draw(p, "id", "", awkward), Until: instant(1)}
	if draw(p, "open", false, true) {
		m = site.Move{Site: p.site}
	}
	const unknown = 7
	return p.pick(with{"move": m}, []command{
		reads("move", func(tx port.Tx) (site.Move, error) { return tx.Sites().Move(p.site) }),
		reads("users", func(tx port.Tx) ([]site.User, error) { return tx.Users().Of(p.site) }),
		reads("the move of no site", func(tx port.Tx) (site.Move, error) { return tx.Sites().Move(unknown) }),
	},
		writes("put the move", func(tx port.Tx) error { return tx.Sites().PutMove(m) }),
		writes("keep open", func(tx port.Tx) error { return tx.Ledger().KeepOpen(p.site) }),
		writes("put a user", func(tx port.Tx) error { return tx.Users().Put(site.User{Site: p.site, ID: 1}) }),
		writes("put the move of no site", func(tx port.Tx) error { return tx.Sites().PutMove(site.Move{Site: unknown}) }))
}

func (p program) ledgerCommand() command {
	happened, at, n, seq := someEvents(int(p.number("events", 4)-1)), p.moment("at"), p.limit(), p.number("seq", 7)-2
	for i := range happened {
		happened[i] = happened[i].Told(draw(p, "edits", nil, []edit.Edit{{Field: "Prix", Before: "1", After: awkward}}))
		happened[i].By, happened[i].Request = draw(p, "by", "", event.ActorOf(event.ByClient, awkward)), draw(p, "request", "", "r1", awkward)
	}
	aspect := draw(p, "aspect", port.AspectSettings, port.AspectAccess, port.AspectRejections)
	q := p.eventQuery()
	kind, resources := draw(p, "kind", "PRODUCT", "CUSTOMER"), draw(p, "resources", nil, []int64{1}, []int64{2, 5})
	add := reads("append", func(tx port.Tx) (event.Event, error) { return tx.Ledger().Append(p.site, at, happened) })
	return p.pick(with{"events": len(happened), "at": at, "limit": n, "seq": seq, "aspect": aspect, "query": q, "kind": kind, "resources": resources}, []command{
		reads("find", func(tx port.Tx) ([]event.Event, error) { return tx.Ledger().Find(q) }),
		reads("after", func(tx port.Tx) ([]event.Event, error) { return tx.Ledger().After(p.site, seq, n) }),
		reads("head", func(tx port.Tx) (port.Head, error) { return tx.Ledger().Head(p.site) }),
		reads("head of no site", func(tx port.Tx) (port.Head, error) { return tx.Ledger().Head(7) }),
	}, add, add,
		writes("touch", func(tx port.Tx) error { return tx.Ledger().Touch(p.site, aspect) }),
		writes("forget", func(tx port.Tx) error { return tx.Ledger().Forget(p.site, kind, resources) }),
		p.purges("events", p.before(), func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Ledger().Purge(before, n) }),
		reads("append to no site", func(tx port.Tx) (event.Event, error) { return tx.Ledger().Append(7, at, someEvents(1)) }),
		writes("touch no site", func(tx port.Tx) error { return tx.Ledger().Touch(7, aspect) }))
}

func (p program) eventQuery() port.EventQuery {
	q := port.EventQuery{Site: p.site, Limit: rapid.IntRange(-1, 9).Draw(p.rapid, "most")}
	p.narrow(
		func() { q.Types = event.Types()[:p.number("types", 4)-1] },
		func() { q.Resource = p.number("resource", 3) },
		func() { q.Agency = site.AgencyID(p.number("agency", 2)) },
		func() { q.From = p.hour("from") },
		func() { q.To = p.hour("to") },
		func() { q.Above = p.number("above", 4) },
		func() { q.Below = p.number("below", 6) },
		func() { q.Request = draw(p, "of request", "r1", awkward, "r2") },
		func() { q.Values = true },
	)
	return q
}

// narrow carries some of several steps out.
func (p program) narrow(steps ...func()) {
	for _, step := range steps {
		if draw(p, "narrow", false, false, true) {
			step()
		}
	}
}

func (p program) numberCommand() command {
	agency, to := site.AgencyID(p.number("agency", 2)), p.number("to", 8)
	kind := draw(p, "kind", deal.Offers, deal.Agreements, deal.Leases)
	return p.pick(with{"agency": agency, "to": to, "kind": kind}, nil,
		reads("next reference", func(tx port.Tx) (int64, error) { return tx.NextReference(p.site, agency) }),
		writes("raise references", func(tx port.Tx) error { return tx.RaiseReference(p.site, agency, to) }),
		reads("next deal", func(tx port.Tx) (int64, error) { return tx.NextDeal(p.site, agency, kind) }))
}

func (p program) clientCommand() command {
	n, text := p.number("id", 3), draw(p, "text", "", "a", awkward)
	id := access.CredentialID(fmt.Sprint("of-", p.site, "-", draw(p, "credential", "b", "B", "é", "a", "10", "9", "_")))
	key := sampleKey(p.site, access.KeyID(n))
	key.Hash = keyHash(p.site, access.KeyID(p.number("hash", 3)))
	made := draw(p, "made", access.Credential{ID: id}, sampleCredential(id))
	made.Name, made.Packs = text, draw(p, "packs", 0, access.Webhooks, access.AllPacks)
	put := writes("put a credential", func(tx port.Tx) error { return tx.Credentials().Put(made) })
	return p.pick(with{"made": made, "key": key.ID, "hash": key.Hash}, []command{
		reads("credential", func(tx port.Tx) (access.Credential, error) { return tx.Credentials().Get(id) }),
		reads("held credential", func(tx port.Tx) (access.Credential, error) { return tx.Credentials().Held(id) }),
		reads("credentials", func(tx port.Tx) ([]access.Credential, error) { return tx.Credentials().All() }),
		reads("key by hash", func(tx port.Tx) (access.Key, error) { return tx.Keys().ByHash(keyHash(p.site, 1)) }),
		reads("keys of a credential", func(tx port.Tx) ([]access.Key, error) { return tx.Keys().OfCredential(keyHolder(p.site)) }),
	}, put, put, writes("put a key", func(tx port.Tx) error { return tx.Keys().Put(key) }))
}

func (p program) tokenCommand() command {
	n, nth := p.number("id", 3), p.number("family", 3)
	of := keyHolder(p.site) + []access.CredentialID{"", "", "-B"}[nth-1]
	family := access.Family{ID: familyID(p.site, nth), Credential: of, Site: p.site, Revoked: draw(p, "revoked family", false, false, true)}
	family.Started = draw(p, "started", time.Time{}, instant(1))
	token := draw(p, "token", access.Token{}, sampleToken("", 0, time.Time{}))
	token.Hash, token.Family, token.Credential, token.Site, token.Expires = access.Hash(fmt.Sprint(p.site, "-", n)), family.ID, of, p.site, p.moment("expires")
	token.Refresh, token.Revoked = draw(p, "refresh", false, false, true), draw(p, "revoked", false, false, true)
	put := writes("put a token", func(tx port.Tx) error {
		_, err := tx.Tokens().Family(family.ID)
		if errors.Is(err, fault.NotFound) { // which every token has
			err = tx.Tokens().PutFamily(family)
		}
		return errors.Join(err, tx.Tokens().Put(token))
	})
	now := p.hour("now")
	return p.pick(with{"of": of, "family": family, "token": token, "now": now}, []command{
		reads("token", func(tx port.Tx) (access.Token, error) { return tx.Tokens().Get(token.Hash) }),
		reads("family", func(tx port.Tx) (access.Family, error) { return tx.Tokens().Family(family.ID) }),
		reads("live tokens", func(tx port.Tx) (int, error) { return tx.Tokens().Live(of, now) }),
	}, put, put, put, put,
		writes("put a family", func(tx port.Tx) error { return tx.Tokens().PutFamily(family) }),
		reads("revoke tokens", func(tx port.Tx) (int, error) { return tx.Tokens().Revoke(of) }),
		p.purges("tokens", p.before(), func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Tokens().Purge(before, n) }))
}

func (p program) usageCommand() command {
	of, n, day := draw(p, "of", keyHolder(p.site), keyHolder(p.site)+"-B", awkward), p.number("requests", 9), p.hour("day")
	count := writes("count", func(tx port.Tx) error { return tx.Credentials().CountRequests(day, of, n<<40) })
	use := access.Use{Credential: of, Key: access.KeyID(p.number("key", 11) - 1), At: p.hour("at")}
	return p.pick(with{"use": use, "requests": n, "day": day}, []command{
		reads("uses", func(tx port.Tx) ([]access.Use, error) { return tx.Credentials().LastUses() }),
		reads("usage", func(tx port.Tx) (all []map[access.CredentialID]int64, failed error) {
			for hour := range 4 {
				counts, err := tx.Credentials().Requests(old(3600 * (hour + 1)))
				all, failed = append(all, counts), errors.Join(failed, err)
			}
			return all, failed
		}),
	},
		writes("use", func(tx port.Tx) error { return tx.Credentials().Used(use) }), count, count,
		p.purges("counts", p.before(), func(tx port.Tx, before time.Time, n int) (int, error) { // all: which go first on one day is not said
			return tx.Credentials().PurgeRequests(before, 1000*n)
		}))
}
