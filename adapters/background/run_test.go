package background_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/background"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// outside is a sender and a geocoder that tell what they are asked.
type outside struct {
	sent    chan webhook.Request
	located chan product.Address
}

func newOutside() outside {
	return outside{make(chan webhook.Request, 9), make(chan product.Address, 9)}
}

func (o outside) Send(_ context.Context, r webhook.Request) webhook.Answer {
	o.sent <- r
	return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
}

func (o outside) Locate(_ context.Context, a product.Address) (product.Place, error) {
	o.located <- a
	return product.Place{}, fault.NotFound
}

// running does what the options say until stop is called.
func running(t *testing.T, w *apitest.World, o background.Options) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		if err := background.Run(ctx, w.Service, o); err != nil {
			t.Error(err)
		}
	})
	return func() {
		cancel()
		work.Wait()
	}
}

// hooked is a network with a webhook, and a delivery that waits.
func hooked(t *testing.T) (*apitest.World, int64) {
	t.Helper()
	w := apitest.New(t)
	hook := w.Subscribe(w.As("full", 1), apitest.HookFor("PRODUCT_CREATE"))
	w.CreateProduct("Ville", "Lyon", "CodePostal", "69003")
	return w, hook
}

func TestAllOfItIsDoneUntilTheEnd(t *testing.T) {
	w, hook := hooked(t)
	out := newOutside()
	var log bytes.Buffer
	stop := running(t, w, background.Options{
		Sender: out, Geocoder: out, Copiers: 2, Sweep: 1, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if sent := <-out.sent; !strings.Contains(string(sent.Body), "PRODUCT_CREATE") {
		t.Errorf("%s was sent", sent.Body)
	}
	if asked := <-out.located; asked.City != "Lyon" {
		t.Errorf("%+v was asked about", asked)
	}
	stop()
	if got := w.Statuses(w.As("full", 1), hook); len(got) != 1 || got[0] != "succeeded" {
		t.Errorf("the delivery is %q", got)
	}
	if !strings.Contains(log.String(), "msg=delivery") || !strings.Contains(log.String(), "verdict=accepted") {
		t.Errorf("the log says %s", log.String())
	}
}

func TestWhatIsLeftOutIsNotDone(t *testing.T) {
	w, hook := hooked(t)
	out := newOutside()
	stop := running(t, w, background.Options{Geocoder: out, Logger: slog.New(slog.DiscardHandler)})
	<-out.located
	stop()
	if got := w.Statuses(w.As("full", 1), hook); len(got) != 1 || got[0] != "pending" {
		t.Errorf("the delivery is %q", got)
	}
}

// What is used is stored at the end, though a minute is not over.
func TestTheEndStoresWhatIsKeptInMemory(t *testing.T) {
	w := apitest.New(t)
	w.As("full", 1)
	background.Flush(t.Context(), w.Service, slog.New(slog.DiscardHandler))
	uses, err := w.Service.Tokens.Uses(t.Context(), w.As("full", 1))
	if err != nil || len(uses) == 0 {
		t.Errorf("%v, %v", uses, err)
	}
}
