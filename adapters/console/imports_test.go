package console_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// words are a file in which each word is the reference of a listing, and its price behind an @ if that is not 1000.
type words []string

func (words) Open(_ context.Context, content io.Reader, _ string) (transfer.ImportFile, error) {
	all, err := io.ReadAll(content)
	return words(strings.Fields(string(all))), err
}

func (w words) Count(context.Context) (int, error) { return len(w), nil }

func (words) Close() error { return nil }

func (w words) Listings(context.Context) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		for _, reference := range w {
			reference, price, _ := strings.Cut(reference, "@")
			l := transfer.Listing{Source: "line", Reference: reference, Criteria: []transfer.ListingCriterion{{Source: "price", Key: "Prix", Value: criteria.Raw{V: cmp.Or(price, "1000")}}}}
			if strings.HasPrefix(reference, "NC-") {
				l.Criteria[0].Value.V = "sur demande"
			}
			if !yield(l, nil) {
				return
			}
		}
	}
}

// importing carries out imports until the test ends.
func (w *world) importing() {
	ctx, cancel := context.WithCancel(w.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		w.site.Imports.Run(ctx, words{}, transfer.ImportOptions{Trouble: func(err error) { w.Errorf("trouble: %v", err) }})
	}()
	w.Cleanup(func() {
		cancel()
		<-over
	})
}

// upload sends a form with a file.
func (b *browser) upload(path, content string, pairs ...string) shown {
	b.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		b.must(form.WriteField(pairs[i], pairs[i+1]))
	}
	if content != "" {
		part, err := form.CreateFormFile("file", "annonces.csv")
		b.must(err)
		_, err = part.Write([]byte(content))
		b.must(err)
	}
	b.must(form.Close())
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, b.url+path, &body)
	b.must(err)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

// until reads a page until it says something.
func (b *browser) until(path, said string) string {
	b.Helper()
	for range 2000 {
		if text := b.get(path).text; strings.Contains(text, said) {
			return text
		}
		time.Sleep(time.Millisecond)
	}
	b.Fatalf("%s never says %q", path, said)
	return ""
}

func TestADryRunSaysFromWhatToWhatCriteriaWouldChange(t *testing.T) {
	w := newWorld(t)
	w.importing()
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.upload("/imports?site=1", "A-1@250000", "agency_id", "11")
	b.until("/imports/1", `state ok">done`)
	b.post("/imports/1/carry-out?site=1").is(200)
	b.until("/imports/2", `state ok">done`)
	b.upload("/imports?site=1", "A-1@240000 NC-2", "agency_id", "11")
	b.until("/imports/3", `state ok">done`)
	b.get("/imports/3").is(200).says("Prix: 250,000 → 240,000")
	b.get("/imports/3?language=fr").is(200).says("Prix : 250\u202f000 → 240\u202f000", "price: Prix : un nombre")
}

func TestAFileIsImportedADryRunFirst(t *testing.T) {
	w := newWorld(t)
	w.importing()
	b := w.signedIn(w.operator(operator.Integrator, 1))
	// More than any other form may have.
	begun := b.upload("/imports?site=1", "A-1 A-2 A-1"+strings.Repeat(" ", 2<<20), "agency_id", "11")
	if begun.Request.URL.Path != "/console/imports/1" || !strings.Contains(begun.text, "The dry run has begun") {
		t.Fatalf("%s\n%s", begun.Request.URL, begun.text)
	}
	dry := b.until("/imports/1", `state ok">done`)
	for _, part := range []string{"annonces.csv into Onze (dry run)", "would be created", "by Somebody integrator", "Carry it out", "the file has this reference more than once", "3 of 3"} {
		if !strings.Contains(dry, part) {
			t.Errorf("the dry run lacks %q:\n%s", part, dry)
		}
	}
	if refused := b.get("/imports/1?show=refused").text; strings.Count(refused, `<tr role="row">`) != 2 {
		t.Errorf("%d lines are refused", strings.Count(refused, `<tr role="row">`)-1)
	}
	if answer := b.post("/imports/1/carry-out?site=1"); answer.Request.URL.Path != "/console/imports/2" {
		t.Fatalf("%s\n%s", answer.Request.URL, answer.text)
	}
	real := b.until("/imports/2", `state ok">done`)
	if !strings.Contains(real, `href="/console/products/1"`) || strings.Contains(real, "Carry it out") {
		t.Error(real)
	}
	report := b.get("/imports/2/report.csv")
	if lines := strings.Split(strings.TrimSpace(report.text), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[1], "1,created,line,A-1,1,") {
		t.Errorf("%q", report.text)
	}
	if list := b.get("/imports").text; strings.Count(list, "annonces.csv") != 2 {
		t.Error(list)
	}
	var operations []string
	w.must(w.store.View(t.Context(), func(tx port.Tx) error {
		entries, err := tx.Audit().List(port.AuditQuery{Limit: 2})
		for _, e := range entries {
			operations = append(operations, e.Operation)
		}
		return err
	}))
	if strings.Join(operations, " ") != "import.carry-out import.start" {
		t.Errorf("the audit has %q", operations)
	}
}

func TestAListingThatCouldNotBeReadIsAmberAndFoundInTheReport(t *testing.T) {
	w := newWorld(t)
	w.importing()
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.upload("/imports?site=1", "A-1 NC-2 A-3", "agency_id", "11").is(200)
	b.until("/imports/1", `state ok">done`)
	b.post("/imports/1/carry-out?site=1")
	b.until("/imports/2", `state ok">done`)
	view := b.get("/imports/2?show=to+look+at").is(200).says(`state warn">created`).says("Prix could not be read; not on the web until somebody looks at it").saysNot("A-1<")
	if strings.Count(view.text, `<tr role="row">`) != 2 {
		t.Error(view.text)
	}
	b.get("/imports/2/report.csv").says("2,created,line,NC-2,").says(",Prix\n")
	w.must(w.store.View(t.Context(), func(tx port.Tx) error {
		run, err := tx.Imports().Get(1, 2)
		if run.Created != 3 || run.Unread != 1 || run.Listings != 3 {
			t.Errorf("%+v", run.ImportTally)
		}
		return err
	}))
}

func TestAnImportIsUndoneADryRunFirst(t *testing.T) {
	w := newWorld(t)
	w.importing()
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.upload("/imports?site=1", "A-1 A-2", "agency_id", "11").is(200)
	b.until("/imports/1", `state ok">done`)
	b.get("/imports/1").saysNot("Undo it")
	b.post("/imports/1/undo?site=1").is(409).says("a dry run changed nothing")
	b.post("/imports/1/carry-out?site=1")
	b.until("/imports/2", `state ok">done`)
	b.get("/imports/2").says("Undo it…")
	if answer := b.post("/imports/2/undo?site=1"); answer.Request.URL.Path != "/console/imports/3" || !strings.Contains(answer.text, "The dry run of the undo has begun") {
		t.Fatalf("%s\n%s", answer.Request.URL, answer.text)
	}
	b.until("/imports/3", `state ok">done`)
	b.get("/imports/3").says("annonces.csv into Onze (undo, dry run)").says("would be withdrawn").says(`href="/console/imports/2"`).says("Carry it out")
	b.post("/imports/3/carry-out?site=1")
	b.until("/imports/4", `state ok">done`)
	b.get("/imports/4").says("annonces.csv into Onze (undo)").says(`href="/console/products/1"`).saysNot("Undo it").saysNot("Carry it out")
	b.get("/imports/2").says("It was undone by import 4").saysNot("Undo it")
	b.post("/imports/2/undo?site=1").is(409).says("import 4 has undone it")
	w.must(w.store.View(t.Context(), func(tx port.Tx) error {
		for id := range product.ID(2) {
			if p, err := tx.Products().Get(1, id+1); err != nil || p.WebStatus {
				t.Errorf("%+v, %v", p, err)
			}
		}
		entries, err := tx.Audit().List(port.AuditQuery{Limit: 2})
		if len(entries) != 2 || entries[1].Operation != "import.undo" || entries[1].Subject != "import 2" {
			t.Errorf("%+v", entries)
		}
		return err
	}))
}

func TestAListingOfWhichSomethingWasLeftOutIsAmber(t *testing.T) {
	w := newWorld(t)
	w.must(w.store.Update(t.Context(), func(tx port.Tx) error {
		missed := []operator.NotUnderstood{{Source: "Prix", Why: "it was changed since"}}
		return tx.Imports().Save(operator.ImportRun{ID: 1, Site: 1, Agency: 11, State: operator.ImportDone, Seen: w.clock.Now(), ImportTally: operator.ImportTally{Listings: 2}}, []operator.ImportLine{
			{Number: 1, Action: operator.ImportChanged, Reference: "A-1"}, {Number: 2, Action: operator.ImportChanged, Reference: "A-2", NotUnderstood: missed},
			{Number: 3, Action: operator.ImportRefused, Reference: "A-3", NotUnderstood: missed},
		})
	}))
	page := w.signedIn(w.operator(operator.Integrator, 1)).get("/imports/1").says(`state warn">changed`).says(`state bad">refused`).says("Prix: it was changed since")
	if strings.Count(page.text, `state warn"`) != 1 {
		t.Error(page.text)
	}
}

// A file that is something else altogether is no success.
func TestAFileWithoutListingsIsNotOfferedToBeCarriedOut(t *testing.T) {
	w := newWorld(t)
	w.importing()
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.upload("/imports?site=1", " ", "agency_id", "11").is(200)
	b.until("/imports/1", `state warn">nothing found`)
	b.get("/imports/1").is(200).says("No listing was recognised").saysNot("Carry it out")
	b.post("/imports/1/carry-out?site=1").is(409).says("no listing was recognised in the file")
}

func TestWhatIsWrongWithAnImportStandsAtItsField(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Integrator, 1))
	for field, send := range map[string]func() shown{
		"file":      func() shown { return b.upload("/imports?site=1", "", "agency_id", "11") },
		"agency_id": func() shown { return b.upload("/imports?site=1", "A", "agency_id", "eleven") },
		"format":    func() shown { return b.upload("/imports?site=1", "A", "agency_id", "11", "format", "word") },
	} {
		if answer := send(); answer.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(answer.text, `id="field-`+field+`-wrong"`) {
			t.Errorf("%s: %d\n%s", field, answer.StatusCode, answer.text)
		}
	}
}

func TestARunningImportIsStopped(t *testing.T) {
	w := newWorld(t)
	w.must(w.store.Update(t.Context(), func(tx port.Tx) error {
		run := operator.ImportRun{ID: 1, Site: 1, Agency: 11, State: operator.ImportRunning, Seen: w.clock.Now(), ImportTally: operator.ImportTally{Total: 4, Listings: 1, Damaged: 2}}
		return tx.Imports().Save(run, nil)
	}))
	b := w.signedIn(w.operator(operator.Integrator, 1))
	if text := b.get("/imports/1").text; !strings.Contains(text, `data-live`) || !strings.Contains(text, `width="25.0%"`) || !strings.Contains(text, "1 of 4") {
		t.Error(text)
	}
	if text := b.post("/imports/1/stop?site=1").text; !strings.Contains(text, "It is being stopped") {
		t.Error(text)
	}
	w.clock.Advance(2 * operator.ImportSilence)
	if text := b.get("/imports/1").text; !strings.Contains(text, `state warn">interrupted`) || strings.Contains(text, "data-live") {
		t.Error(text)
	}
	if answer := b.post("/imports/1/stop?site=1"); answer.StatusCode != http.StatusConflict {
		t.Errorf("%d", answer.StatusCode)
	}
}
