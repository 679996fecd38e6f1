package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// picture gives a product a picture, and returns the product's id.
func (w *world) picture(of int64) int64 {
	w.Helper()
	w.must(w.store.Update(w.Context(), func(tx port.Tx) error {
		p, err := tx.Products().Get(1, product.ID(of))
		if err != nil {
			return err
		}
		p.Pictures = []product.Picture{{
			ID: 1, Visibility: product.Public, Label: "La façade", Width: 300, Height: 200, Size: 7, ContentType: "image/jpeg", SHA256: strings.Repeat("0a", 32),
		}}
		if err := w.blobs.Put(w.Context(), p.PictureKey(p.Pictures[0]), []byte("picture")); err != nil {
			return err
		}
		return tx.Products().Replace(p)
	}))
	return of
}

func TestTheCatalogueIsNarrowedByText(t *testing.T) {
	w := newWorld(t)
	w.product("TypeBien", "Maison", "Ville", "Lyon", "Prix", 250_000)
	w.product("TypeBien", "Appartement", "Ville", "Brest")
	b := w.signedIn(w.operator(operator.Reader, 1))
	all := b.get("/products").text
	for _, part := range []string{"2 products", "Lyon", "Brest", `href="/console/products?TypeBien=Maison"`, "250,000 EUR", "Label Maison"} {
		if !strings.Contains(all, part) {
			t.Errorf("the catalogue lacks %q:\n%s", part, all)
		}
	}
	houses := b.get("/products?TypeBien=Maison&q=lyon").text
	for part, wanted := range map[string]bool{
		"1 product": true, "Lyon": true, "Brest": false, `aria-current="true"`: true, `href="/console/products?q=lyon"`: true,
		`&#34;keyword&#34;:&#34;lyon&#34;`: true, `{&#34;id&#34;:&#34;TypeBien&#34;,&#34;operator&#34;:&#34;EGAL&#34;,&#34;value&#34;:&#34;Maison&#34;}`: true,
	} {
		if strings.Contains(houses, part) != wanted {
			t.Errorf("among houses %q is there: %v:\n%s", part, !wanted, houses)
		}
	}
	if none := b.get("/products?q=zzz").text; !strings.Contains(none, "No products are like that") || !strings.Contains(none, "Clear the filter") {
		t.Error(none)
	}
	for _, bad := range []string{"/products?agency=eleven", "/products?TypeBien=Palace"} {
		if answer := b.get(bad); answer.StatusCode != http.StatusOK || !strings.Contains(answer.text, `class="wrong"`) {
			t.Errorf("%s: %d\n%s", bad, answer.StatusCode, answer.text)
		}
	}
}

func TestTheCatalogueIsShownPageByPage(t *testing.T) {
	w := newWorld(t)
	for range 51 {
		in := apitest.InAgency(11)
		_, err := w.site.Listing.CreateProduct(w.Context(), w.full(), in)
		w.must(err)
	}
	b := w.signedIn(w.operator(operator.Reader, 1))
	first, second := b.get("/products").text, b.get("/products?skip=50").text
	if !strings.Contains(first, `href="/console/products?skip=50"`) || strings.Count(first, `<tr role="row">`) != 51 || strings.Count(second, `<tr role="row">`) != 2 || !strings.Contains(second, "Previous page") {
		t.Errorf("%d and %d rows", strings.Count(first, `<tr role="row">`), strings.Count(second, `<tr role="row">`))
	}
}

func TestAProductShowsWhatIsKnownOfIt(t *testing.T) {
	w := newWorld(t)
	id := w.picture(w.product("TypeBien", "Maison", "Ville", "Lyon", "Prix", 250_000, "Alentour", "45.7640,4.8357", "Remarques", "la clé est chez le voisin"))
	_, err := w.site.Listing.UpdateProduct(w.Context(), w.full(), listing.UpdateProduct{
		ID: id, ProductID: opt.Of(id), Change: product.Change{Criteria: apitest.Criteria("Prix", 240_000)},
	})
	w.must(err)
	admin := w.signedIn(w.operator(operator.Administrator, 1)).get("/products/1").text
	for _, part := range []string{
		"240,000", "Label Maison", "la clé est chez le voisin", "45.7640° N, 4.8357° E", "<polygon", `src="/console/products/1/pictures/1"`, "La façade",
		"PRODUCT_UPDATE", ">Prix<", "/api/v2/site/products/1?fetch=",
	} {
		if !strings.Contains(admin, part) {
			t.Errorf("the page lacks %q:\n%s", part, admin)
		}
	}
	reader := w.signedIn(w.operator(operator.Reader, 1))
	if text := reader.get("/products/1").text; strings.Contains(text, "voisin") {
		t.Error("a reader sees what is private")
	}
	if picture := reader.get("/products/1/pictures/1"); picture.text != "picture" || picture.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the picture is %q, %s", picture.text, picture.Header.Get("Content-Type"))
	}
	for _, absent := range []string{"/products/99", "/products/x", "/products/1/pictures/9"} {
		if answer := reader.get(absent); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", absent, answer.StatusCode)
		}
	}
}
