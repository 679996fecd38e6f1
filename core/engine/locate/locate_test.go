package locate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/engine/locate"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// geocoder answers as told, and remembers what it was asked.
type geocoder struct {
	mu     sync.Mutex
	answer func(product.Address) (product.Place, error)
	asked  []product.Address
}

// Locate implements port.Geocoder.
func (g *geocoder) Locate(_ context.Context, a product.Address) (product.Place, error) {
	g.mu.Lock()
	g.asked = append(g.asked, a)
	answer := g.answer
	g.mu.Unlock()
	return answer(a)
}

func (g *geocoder) answers(answer func(product.Address) (product.Place, error)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answer = answer
}

// heard are the questions so far, as "street, postal code city".
func (g *geocoder) heard() (heard []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, a := range g.asked {
		heard = append(heard, fmt.Sprintf("%s, %s %s %s", a.Street, a.PostalCode, a.City, a.Country))
	}
	return heard
}

func at(latitude, longitude float64, from product.Source) product.Place {
	return product.Place{Position: criteria.Position{Latitude: latitude, Longitude: longitude}, Source: from, Score: 0.9}
}

// everywhere knows every address: the house at 45.1, the town at 45.2.
func everywhere(a product.Address) (product.Place, error) {
	if a.Street == "" {
		return at(45.2, 4.8, product.FromCity), nil
	}
	return at(45.1, 4.8, product.FromAddress), nil
}

func nowhere(product.Address) (product.Place, error) { return product.Place{}, fault.NotFound }

var errDown = errors.New("the geocoder is down")

func down(product.Address) (product.Place, error) { return product.Place{}, errDown }

// complaints are what a locator complained about.
type complaints struct {
	mu      sync.Mutex
	givenUp []product.ID
	trouble []error
}

func (c *complaints) GivenUp(_ site.ID, id product.ID, _ error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.givenUp = append(c.givenUp, id)
}

func (c *complaints) Trouble(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trouble = append(c.trouble, err)
}

func (c *complaints) givenUpOn() []product.ID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.givenUp)
}

func (c *complaints) troubles() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.trouble)
}

// locating looks up addresses in the background until stop is called.
func (w *world) locating(g port.Geocoder) (heard *complaints, stop func()) {
	ticker := time.NewTicker(time.Millisecond)
	heard, cancel := w.locatingAt(ticker.C, g)
	stop = func() {
		cancel()
		ticker.Stop()
	}
	w.T.Cleanup(stop)
	return heard, stop
}

func (w *world) locatingAt(tick <-chan time.Time, g port.Geocoder) (heard *complaints, stop func()) {
	ctx, cancel := context.WithCancel(w.T.Context())
	heard = &complaints{}
	o := locate.DefaultOptions()
	o.Tick, o.Observe = tick, heard
	var work sync.WaitGroup
	work.Go(func() {
		if err := w.Run(ctx, g, o); err != nil {
			w.T.Error(err)
		}
	})
	return heard, func() {
		cancel()
		work.Wait()
	}
}

// caughtUp waits until the locator has seen everything.
func (w *world) caughtUp() {
	w.T.Helper()
	w.Eventually("the locator has caught up", func() bool {
		left, err := w.Backlog(w.T.Context())
		return err == nil && left == locate.Backlog{}
	})
}

// lyon is a house in a street of Lyon.
func lyon(street string) criteria.Values {
	return criteria.Values{"Adresse": criteria.Text(street), "CodePostal": criteria.Text("69003"), "Ville": criteria.Text("Lyon")}
}

// text is one criterion.
func text(key, value string) criteria.Values { return criteria.Values{key: criteria.Text(value)} }

// price is another.
func price(of int) criteria.Values { return criteria.Values{"Prix": criteria.Number(of)} }

func TestK19_AnAddressIsLookedUpAfterTheCommit(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: everywhere}
	seq := w.Seq(1)
	w.locating(g)
	id := w.create(lyon("12 rue du Lac"))
	w.caughtUp()
	p := w.position(id)
	if p == nil || p.Latitude != 45.1 || p.Longitude != 4.8 || p.Source != "address" || p.Score != 0.9 {
		t.Errorf("the position is %+v", p)
	}
	if got := w.Events(1, seq); !slices.Equal(got, []string{"PRODUCT_CREATE", "PRODUCT_UPDATE"}) {
		t.Errorf("the events are %v", got)
	}
	if got := g.heard(); !slices.Equal(got, []string{"12 rue du Lac, 69003 Lyon FR"}) {
		t.Errorf("the geocoder heard %q", got)
	}
}

func TestAWriteWakesTheLocatorOfItsProcess(t *testing.T) {
	w := newWorld(t)
	_, stop := w.locatingAt(nil, &geocoder{answer: everywhere})
	defer stop()
	w.caughtUp()
	for range 3 {
		id := w.create(lyon("12 rue du Lac"))
		w.Eventually("it is located", func() bool { return w.position(id) != nil })
	}
}

func TestP35_APositionMovesLastModified(t *testing.T) {
	w := newWorld(t)
	id := w.create(lyon("12 rue du Lac"))
	w.Clock.Advance(time.Hour)
	w.locating(&geocoder{answer: everywhere})
	w.caughtUp()
	p := w.product(id)
	if got := p.Modified.Sub(p.Added); got != time.Hour {
		t.Errorf("last_modified is %v after the creation", got)
	}
}

func TestK18_AlentourIsUsedAndNobodyIsAsked(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: everywhere}
	w.locating(g)
	house := lyon("12 rue du Lac")
	house["Alentour"] = criteria.Text("46,5")
	id := w.create(house)
	w.caughtUp()
	if p := w.position(id); p == nil || p.Latitude != 46 || p.Source != "alentour" || p.Score != 0 || len(g.heard()) != 0 {
		t.Errorf("the position is %+v, the geocoder heard %q", p, g.heard())
	}
	w.patch(id, text("Alentour", ""))
	w.caughtUp()
	if p := w.position(id); p == nil || p.Latitude != 45.1 || p.Source != "address" {
		t.Errorf("without Alentour the position is %+v", p)
	}
	w.patch(id, text("Alentour", "46,5"))
	w.patch(id, text("Alentour", ""))
	if p := w.position(id); p == nil || p.Latitude != 45.1 {
		t.Errorf("what was known already is %+v", p)
	}
	w.caughtUp()
	if n := len(g.heard()); n != 1 {
		t.Errorf("the geocoder was asked %d times", n)
	}
}

func TestK20_TheTownIsTheFallback(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: func(a product.Address) (product.Place, error) {
		if a.Street != "" {
			return nowhere(a)
		}
		return at(45.2, 4.8, product.FromAddress), nil
	}}
	w.locating(g)
	id := w.create(lyon("rue Inconnue"))
	w.caughtUp()
	if p := w.position(id); p == nil || p.Latitude != 45.2 || p.Source != "city" {
		t.Errorf("the position is %+v", p)
	}
	if got := g.heard(); !slices.Equal(got, []string{"rue Inconnue, 69003 Lyon FR", ", 69003 Lyon FR"}) {
		t.Errorf("the geocoder heard %q", got)
	}
}

func TestNowhereIsRememberedWithoutATrace(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: nowhere}
	w.locating(g)
	seq := w.Seq(1)
	id := w.create(lyon("rue Inconnue"))
	w.caughtUp()
	if p := w.position(id); p != nil {
		t.Errorf("nowhere is at %+v", p)
	}
	w.patch(id, price(5))
	w.patch(id, text("Adresse", " RUE  inconnue"))
	w.caughtUp()
	if n := len(g.heard()); n != 2 {
		t.Errorf("the geocoder was asked %d times, want once about the address and once about the town", n)
	}
	if got := w.Events(1, seq); !slices.Equal(got, []string{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_UPDATE"}) {
		t.Errorf("the events are %v, want those of the creation and of two changes", got)
	}
}

func TestAProductWithoutATownIsNotLookedUp(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: everywhere}
	w.locating(g)
	w.create(text("Adresse", "12 rue du Lac"))
	w.create(nil)
	w.caughtUp()
	if got := g.heard(); len(got) != 0 {
		t.Errorf("the geocoder heard %q", got)
	}
}

func TestAMaskedAddressIsLocatedByItsTown(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: everywhere}
	w.locating(g)
	id := w.create(lyon("12 rue du Lac"))
	w.caughtUp()
	w.patch(id, criteria.Values{"AdresseMasquee": criteria.Flag(true)})
	if p := w.position(id); p != nil && p.Source != "city" {
		t.Errorf("masked, it is still at %+v", p)
	}
	w.caughtUp()
	if p := w.position(id); p == nil || p.Latitude != 45.2 || p.Source != "city" {
		t.Errorf("masked, it is at %+v", p)
	}
	if got := g.heard(); !slices.Equal(got[1:], []string{", 69003 Lyon FR"}) {
		t.Errorf("the geocoder heard %q", got)
	}
}

// An answer that comes after the address has changed is about the wrong one.
func TestAnAnswerAboutAnotherAddressIsDropped(t *testing.T) {
	w := newWorld(t)
	underWay, goOn := make(chan struct{}, 9), make(chan struct{})
	g := &geocoder{answer: func(a product.Address) (product.Place, error) {
		if a.Street == "1 rue Avant" {
			underWay <- struct{}{}
			<-goOn
			return at(1, 1, product.FromAddress), nil
		}
		return everywhere(a)
	}}
	w.locating(g)
	seq := w.Seq(1)
	id := w.create(lyon("1 rue Avant"))
	<-underWay
	w.patch(id, text("Adresse", "2 rue Après"))
	close(goOn)
	w.caughtUp()
	if p := w.position(id); p == nil || p.Latitude != 45.1 {
		t.Errorf("the position is %+v", p)
	}
	if got := w.Events(1, seq); !slices.Equal(got, []string{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_UPDATE"}) {
		t.Errorf("the events are %v", got)
	}
}

func TestThePositionOfAFormerAddressIsNotShown(t *testing.T) {
	w := newWorld(t)
	_, stop := w.locating(&geocoder{answer: everywhere})
	id := w.create(lyon("1 rue Avant"))
	w.caughtUp()
	stop()
	w.patch(id, text("Adresse", "2 rue Après"))
	if p := w.position(id); p != nil {
		t.Errorf("the new address is at %+v before anybody has asked", p)
	}
	w.patch(id, text("Adresse", "1 RUE AVANT"))
	if p := w.position(id); p == nil || p.Latitude != 45.1 {
		t.Errorf("back at the old address it is at %+v", p)
	}
}

func TestDeletedWhileTheAnswerWasUnderWay(t *testing.T) {
	w := newWorld(t)
	underWay, goOn := make(chan struct{}, 9), make(chan struct{})
	heard, _ := w.locating(&geocoder{answer: func(a product.Address) (product.Place, error) {
		underWay <- struct{}{}
		<-goOn
		return everywhere(a)
	}})
	id := w.create(lyon("1 rue Avant"))
	<-underWay
	w.remove(id)
	close(goOn)
	w.caughtUp()
	if n := heard.troubles(); n != 0 {
		t.Errorf("trouble: %v", heard.trouble)
	}
}

func TestAnOutageLosesNothingAndHammersNobody(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: down}
	var ids []product.ID
	for i := range 40 {
		ids = append(ids, w.create(lyon(fmt.Sprint(i+1, " rue du Lac"))))
	}
	heard, _ := w.locating(g)
	w.Eventually("the geocoder is asked", func() bool { return len(g.heard()) > 0 && heard.troubles() > 0 })
	time.Sleep(30 * time.Millisecond) // thirty ticks
	batch := locate.DefaultOptions().Batch
	if n := len(g.heard()); n > batch {
		t.Errorf("it was asked %d times without a pause, more than a batch", n)
	}
	for range 8 { // it lasts
		// The pause begins when a batch has failed, which is then told.
		n, told := len(g.heard()), heard.troubles()
		w.Clock.Advance(locate.DefaultOptions().Pause)
		w.Eventually("it is asked again", func() bool { return len(g.heard()) > n && heard.troubles() > told })
	}
	g.answers(everywhere)
	w.Eventually("it is left alone again", func() bool {
		w.Clock.Advance(locate.DefaultOptions().Pause)
		left, err := w.Backlog(t.Context())
		return err == nil && left == locate.Backlog{}
	})
	for _, id := range ids {
		if w.position(id) == nil {
			t.Errorf("product %d was forgotten", id)
		}
	}
	if given := heard.givenUpOn(); len(given) != 0 {
		t.Errorf("given up: %v", given)
	}
}

func TestAnAddressThatAlwaysFailsKeepsNobodyWaiting(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: func(a product.Address) (product.Place, error) {
		if a.Street == "poison" {
			return down(a)
		}
		return everywhere(a)
	}}
	poisoned := w.create(lyon("poison"))
	var ids []product.ID
	for i := range 40 {
		ids = append(ids, w.create(lyon(fmt.Sprint(i+1, " rue du Lac"))))
	}
	heard, _ := w.locating(g)
	w.Eventually("the others are located", func() bool {
		return !slices.ContainsFunc(ids, func(id product.ID) bool { return w.position(id) == nil })
	})
	// It fails the last times it may as others are answered.
	for i := range 10 {
		id := w.create(lyon(fmt.Sprint(i+100, " rue du Lac")))
		w.Eventually("another is located", func() bool {
			w.Clock.Advance(locate.DefaultOptions().Pause)
			return w.position(id) != nil
		})
	}
	w.caughtUp()
	if given := heard.givenUpOn(); !slices.Equal(given, []product.ID{poisoned}) {
		t.Errorf("given up: %v, want %d", given, poisoned)
	}
}

// What is no fault of the address does not count against it.
func TestALimitIsWaitedOut(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: func(a product.Address) (product.Place, error) {
		if a.Street == "trop tôt" {
			return product.Place{}, fault.Limited
		}
		return everywhere(a)
	}}
	heard, _ := w.locating(g)
	early := w.create(lyon("trop tôt"))
	for i := range 10 {
		id := w.create(lyon(fmt.Sprint(i+1, " rue du Lac")))
		w.Eventually("another is located", func() bool {
			w.Clock.Advance(locate.DefaultOptions().Pause)
			return w.position(id) != nil
		})
	}
	g.answers(everywhere)
	w.Eventually("it is located at last", func() bool {
		w.Clock.Advance(locate.DefaultOptions().Pause)
		return w.position(early) != nil
	})
	if given := heard.givenUpOn(); len(given) != 0 {
		t.Errorf("given up: %v", given)
	}
}

func TestARefusedAddressIsLeftAloneUntilItsProductChanges(t *testing.T) {
	w := newWorld(t)
	g := &geocoder{answer: func(product.Address) (product.Place, error) { return product.Place{}, fault.Invalid }}
	heard, _ := w.locating(g)
	id := w.create(lyon("?"))
	w.caughtUp()
	if given := heard.givenUpOn(); len(given) != 1 || len(g.heard()) != 2 {
		t.Errorf("given up %v after %q", given, g.heard())
	}
	g.answers(everywhere)
	w.patch(id, price(1))
	w.caughtUp()
	if w.position(id) == nil {
		t.Error("it is not asked about again")
	}
}

func TestAnAnswerThatIsNoPositionIsNotKept(t *testing.T) {
	w := newWorld(t)
	for name, place := range map[string]product.Place{"pole": at(91, 2, product.FromAddress), "zero": at(0, 0, product.FromAddress)} {
		g := &geocoder{answer: func(product.Address) (product.Place, error) { return place, nil }}
		_, stop := w.locating(g)
		id := w.create(lyon(name))
		w.caughtUp()
		stop()
		if p := w.position(id); p != nil {
			t.Errorf("%s: the position is %+v", name, p)
		}
	}
}

func TestTwoProcessesLocateEachProductOnce(t *testing.T) {
	w := newWorld(t)
	other := serviceOver(t, w.Store, w.Clock)
	seq := w.Seq(1)
	w.locating(&geocoder{answer: everywhere})
	other.locating(&geocoder{answer: everywhere})
	for i := range 60 {
		w.create(lyon(fmt.Sprint(i+1, " rue du Lac")))
	}
	w.caughtUp()
	updates := 0
	for _, e := range w.Events(1, seq) {
		if e == "PRODUCT_UPDATE" {
			updates++
		}
	}
	if updates != 60 {
		t.Errorf("%d updates of 60 products", updates)
	}
}

// What a process learnt and did not store is asked for again by the next.
func TestAProcessThatDiesWithAnAnswerLosesNothing(t *testing.T) {
	w := newWorld(t)
	id := w.create(lyon("12 rue du Lac"))
	seq := w.Seq(1)
	ctx, die := context.WithCancel(t.Context())
	o := locate.DefaultOptions()
	err := w.Run(ctx, &geocoder{answer: func(a product.Address) (product.Place, error) {
		die()
		return everywhere(a)
	}}, o)
	if err != nil || w.position(id) != nil {
		t.Fatalf("%v, %+v", err, w.position(id))
	}
	serviceOver(t, w.Store, w.Clock).locating(&geocoder{answer: everywhere})
	w.caughtUp()
	if w.position(id) == nil {
		t.Error("the product was forgotten")
	}
	if got := w.Events(1, seq); !slices.Equal(got, []string{"PRODUCT_UPDATE"}) {
		t.Errorf("the events are %v", got)
	}
}

func TestProductsThatNoEventTellsOfAreLocated(t *testing.T) {
	w := newWorld(t)
	forget := func() {
		w.Clock.Advance(100 * 24 * time.Hour)
		if _, err := w.Kernel.Purge(t.Context(), kernel.DefaultRetention(), 100_000); err != nil {
			t.Fatal(err)
		}
	}
	g := &geocoder{answer: everywhere}
	before := w.create(lyon("1 rue Avant"))
	forget()
	_, stop := w.locating(g)
	w.caughtUp()
	stop()
	meanwhile := w.create(lyon("2 rue Pendant"))
	forget()
	after := w.create(lyon("3 rue Après"))
	w.locating(g)
	w.caughtUp()
	for _, id := range []product.ID{before, meanwhile, after} {
		if w.position(id) == nil {
			t.Errorf("product %d was missed", id)
		}
	}
	if n := len(g.heard()); n != 3 {
		t.Errorf("the geocoder was asked %d times", n)
	}
}

func TestASiteWithMuchToDoLeavesRoomForOthers(t *testing.T) {
	for _, follows := range []string{"products", "events"} {
		w := newWorld(t)
		g := &geocoder{answer: func(a product.Address) (product.Place, error) {
			w.Clock.Advance(time.Millisecond)
			return everywhere(a)
		}}
		if follows == "events" {
			_, stop := w.locating(g)
			w.caughtUp()
			stop()
		}
		for i := range 100 {
			w.create(lyon(fmt.Sprint(i+1, " rue du Lac")))
		}
		w.createAt(2, text("Ville", "Bordeaux"))
		w.Clock.Advance(time.Second)
		w.locating(g)
		w.caughtUp()
		place := slices.Index(g.heard(), ",  Bordeaux FR")
		if batch := locate.DefaultOptions().Batch; place < 0 || place > batch {
			t.Errorf("%s: the only address of site 2 came after %d others", follows, place)
		}
		if n := len(g.heard()); n != 101 {
			t.Errorf("%s: %d questions about 101 addresses", follows, n)
		}
	}
}

// A long stretch of products and events goes by in several steps.
func TestALongHistoryIsLookedThroughToItsEnd(t *testing.T) {
	w := newWorld(t)
	var last product.ID
	for i := range 1100 {
		if last = w.create(price(i)); i == 1050 {
			w.patch(last, lyon("12 rue du Lac"))
		}
	}
	g := &geocoder{answer: everywhere}
	_, stop := w.locating(g)
	w.caughtUp()
	stop()
	for i := range 1100 {
		w.patch(last, price(i+2000))
	}
	w.patch(last, lyon("13 rue du Lac"))
	w.locating(g)
	w.caughtUp()
	if got := g.heard(); len(got) != 2 || w.position(last) == nil {
		t.Errorf("the geocoder heard %q", got)
	}
}
