package porttest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// bulkExamples are about several products at once: as the store offers them, and as they are
// where it offers none.
func bulkExamples() (all []example) {
	offered := func(tx port.Tx) port.Products { return tx.Products() }
	oneByOne := func(tx port.Tx) port.Products { return struct{ port.Products }{tx.Products()} }
	for _, of := range []struct {
		name string
		run  func(*testing.T, *world, func(port.Tx) port.Products)
	}{
		{"ProductsAddedAtOnceComeBack", addedAtOnce},
		{"SeveralReferencesHaveTheirHolders", severalHolders},
		{"ProductsReplacedAtOnceComeBack", replacedAtOnce},
		{"OneTakenReferenceKeepsAllFromBeingAdded", oneIsTaken},
		{"OneThatIsGoneKeepsAllFromBeingReplaced", oneIsGone},
		{"OneOfSeveralCannotTakeAReference", oneCannotTake},
		{"NoChangeOfSeveralProductsIsLost", noneOfSeveralLost},
	} {
		all = append(all,
			example{of.name, func(t *testing.T, w *world) { of.run(t, w, offered) }},
			example{of.name + "OneByOne", func(t *testing.T, w *world) { of.run(t, w, oneByOne) }})
	}
	return all
}

func samplesOf(id site.ID, numbers ...product.ID) (all []product.Product) {
	for _, n := range numbers {
		all = append(all, sampleProduct(id, n))
	}
	return all
}

// areKept demands that a site has these products, by id.
func areKept(t *testing.T, w *world, id site.ID, want ...product.Product) {
	t.Helper()
	ids := []product.ID{}
	for n := range product.ID(300) {
		ids = append(ids, n)
	}
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Products().Many(id, ids)
		same(t, "products", want, got)
		return err
	})
}

func addedAtOnce(t *testing.T, w *world, of func(port.Tx) port.Products) {
	id, other := w.site(t), w.site(t)
	full := samplesOf(id, 3, 1, 12)
	full[1] = plainProduct(id, 1)
	w.update(t, func(tx port.Tx) error {
		err := errors.Join(appends(tx, id, 3), port.AddAll(of(tx), full))
		// The rest of the unit finds them.
		got, err2 := port.GetAll(of(tx), id, []product.ID{12, 4, 1, 12})
		same(t, "what the unit has added", []product.Product{full[1], full[2]}, got)
		return errors.Join(err, err2, port.AddAll(of(tx), nil), port.AddAll(of(tx), samplesOf(other, 2)))
	})
	areKept(t, w, id, full[1], full[0], full[2])
	areKept(t, w, other, samplesOf(other, 2)...)
	same(t, "head", port.Head{Seq: 3}, w.head(t, id))
	holder(t, w, id, full[0].Agency, full[0].Reference, 3)
	many := make([]product.ID, 250)
	for i := range many {
		many[i] = product.ID(i + 20)
	}
	w.update(t, func(tx port.Tx) error { return port.AddAll(of(tx), samplesOf(other, many...)) })
	areKept(t, w, other, samplesOf(other, append([]product.ID{2}, many...)...)...)
}

func severalHolders(t *testing.T, w *world, of func(port.Tx) port.Products) {
	id, other := w.site(t), w.site(t)
	first, gone := plainProduct(id, 1), plainProduct(id, 2)
	first.Reference, gone.Reference = "Maison-Été 1", `O'Brien "2"`
	w.update(t, func(tx port.Tx) error {
		err := port.AddAll(of(tx), []product.Product{first, gone})
		gone.Deleted = instant(0)
		return errors.Join(err, tx.Products().Replace(gone), tx.Products().Add(plainProduct(other, 1)))
	})
	check := func(tx port.Tx) (err error) {
		for _, c := range []struct {
			what       string
			agency     site.AgencyID
			references []string
			want       map[string]product.ID
		}{
			{"some", 1, []string{"maison-ete  1", "x", gone.Reference, "Maison-Été 1"}, map[string]product.ID{product.FoldReference(first.Reference): 1, product.FoldReference(gone.Reference): 2}},
			{"those of another agency", 2, []string{"maison-ete 1"}, map[string]product.ID{}},
			{"none", 1, nil, map[string]product.ID{}},
		} {
			got, err2 := port.Holders(of(tx), id, c.agency, c.references)
			same(t, c.what, c.want, got)
			err = errors.Join(err, err2)
		}
		return err
	}
	w.view(t, check)
	w.update(t, check)
}

func replacedAtOnce(t *testing.T, w *world, of func(port.Tx) port.Products) {
	id, other := w.site(t), w.site(t)
	populate(t, w, id, 1, 2, 3)
	populate(t, w, other, 1, 2)
	changed := []product.Product{plainProduct(id, 3), plainProduct(id, 1)}
	w.update(t, func(tx port.Tx) error {
		err := port.ReplaceAll(of(tx), changed)
		got, err2 := port.GetAll(of(tx), id, []product.ID{3, 1, 2, 9})
		same(t, "what the unit has replaced", []product.Product{changed[1], sampleProduct(id, 2), changed[0]}, got)
		return errors.Join(err, err2, port.ReplaceAll(of(tx), nil))
	})
	areKept(t, w, id, changed[1], sampleProduct(id, 2), changed[0])
	areKept(t, w, other, samplesOf(other, 1, 2)...)
	back := samplesOf(id, 1, 2, 3)
	w.update(t, func(tx port.Tx) error { return port.ReplaceAll(of(tx), back) })
	areKept(t, w, id, back...)
	gone := deletedProduct(id, 2, instant(1))
	w.update(t, func(tx port.Tx) error { return port.ReplaceAll(of(tx), []product.Product{plainProduct(id, 1), gone}) })
	areKept(t, w, id, plainProduct(id, 1), back[2])
	holder(t, w, id, gone.Agency, gone.Reference, 2)
}

// fails demands that a unit fails in a way, and leaves nothing behind.
func (w *world) fails(t *testing.T, id site.ID, want error, fn func(port.Tx) error) {
	t.Helper()
	before := w.head(t, id)
	err := w.Update(t.Context(), func(tx port.Tx) error { return errors.Join(appends(tx, id, 2), fn(tx)) })
	if !errors.Is(err, want) {
		t.Errorf("the unit ended with %v, want %v", err, want)
	}
	same(t, "head", before, w.head(t, id))
}

func oneIsTaken(t *testing.T, w *world, of func(port.Tx) port.Products) {
	id := w.site(t)
	populate(t, w, id, 1)
	taken, twice := samplesOf(id, 2, 3, 4), samplesOf(id, 2, 3)
	taken[1].Reference, twice[1].Reference = sampleProduct(id, 1).Reference, twice[0].Reference
	for name, added := range map[string][]product.Product{"taken": taken, "twice": twice} {
		w.fails(t, id, port.ErrReferenceTaken, func(tx port.Tx) error { return port.AddAll(of(tx), added) })
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Products().Many(id, []product.ID{1, 2, 3, 4})
			same(t, fmt.Sprint("products, ", name), samplesOf(id, 1), got)
			return err
		})
	}
	elsewhere := taken[1]
	elsewhere.Agency++
	w.update(t, func(tx port.Tx) error { return port.AddAll(of(tx), []product.Product{elsewhere, sampleProduct(id, 4)}) })
	areKept(t, w, id, sampleProduct(id, 1), elsewhere, sampleProduct(id, 4))
}

func oneIsGone(t *testing.T, w *world, of func(port.Tx) port.Products) {
	id := w.site(t)
	populate(t, w, id, 1, 2)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(deletedProduct(id, 2, instant(1))) })
	for _, n := range []product.ID{2, 3} {
		w.fails(t, id, fault.NotFound, func(tx port.Tx) error {
			return port.ReplaceAll(of(tx), []product.Product{plainProduct(id, 1), plainProduct(id, n)})
		})
		areKept(t, w, id, samplesOf(id, 1)...)
	}
}

func oneCannotTake(t *testing.T, w *world, of func(port.Tx) port.Products) {
	id := w.site(t)
	populate(t, w, id, 1, 2, 3)
	changed := []product.Product{plainProduct(id, 2), plainProduct(id, 3)}
	changed[1].Reference = sampleProduct(id, 1).Reference
	w.fails(t, id, port.ErrReferenceTaken, func(tx port.Tx) error { return port.ReplaceAll(of(tx), changed) })
	areKept(t, w, id, samplesOf(id, 1, 2, 3)...)
}

func noneOfSeveralLost(t *testing.T, w *world, of func(port.Tx) port.Products) {
	id := w.site(t)
	populate(t, w, id, 1, 2)
	first := sampleProduct(id, 1)
	first.Version = 0
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(first) })
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		got, err := port.GetAll(of(tx), id, []product.ID{2, 1})
		if err != nil {
			return 0, err
		}
		return got[0].Version, nil
	}, func(tx port.Tx) error {
		got, err := port.GetAll(of(tx), id, []product.ID{1, 2})
		if err != nil {
			return err
		}
		got[0].Version++
		return port.ReplaceAll(of(tx), got)
	})
}
