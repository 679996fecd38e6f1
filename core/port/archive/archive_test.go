package archive_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/archive"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

const id site.ID = 7

// item is what a tape keeps: records of a kind, or a picture.
type item struct {
	Kind    string
	Records []any
	Picture string
	Content string
}

// tape is an archive in memory.
type tape struct {
	of    site.ID
	items []item
	// failAt makes Each fail before an item.
	failAt int
}

func (p *tape) Site() site.ID { return p.of }

func (p *tape) Records(k archive.Kind, records []any) error {
	p.items = append(p.items, item{Kind: k.Name, Records: slices.Clone(records)})
	return nil
}

func (p *tape) Picture(sha256 string, content []byte) error {
	p.items = append(p.items, item{Picture: sha256, Content: string(content)})
	return nil
}

var errTorn = errors.New("torn")

func (p *tape) Each(_ context.Context, sink archive.Sink) error {
	for i, at := range p.items {
		if i+1 == p.failAt {
			return errTorn
		}
		var err error
		if k, known := archive.KindOf(at.Kind); known {
			err = sink.Records(k, at.Records)
		} else {
			err = sink.Picture(at.Picture, []byte(at.Content))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func quiet(archive.Summary) {}

func nothingFirst(port.Tx) error { return nil }

func exported(t *testing.T, store port.Store, blobs port.Blobs) (*tape, archive.Summary) {
	t.Helper()
	p := &tape{of: id}
	done, err := archive.Export(t.Context(), store, blobs, id, p, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return p, done
}

func imported(t *testing.T, store port.Store, blobs port.Blobs, from archive.Source) archive.Summary {
	t.Helper()
	done, err := archive.Import(t.Context(), store, blobs, from, nothingFirst, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func sameTapes(t *testing.T, want, got *tape) {
	t.Helper()
	if d := cmp.Diff(want.items, got.items, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("the archives differ (-first +second):\n%s", d)
	}
}

func filled(t *testing.T) port.Store {
	t.Helper()
	store := memstore.New()
	porttest.FillSite(t, store, id)
	return store
}

func blobs() port.Blobs {
	return memstore.NewBlobs(func() time.Time { return time.Unix(1, 0) })
}

func TestASiteComesBackWhole(t *testing.T) {
	first, done := exported(t, filled(t), nil)
	seen := map[string]bool{}
	for _, at := range first.items {
		seen[at.Kind] = true
	}
	for _, k := range archive.Kinds() {
		if !seen[k.Name] {
			t.Errorf("the sample site has no %s", k.Name)
		}
	}
	if done.Records < len(archive.Kinds()) || done.Lost != 4 {
		t.Errorf("exported %+v", done)
	}
	other := memstore.New()
	again := imported(t, other, nil, first)
	if again != done {
		t.Errorf("imported %+v, of %+v", again, done)
	}
	second, _ := exported(t, other, nil)
	sameTapes(t, first, second)
}

// TestAnySiteComesBackWhole: whatever was done at a site, it is the same in another
// store.
func TestAnySiteComesBackWhole(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		store, other := memstore.New(), memstore.New()
		porttest.RandomSite(r, store, id)
		first, second := &tape{of: id}, &tape{of: id}
		if _, err := archive.Export(t.Context(), store, nil, id, first, quiet); err != nil {
			r.Fatal(err)
		}
		if _, err := archive.Import(t.Context(), other, nil, first, nothingFirst, quiet); err != nil {
			r.Fatal(err)
		}
		if _, err := archive.Export(t.Context(), other, nil, id, second, quiet); err != nil {
			r.Fatal(err)
		}
		if d := cmp.Diff(first.items, second.items, cmpopts.EquateEmpty()); d != "" {
			r.Fatalf("(-first +second)\n%s", d)
		}
	})
}

func TestOtherSitesAreNoPartOfAnArchive(t *testing.T) {
	store := filled(t)
	before, _ := exported(t, store, nil)
	porttest.FillSite(t, store, id+1)
	after, _ := exported(t, store, nil)
	after.items, before.items = withoutSequences(after.items), withoutSequences(before.items)
	sameTapes(t, before, after)
}

// withoutSequences: ids are drawn for all sites of a database together.
func withoutSequences(items []item) []item {
	return slices.DeleteFunc(items, func(i item) bool { return i.Kind == "sequences" })
}

// TestNoIDIsUsedAgain: what was drawn in the first database is not drawn in the
// second, whatever became of it.
func TestNoIDIsUsedAgain(t *testing.T) {
	store, other := filled(t), memstore.New()
	from, _ := exported(t, store, nil)
	imported(t, other, nil, from)
	for s := range port.Sequences {
		if s == port.OperatorIDs || s == port.AuditIDs || s == port.ImportIDs {
			continue // what they name is of no site, or no archive has it
		}
		var drawn [2][]int64
		for i, db := range []port.Store{store, other} {
			if err := db.Update(t.Context(), func(tx port.Tx) (err error) {
				drawn[i], err = tx.NextIDs(s, 1)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		if drawn[0][0] != drawn[1][0] {
			t.Errorf("sequence %d goes on with %d, and with %d after the move", s, drawn[0][0], drawn[1][0])
		}
	}
}

// TestAnImportThatIsTornLeavesNothing: wherever it is torn, the site is not
// there, and it can be repeated.
func TestAnImportThatIsTornLeavesNothing(t *testing.T) {
	from, done := exported(t, filled(t), nil)
	other := memstore.New()
	for from.failAt = 1; from.failAt <= len(from.items); from.failAt++ {
		if _, err := archive.Import(t.Context(), other, nil, from, nothingFirst, quiet); !errors.Is(err, errTorn) {
			t.Fatalf("torn before item %d: %v", from.failAt, err)
		}
		if _, err := other.Head(t.Context(), id); !errors.Is(err, fault.NotFound) {
			t.Fatalf("torn before item %d, and there is a site: %v", from.failAt, err)
		}
	}
	from.failAt = 0
	if again := imported(t, other, nil, from); again != done {
		t.Errorf("imported %+v, of %+v", again, done)
	}
	second, _ := exported(t, other, nil)
	sameTapes(t, from, second)
}

// torn is a source that fails only once records are being stored.
type torn struct {
	*tape
	rounds int
}

func (s *torn) Each(ctx context.Context, sink archive.Sink) error {
	if s.rounds++; s.rounds > 2 {
		p := *s.tape
		p.failAt = s.rounds - 2
		return p.Each(ctx, sink)
	}
	return s.tape.Each(ctx, sink)
}

func TestAUnitThatIsTornLeavesNothing(t *testing.T) {
	from, _ := exported(t, filled(t), nil)
	for n := range from.items {
		other := memstore.New()
		if _, err := archive.Import(t.Context(), other, nil, &torn{from, n}, nothingFirst, quiet); n > 1 && !errors.Is(err, errTorn) {
			t.Fatalf("%d: %v", n, err)
		}
		if n < 2 {
			continue
		}
		if _, err := other.Head(t.Context(), id); !errors.Is(err, fault.NotFound) {
			t.Fatalf("%d: there is a site: %v", n, err)
		}
	}
}

func TestAnImportIsRefusedWhereSomethingIsThere(t *testing.T) {
	from, _ := exported(t, filled(t), nil)
	record := func(kind string) any {
		n := slices.IndexFunc(from.items, func(i item) bool { return i.Kind == kind })
		return from.items[n].Records[0]
	}
	for name, c := range map[string]struct {
		there func(port.Tx) error
		want  string
	}{
		"the site": {func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id}) }, "site 7 is there already"},
		"its agency": {func(tx port.Tx) error {
			return tx.Agencies().Put(site.Agency{ID: record("agencies").(site.Agency).ID, Site: 3})
		}, "is there already, as one of site 3"},
		"a family": {func(tx port.Tx) error {
			return tx.Tokens().PutFamily(access.Family{ID: record("token_families").(access.Family).ID, Site: 3})
		}, "are there already, as those of site 3"},
		"a token": {func(tx port.Tx) error {
			return tx.Tokens().Put(access.Token{Hash: record("tokens").(access.Token).Hash, Site: 3})
		}, "a token is there already"},
		"another credential of its name": {func(tx port.Tx) error {
			return tx.Credentials().Put(access.Credential{ID: record("credentials").(access.Credential).ID, Secret: "another"})
		}, "is there already, and is another one"},
	} {
		t.Run(name, func(t *testing.T) {
			other, pictures := memstore.New(), blobs()
			if err := other.Update(t.Context(), c.there); err != nil {
				t.Fatal(err)
			}
			_, err := archive.Import(t.Context(), other, pictures, from, nothingFirst, quiet)
			if !errors.Is(err, fault.Conflict) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if err := archive.Check(t.Context(), other, from); !errors.Is(err, fault.Conflict) {
				t.Errorf("checked: %v", err)
			}
			_, err = other.Head(t.Context(), id)
			if name != "the site" && !errors.Is(err, fault.NotFound) {
				t.Errorf("there is a site: %v", err)
			}
		})
	}
}

// TestAClientOfTwoSitesComesWithEach: an archive says what a client may do at its
// own site, and two archives say it of both.
func TestAClientOfTwoSitesComesWithEach(t *testing.T) {
	store, other := memstore.New(), memstore.New()
	client := access.Credential{ID: "both", Sites: []site.ID{1, 2}, Packs: access.Properties, Permissions: []access.Permission{access.All}}
	if err := store.Update(t.Context(), func(tx port.Tx) error {
		return errors.Join(tx.Sites().Put(site.Site{ID: 1}), tx.Sites().Put(site.Site{ID: 2}), tx.Credentials().Put(client),
			tx.Credentials().Put(access.Credential{ID: "elsewhere", Sites: []site.ID{3}}))
	}); err != nil {
		t.Fatal(err)
	}
	for n, id := range []site.ID{1, 2} {
		from := &tape{of: id}
		if _, err := archive.Export(t.Context(), store, nil, id, from, quiet); err != nil {
			t.Fatal(err)
		}
		imported(t, other, nil, from)
		if err := other.View(t.Context(), func(tx port.Tx) error {
			all, err := tx.Credentials().All()
			want := client
			want.Sites = client.Sites[:n+1]
			if !reflect.DeepEqual(all, []access.Credential{want}) {
				t.Errorf("after %d archives: %+v", n+1, all)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatComesFirstDecides(t *testing.T) {
	from, _ := exported(t, filled(t), nil)
	other := memstore.New()
	no := errors.New("no")
	if _, err := archive.Import(t.Context(), other, nil, from, func(port.Tx) error { return no }, quiet); !errors.Is(err, no) {
		t.Errorf("got %v", err)
	}
	if _, err := other.Head(t.Context(), id); !errors.Is(err, fault.NotFound) {
		t.Errorf("there is a site: %v", err)
	}
}

func TestAnAbsentSiteCannotBeExported(t *testing.T) {
	_, err := archive.Export(t.Context(), memstore.New(), nil, 9, &tape{}, quiet)
	if !errors.Is(err, fault.NotFound) || err.Error() != "there is no site 9" {
		t.Errorf("got %v", err)
	}
}

// gallery is a site whose products have pictures: n products, of which every one
// has its own, and the same one as all others; two are lost, one of them of a
// deleted product, and one is another than it should be.
func gallery(t *testing.T, n int) (port.Store, port.Blobs) {
	t.Helper()
	store, pictures := memstore.New(), blobs()
	keep := func(p product.Product, q product.Picture, content string) {
		if err := pictures.Put(t.Context(), p.PictureKey(q), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	picture := func(n product.PictureID, content string) product.Picture {
		sum := sha256.Sum256([]byte(content))
		return product.Picture{ID: n, SHA256: hex.EncodeToString(sum[:])}
	}
	if err := store.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.Sites().Put(site.Site{ID: id}); err != nil {
			return err
		}
		for i := range n {
			p := product.Product{ID: product.ID(i + 1), Site: id, Reference: fmt.Sprint(i)}
			own, same := picture(product.PictureID(2*i+1), fmt.Sprint("picture ", i)), picture(product.PictureID(2*i+2), "the same")
			p.Pictures = []product.Picture{own, same}
			keep(p, same, "the same")
			switch i {
			case 3:
			case 4:
				p.Deleted = time.Unix(1, 0)
			case 5:
				keep(p, own, "something else")
			default:
				keep(p, own, fmt.Sprint("picture ", i))
			}
			if err := tx.Products().Add(p); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return store, pictures
}

func TestPicturesComeBackWithTheirProducts(t *testing.T) {
	const n = 120
	store, pictures := gallery(t, n)
	from, done := exported(t, store, pictures)
	if done.Lost != 3 || done.Pictures != n-3+3 { // the same one once per page
		t.Errorf("exported %+v", done)
	}
	other, elsewhere := memstore.New(), blobs()
	if again := imported(t, other, elsewhere, from); again != done {
		t.Errorf("imported %+v, of %+v", again, done)
	}
	second, _ := exported(t, other, elsewhere)
	sameTapes(t, from, second)
	kept := 0
	for _, err := range elsewhere.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		kept++
	}
	if kept != 2*n-3 {
		t.Errorf("%d pictures are kept", kept)
	}
	if _, err := archive.Import(t.Context(), memstore.New(), nil, from, nothingFirst, quiet); err == nil || !strings.Contains(err.Error(), "no place for them") {
		t.Errorf("without a place for pictures: %v", err)
	}
}

func TestAPictureOfNobodyIsRefused(t *testing.T) {
	whole, _ := exported(t, filled(t), nil)
	for at := range len(whole.items) + 1 {
		from := &tape{of: id, items: slices.Insert(slices.Clone(whole.items), at, item{Picture: "ab", Content: "c"})}
		other := memstore.New()
		if _, err := archive.Import(t.Context(), other, blobs(), from, nothingFirst, quiet); !errors.Is(err, fault.Invalid) {
			t.Errorf("at %d: %v", at, err)
		}
		if _, err := other.Head(t.Context(), id); !errors.Is(err, fault.NotFound) {
			t.Errorf("at %d there is a site: %v", at, err)
		}
	}
}

func TestProgressIsTold(t *testing.T) {
	store, pictures := gallery(t, 60)
	var told []archive.Summary
	tell := func(s archive.Summary) { told = append(told, s) }
	from := &tape{of: id}
	done, err := archive.Export(t.Context(), store, pictures, id, from, tell)
	if err != nil || told[len(told)-1] != done {
		t.Errorf("%v: %+v after %+v", err, done, told)
	}
	told = nil
	done, err = archive.Import(t.Context(), memstore.New(), blobs(), from, nothingFirst, tell)
	if err != nil || told[len(told)-1] != done {
		t.Errorf("%v: %+v after %+v", err, done, told)
	}
}
