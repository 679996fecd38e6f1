package transfer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func withSource(change func(*transfer.SetupImportSource)) transfer.Setup {
	setup := apitest.Network()
	source := transfer.SetupImportSource{ID: 1, Name: "Nantes", Folder: "nantes", AgencyID: 11}
	change(&source)
	setup.Sites[0].ImportSources = []transfer.SetupImportSource{source}
	return setup
}

func sourceOf(w *apitest.World) (s operator.ImportSource) {
	w.View(func(tx port.Tx) (err error) {
		s, err = tx.ImportSources().Get(1, 1)
		return err
	})
	return s
}

func TestAProvisionedSourceKeepsWhatIsKnownOfItsRuns(t *testing.T) {
	w := apitest.New(t)
	w.Provision(withSource(func(*transfer.SetupImportSource) {}))
	s := sourceOf(w)
	if s.Settings.Every != operator.DefaultEvery || s.Settings.WithdrawalLimit != operator.DefaultWithdrawalLimit || s.Settings.Mode != operator.SourceIncremental || s.Settings.Withdrawal != operator.WithdrawOffWeb {
		t.Errorf("the defaults are %+v", s.Settings)
	}
	s.State.Taken, s.State.Good, s.Settings.Paused = []operator.TakenFile{{Hash: "h"}}, s.State.Due.Add(time.Hour), true
	w.Update(func(tx port.Tx) error { return tx.ImportSources().Put(s) })
	if done, err := w.Transfer.Provision(t.Context(), withSource(func(*transfer.SetupImportSource) {})); err != nil || done.Changed != 0 {
		t.Errorf("again: %+v, %v", done, err)
	}
	w.Provision(withSource(func(s *transfer.SetupImportSource) { s.Mode, s.Every = "full", "15m" }))
	if s := sourceOf(w); !s.Has(operator.TakenFile{Hash: "h"}) || !s.Settings.Paused || s.Settings.Mode != operator.SourceFull || s.Settings.Every != 15*time.Minute {
		t.Errorf("with another mode it is %+v", s)
	}
	w.Provision(withSource(func(s *transfer.SetupImportSource) { s.Folder, s.URL = "", "https://feeds.example.org/nantes.xml" }))
	if s := sourceOf(w); s.Has(operator.TakenFile{Hash: "h"}) {
		t.Errorf("at another place it still has %+v", s.State.Taken)
	}
}

func TestAWrongSourceIsNamed(t *testing.T) {
	for want, change := range map[string]func(*transfer.SetupImportSource){
		"id: an id is a number of at least 1":        func(s *transfer.SetupImportSource) { s.ID = 0 },
		"name: name is required":                     func(s *transfer.SetupImportSource) { s.Name = "" },
		"folder: give a folder or an address":        func(s *transfer.SetupImportSource) { s.URL = "https://a.example/b" },
		"such as agence/nantes (\"../b\")":           func(s *transfer.SetupImportSource) { s.Folder = "../b" },
		"such as agence/nantes (\"/etc\")":           func(s *transfer.SetupImportSource) { s.Folder = "/etc" },
		"url: an address begins with https://":       func(s *transfer.SetupImportSource) { s.Folder, s.URL = "", "ftp://a.example/b" },
		"format: the formats are":                    func(s *transfer.SetupImportSource) { s.Format = "word" },
		"agencies: the site has no agency 99":        func(s *transfer.SetupImportSource) { s.AgencyID, s.Agencies = 0, map[string]int64{"A": 99} },
		"agency_id: choose one agency":               func(s *transfer.SetupImportSource) { s.AgencyID = 0 },
		"every: the least is one minute":             func(s *transfer.SetupImportSource) { s.Every = "1s" },
		"every: a time such as 15m":                  func(s *transfer.SetupImportSource) { s.Every = "daily" },
		"mode: mode is full or incremental":          func(s *transfer.SetupImportSource) { s.Mode = "some" },
		"withdrawal: withdrawal is off_web":          func(s *transfer.SetupImportSource) { s.Withdrawal = "archive" },
		"withdrawal_limit: a percentage is 0 to 100": func(s *transfer.SetupImportSource) { n := 101; s.WithdrawalLimit = &n },
	} {
		w := apitest.New(t)
		if _, err := w.Transfer.Provision(t.Context(), withSource(change)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "import source") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
