package console_test

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

func TestASourceIsShownRunAndPaused(t *testing.T) {
	w := newWorld(t)
	w.must(w.store.Update(t.Context(), func(tx port.Tx) error {
		run := operator.ImportRun{ID: 7, Site: 1, Agency: 11, Source: 1, Name: "annonces.csv", State: operator.ImportHeld, Problem: "nothing was withdrawn", Seen: w.clock.Now()}
		run.Withdrawn = 42
		s := operator.ImportSource{ID: 1, Site: 1, Name: "Feed of Nantes"}
		s.Settings = operator.SourceSettings{Location: operator.Location{URL: "https://user:pa55word@feeds.example.org/a.xml?key=pa55word"}, Agency: 11, Every: time.Hour, Mode: "full", Withdrawal: "off_web", WithdrawalLimit: 20}
		s.State.Runs, s.State.Problem, s.State.Looked = []operator.ImportRunID{7}, run.Problem, w.clock.Now()
		if err := tx.ImportSources().Put(s); err != nil {
			return err
		}
		return tx.Imports().Save(run, []operator.ImportLine{{Number: 1, Action: operator.ImportWithdrawn, Reference: "GONE-1"}})
	}))
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.get("/imports").is(200).says("Feed of Nantes").says("https://feeds.example.org/a.xml").says("failing").saysNot("pa55word")
	b.get("/import-sources/1").is(200).says("nothing was withdrawn").says("Run once without the limit").says("Withdrawn</span> 42<").says("annonces.csv").saysNot("pa55word")
	b.get("/imports/7?show=withdrawn").is(200).says("The withdrawals were refused.").says("GONE-1").says("from a source")
	b.post("/import-sources/1/run?site=1", "without_limit", "on").is(200).says("It is checked within seconds.")
	b.post("/import-sources/1/pause?site=1", "paused", "true").is(200).says("It is paused.").says("Resume").saysNot("Run now")
	b.post("/import-sources/1/run?site=1").is(409).says("the import source is paused")
	b.post("/import-sources/1/pause?site=1", "paused", "false").is(200).says("Run now")
	b.get("/import-sources/2").is(404)
	w.must(w.store.View(t.Context(), func(tx port.Tx) error {
		s, err := tx.ImportSources().Get(1, 1)
		if !s.State.Asked || !s.State.WithoutLimit || s.Settings.Paused || !s.State.Due.Equal(w.clock.Now()) {
			t.Errorf("%+v", s)
		}
		return err
	}))
}
