package transfer

import (
	"cmp"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// SetupImportSource is a place where files of listings come from again and again.
type SetupImportSource struct {
	ID     int64  `yaml:"id"`
	Name   string `yaml:"name"`
	Folder string `yaml:"folder"`
	URL    string `yaml:"url"`
	// Format is table where it is empty and there is a Mapping, which says what headings mean.
	Format   string            `yaml:"format"`
	Mapping  map[string]string `yaml:"mapping"`
	AgencyID int64             `yaml:"agency_id"`
	Agencies map[string]int64  `yaml:"agencies"`
	// Every is a duration such as 15m; empty is operator.DefaultEvery.
	Every string `yaml:"every"`
	// Mode is full or incremental, incremental where it is empty; Withdrawal is off_web or
	// delete, off_web where it is empty.
	Mode       string `yaml:"mode"`
	Withdrawal string `yaml:"withdrawal"`
	// WithdrawalLimit is a percentage, nil is operator.DefaultWithdrawalLimit.
	WithdrawalLimit *int `yaml:"withdrawal_limit"`
	Adopt           bool `yaml:"adopt"`
	// Paused is nil where it stays as it is.
	Paused *bool `yaml:"paused"`
}

// importSources stores the sources of a site. What is known of their runs stays, unless the
// files come from elsewhere now.
func (p provisioner) importSources(id site.ID, in SetupSite) error {
	isAgency := func(wanted site.AgencyID) bool {
		_, is := p.Site.Agency(wanted)
		return is
	}
	for _, described := range in.ImportSources {
		// Held, so that nobody begins a run of it meanwhile.
		existing, err := among(p.ImportSources().Get(id, operator.ImportSourceID(described.ID)))
		if err != nil {
			return err
		}
		before := newSource(p.Unit.Unit.Unit, operator.ImportSourceID(described.ID))
		if len(existing) > 0 {
			before = existing[0]
		}
		wanted, err := described.source(before, isAgency, p.Now)
		if err != nil {
			return fmt.Errorf("import source %d %q: %w", described.ID, described.Name, explain(err))
		}
		if _, err := keep(p, existing, func(operator.ImportSource) bool { return true }, wanted, p.ImportSources().Put); err != nil {
			return err
		}
	}
	return nil
}

// newSource returns a source of the site of a unit of work that has no settings yet.
func newSource(u kernel.Unit, id operator.ImportSourceID) operator.ImportSource {
	return operator.ImportSource{ID: id, Site: u.Site.ID, State: operator.SourceState{Added: u.Now, Due: u.Now}}
}

// source returns a source with the settings that are described, as it goes on from what there is. The error has
// the fields that are wrong.
func (in SetupImportSource) source(before operator.ImportSource, isAgency func(site.AgencyID) bool, now time.Time) (operator.ImportSource, error) {
	var problems fault.Problems
	wanted := operator.ImportSource{ID: before.ID, Site: before.Site, Name: in.Name, Settings: in.settings(before.Settings.Paused, &problems)}
	wanted.Check(isAgency, &problems)
	wanted.State = before.StateFor(wanted.Settings, now)
	return wanted, problems.Err()
}

// readEvery reads the time between two looks; the default for none, or one that cannot be read.
func readEvery(text string, problems *fault.Problems) time.Duration {
	if text == "" {
		return operator.DefaultEvery
	}
	every, err := time.ParseDuration(text)
	if err != nil {
		problems.Wrong("every", fault.CodeInvalidFormat, text, "a time such as 15m or 1h")
		return operator.DefaultEvery
	}
	return every
}

// among returns the record that was found, or none where there is none.
func among[T any](found T, err error) ([]T, error) {
	if kernel.IsAbsent(err) {
		return nil, nil
	}
	return []T{found}, err
}

// settings returns the settings that are described, of a source that is paused or not.
func (in SetupImportSource) settings(paused bool, problems *fault.Problems) operator.SourceSettings {
	s := operator.SourceSettings{
		Location: operator.Location{Folder: in.Folder, URL: in.URL}, Format: in.Format, Agency: site.AgencyID(in.AgencyID), Every: readEvery(in.Every, problems),
		Mode: cmp.Or(in.Mode, operator.SourceIncremental), Withdrawal: cmp.Or(in.Withdrawal, operator.WithdrawOffWeb),
		WithdrawalLimit: operator.DefaultWithdrawalLimit, Adopt: in.Adopt, Paused: paused,
	}
	if s.Mapping = in.Mapping; len(s.Mapping) > 0 {
		s.Format = cmp.Or(s.Format, "table")
	}
	for code, id := range in.Agencies {
		if s.Agencies == nil {
			s.Agencies = map[string]site.AgencyID{}
		}
		s.Agencies[code] = site.AgencyID(id)
	}
	if in.WithdrawalLimit != nil {
		s.WithdrawalLimit = *in.WithdrawalLimit
	}
	if in.Paused != nil {
		s.Paused = *in.Paused
	}
	return s
}
