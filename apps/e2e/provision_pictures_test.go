package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// withPictures describes a product of agency 11 with pictures.
func withPictures(model string, pictures ...transfer.SetupPicture) transfer.Setup {
	site := stages()[1].Sites[0]
	changed := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	site.Products = []transfer.SetupProduct{{
		Model: model, AgencyID: 11, WebStatus: true, DateAdded: changed, LastModified: changed, Pictures: pictures,
	}}
	return transfer.Setup{Sites: []transfer.SetupSite{site}}
}

func setupPicture(label string, content []byte) transfer.SetupPicture {
	return transfer.SetupPicture{Label: label, Open: func(context.Context) (listing.File, error) {
		return listing.File{Content: bytes.NewReader(content), Size: int64(len(content))}, nil
	}}
}

func TestAProvisionedProductHasItsPicturesFromTheBeginning(t *testing.T) {
	onEach(t, "provisioned pictures", func(t *testing.T, w *world) {
		described := withPictures("PIC-1", setupPicture("Façade", picture(900, 600, 1)), setupPicture("Séjour", picture(1000, 600, 2)))
		c := w.network(t)
		told := c.ledger()
		done, err := w.Transfer.Provision(t.Context(), described)
		if err != nil || done.Added != 1 {
			t.Fatalf("provisioning: %+v, %v", done, err)
		}
		id := c.search(object{"keyword": "PIC-1"}).is(200).id("data.0.id")
		told.tells(fmt.Sprint("PRODUCT_CREATE ", id))
		c.get(product(id)).is(200).equals("data.last_modified", "2026-01-02T03:04:05.000Z").equals("data.photos_count", 2)
		for n, photo := range c.pictures(id) {
			if photo["label"] != []string{"Façade", "Séjour"}[n] || photo["width"] != []float64{900, 1000}[n] {
				t.Errorf("picture %d is %v", n, photo)
			}
			w.stranger(t).get(photo["url"].(string)).is(200)
		}
		again, err := w.Transfer.Provision(t.Context(), described)
		if err != nil || again.Added != 0 || again.Changed != 0 {
			t.Errorf("a second run: %+v, %v", again, err)
		}
	}, overOneConnection)
}

func TestAPictureThatCannotBeKeptRefusesTheSetup(t *testing.T) {
	onEach(t, "refused pictures", func(t *testing.T, w *world) {
		broken := transfer.SetupPicture{Open: func(context.Context) (listing.File, error) { return listing.File{}, errors.New("no such file") }}
		for why, bad := range map[string]transfer.SetupPicture{
			"no such file":        broken,
			"not a JPEG":          setupPicture("", []byte("text")),
			"at least 800 pixels": setupPicture("", picture(300, 200)),
			"file is empty":       setupPicture("", nil),
		} {
			_, err := w.Transfer.Provision(t.Context(), withPictures("PIC-2", setupPicture("", picture(900, 600)), bad))
			if err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), `"PIC-2" of agency 11`) {
				t.Errorf("a picture with %q wrong is refused with %v", why, err)
			}
		}
		if n := w.network(t).count(object{"keyword": "PIC-2"}); n != 0 {
			t.Errorf("%d products are there all the same", n)
		}
	})
}
