package porttest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// agrees runs random programs against the store and the model: every answer
// and every kind of error must be the same. A program has a site of its own, so
// the two stores can serve all programs.
func agrees(t *testing.T, s port.Store, about subject) {
	model := memstore.New()
	programs := int64(0)
	rapid.Check(t, func(r *rapid.T) {
		programs++
		p := program{site: site.ID(1_000_000 + programs), rapid: r, subject: about, delivery: new(int64), action: new(customer.ActionID)}
		for _, store := range []port.Store{model, s} {
			if err := store.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: p.site}) }); err != nil {
				r.Fatal(err)
			}
			defer func() {
				if err := store.Update(t.Context(), p.end); err != nil {
					r.Fatal(err)
				}
			}()
		}
		units := rapid.IntRange(1, 8).Draw(r, "units")
		for n := range units {
			u := p.unit(n)
			want, got := u.run(t.Context(), model), u.run(t.Context(), s)
			for i := range max(len(want), len(got)) {
				if i >= len(want) || i >= len(got) {
					r.Fatalf("unit %d took %d steps, want %d\n%s", n, len(got), len(want), u)
				}
				if d := difference(want[i], got[i]); d != "" {
					r.Fatalf("unit %d, step %d (-model +store):\n%s\n%s", n, i, d, u)
				}
			}
		}
	})
}

// subject is what programs are about.
type subject uint8

const (
	records subject = iota
	webhooks
	people
	kinds
)

// program makes up commands about a few things of one site.
type program struct {
	site    site.ID
	rapid   *rapid.T
	subject subject
	// delivery is the last delivery that was made up.
	delivery *int64
	// action is the last action that was made up.
	action *customer.ActionID
}

// command is one step of a unit of work.
type command struct {
	name string
	run  func(port.Tx) (any, error)
}

// unit is a unit of work of several commands.
type unit struct {
	site     site.ID
	view     bool
	abort    bool
	commands []command
}

// String is the program as a person reads it.
func (u unit) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "site %d, view %t, abort %t\n", u.site, u.view, u.abort)
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
			if err != nil && !errors.Is(err, fault.NotFound) && !errors.Is(err, port.ErrTaken) && (!errors.Is(err, port.ErrReferenceTaken) || strings.HasPrefix(c.name, "replace")) {
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
	head, headErr := s.Head(ctx, u.site)
	return append(steps, step{"the unit", nil, kind(err)}, step{"head", head, kind(headErr)})
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
		return k.Error()
	}
	return "another error"
}

func (p program) unit(n int) unit {
	u := unit{site: p.site}
	u.abort = rapid.IntRange(0, 4).Draw(p.rapid, "abort") == 0
	u.view = rapid.IntRange(0, 4).Draw(p.rapid, "view") == 0
	for range rapid.IntRange(1, 7).Draw(p.rapid, "commands") {
		u.commands = append(u.commands, p.command())
	}
	return u
}

func draw[T any](p program, what string, from ...T) T {
	return rapid.SampledFrom(from).Draw(p.rapid, what)
}

func (p program) product() product.Product {
	made := plainProduct(p.site, product.ID(p.number("product", 4)))
	made.Agency, made.Customer = site.AgencyID(p.number("agency", 2)), customer.ID(p.number("customer", 3)-1)
	made.Reference = draw(p, "reference", "A", "a", "Été-1", "ETE-1", "B ", "b", "C", "")
	made.Version = p.number("version", 1000)
	for range p.number("criteria", 3) {
		key := draw(p, "key", "Prix", "Été", "a", "b")
		made.Criteria[key] = draw[criteria.Value](p, "value", criteria.Number(p.number("n", 5)), criteria.Text(awkward),
			criteria.Unique("x"), criteria.Flag(true), criteria.Multiple{"b", "a"}, criteria.Date{At: instant(1), Timed: true})
	}
	made.Derived = product.Derived{Energy: draw(p, "derived", true, false), Regime: draw(p, "regime", "", "fr-2021")}
	if draw(p, "rooms", true, false) {
		made.Rooms, made.Pictures = sampleProduct(p.site, 1).Rooms, sampleProduct(p.site, 1).Pictures
	}
	if draw(p, "geocoded", true, false) {
		made.Geocoded = sampleProduct(p.site, 1).Geocoded
	}
	return made
}

// number is between 1 and n, small ones first.
func (p program) number(what string, n int64) int64 {
	return rapid.Int64Range(1, n).Draw(p.rapid, what)
}

func (p program) numbers(what string, n int64) []int64 {
	return rapid.SliceOfN(rapid.Int64Range(0, n), 0, 5).Draw(p.rapid, what)
}

// command makes up one command out of all there are.
func (p program) command() command {
	if p.subject == webhooks {
		return draw(p, "kind", p.hookCommand, p.deliveryCommand, p.deliveryCommand, p.leaseCommand, p.leaseCommand, p.logCommand)()
	}
	if p.subject == people {
		return p.peopleCommand()
	}
	if p.subject == kinds {
		return p.entityCommand()
	}
	return draw(p, "kind", p.productCommand, p.productCommand, p.productCommand, p.ledgerCommand, p.receiptCommand, p.followCommand,
		p.actionCommand, p.otherCommand)()
}

func (p program) productCommand() command {
	id := product.ID(p.number("product", 4))
	switch draw(p, "command", "add", "add", "get", "replace", "change", "delete", "many", "scan", "owned", "lots", "holder", "restore", "kept") {
	case "add":
		made := p.product()
		return command{fmt.Sprintf("add %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Products().Add(made) }}
	case "replace":
		made := p.product()
		return command{fmt.Sprintf("replace %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Products().Replace(made) }}
	case "change":
		color := int(p.number("color", 5))
		return command{fmt.Sprintf("change the color of %d to %d", id, color), func(tx port.Tx) (any, error) {
			found, err := tx.Products().Get(p.site, id)
			if err == nil {
				found.Color = color
				err = tx.Products().Replace(found)
			}
			return found, err
		}}
	case "delete":
		return command{fmt.Sprintf("delete %d", id), func(tx port.Tx) (any, error) {
			found, err := tx.Products().Get(p.site, id)
			if err == nil {
				found.Deleted = instant(1)
				err = tx.Products().Replace(found)
			}
			return found, err
		}}
	case "restore":
		return command{fmt.Sprintf("restore %d", id), func(tx port.Tx) (any, error) {
			found, err := tx.Products().Deleted(p.site, id)
			if err == nil {
				found.Deleted = time.Time{}
				err = tx.Products().Restore(found)
			}
			return found, err
		}}
	case "kept":
		return command{fmt.Sprintf("kept %d", id), func(tx port.Tx) (any, error) { return tx.Products().Kept(p.site, []product.ID{4, id}) }}
	case "many":
		ids := make([]product.ID, 0)
		for _, n := range p.numbers("ids", 5) {
			ids = append(ids, product.ID(n))
		}
		return draw(p, "of", command{fmt.Sprintf("many %d", ids), func(tx port.Tx) (any, error) { return tx.Products().Many(p.site, ids) }},
			command{fmt.Sprintf("existing %d", ids), func(tx port.Tx) (any, error) { return tx.Products().Existing(p.site, ids) }})
	case "scan":
		after, n := product.ID(p.number("after", 5)-1), int(p.number("n", 4)-1)
		return command{fmt.Sprintf("scan %d after %d", n, after), func(tx port.Tx) (any, error) { return tx.Products().Scan(p.site, after, n) }}
	case "owned":
		owner := customer.ID(p.number("customer", 3) - 1)
		return command{fmt.Sprintf("owned by %d", owner), func(tx port.Tx) (any, error) { return tx.Products().OwnedBy(p.site, owner) }}
	case "lots":
		parent := product.ID(p.number("parent", 5) - 1)
		return command{fmt.Sprintf("lots of %d", parent), func(tx port.Tx) (any, error) { return tx.Products().HasLots(p.site, parent) }}
	case "holder":
		made := p.product()
		return command{fmt.Sprintf("holder of %q at %d", made.Reference, made.Agency), func(tx port.Tx) (any, error) {
			return tx.Products().Holder(p.site, made.Agency, made.Reference)
		}}
	}
	return command{fmt.Sprintf("get %d", id), func(tx port.Tx) (any, error) { return tx.Products().Get(p.site, id) }}
}

func (p program) ledgerCommand() command {
	n := int(p.number("n", 4) - 1)
	switch draw(p, "command", "append", "after", "head", "touch", "next", "raise") {
	case "append":
		return command{fmt.Sprintf("append %d", n), func(tx port.Tx) (any, error) { return tx.Ledger().Append(p.site, instant(n), someEvents(n)) }}
	case "after":
		seq := p.number("seq", 5) - 1
		return command{fmt.Sprintf("%d after %d", n, seq), func(tx port.Tx) (any, error) { return tx.Ledger().After(p.site, seq, n) }}
	case "touch":
		aspect := draw(p, "aspect", port.AspectSettings, port.AspectAccess, port.AspectRejections)
		return command{fmt.Sprintf("touch %d", aspect), func(tx port.Tx) (any, error) { return nil, tx.Ledger().Touch(p.site, aspect) }}
	case "next":
		return command{fmt.Sprintf("next of %d", n), func(tx port.Tx) (any, error) { return tx.Numbers().NextReference(p.site, site.AgencyID(n)) }}
	case "raise":
		to := p.number("to", 20)
		return command{fmt.Sprintf("raise %d to %d", n, to), func(tx port.Tx) (any, error) {
			return nil, tx.Numbers().RaiseReference(p.site, site.AgencyID(n), to)
		}}
	}
	return command{"head in the unit", func(tx port.Tx) (any, error) { return tx.Ledger().Head(p.site) }}
}

func (p program) otherCommand() command {
	n, at := p.number("id", 3), instant(int(p.number("at", 3)))
	text := draw(p, "text", "", "a", awkward)
	hash := access.Hash(fmt.Sprint(p.site, "-", n))
	family := access.FamilyID(int64(p.site)*10 + n)
	ways := []command{
		{"put site " + text, func(tx port.Tx) (any, error) { return nil, tx.Sites().Put(site.Site{ID: p.site, Name: text}) }},
		{"site", func(tx port.Tx) (any, error) { return tx.Sites().Get(p.site) }},
		{"agency", func(tx port.Tx) (any, error) { return tx.Agencies().ByID(site.AgencyID(n)) }},
		{"put credential", func(tx port.Tx) (any, error) {
			return nil, tx.Credentials().Put(access.Credential{ID: access.CredentialID(fmt.Sprint("c", n)), Name: text})
		}},
		{"credentials", func(tx port.Tx) (any, error) { return tx.Credentials().All() }},
		{"held credential", func(tx port.Tx) (any, error) { return tx.Credentials().Held(access.CredentialID(fmt.Sprint("c", n))) }},
		{"key by hash", func(tx port.Tx) (any, error) { return tx.Keys().ByHash(keyHash(p.site, access.KeyID(n))) }},
		{"keys of a credential", func(tx port.Tx) (any, error) { return tx.Keys().OfCredential(keyHolder(p.site)) }},
		{"raise a use", func(tx port.Tx) (any, error) {
			return nil, tx.Usage().Used(access.Use{Credential: keyHolder(p.site), Key: access.KeyID(n), At: at})
		}},
		{"uses", func(tx port.Tx) (any, error) { return usesOf(tx, keyHolder(p.site)) }},
		{"live tokens", func(tx port.Tx) (any, error) { return tx.Tokens().Live(keyHolder(p.site), instant(1)) }},
		{"revoke tokens", func(tx port.Tx) (any, error) { return tx.Tokens().Revoke(keyHolder(p.site)) }},
		{"put token", func(tx port.Tx) (any, error) {
			if _, err := tx.Tokens().Family(family); errors.Is(err, fault.NotFound) { // which every token has
				err = tx.Tokens().PutFamily(access.Family{ID: family, Credential: keyHolder(p.site), Site: p.site})
				if err != nil {
					return nil, err
				}
			}
			return nil, tx.Tokens().Put(access.Token{Hash: hash, Family: family, Credential: keyHolder(p.site), Site: p.site, Expires: instant(int(n))})
		}},
		{"token", func(tx port.Tx) (any, error) { return tx.Tokens().Get(hash) }},
		{"put family", func(tx port.Tx) (any, error) {
			return nil, tx.Tokens().PutFamily(access.Family{ID: family, Credential: keyHolder(p.site), Site: p.site, Revoked: text == ""})
		}},
		{"family", func(tx port.Tx) (any, error) { return tx.Tokens().Family(family) }},
		{"purge", func(tx port.Tx) (any, error) { return tx.Tokens().Purge(instant(2), int(n)) }},
	}
	picked := draw(p, "command", ways...)
	picked.name += fmt.Sprintf(" %d", n)
	return picked
}
