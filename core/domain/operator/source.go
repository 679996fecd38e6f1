package operator

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ImportSourceID identifies a source of a site.
type ImportSourceID int64

// What a file of a source says of listings that it does not name.
const (
	// SourceFull: the file names all listings there are.
	SourceFull = "full"
	// SourceIncremental: the file names what is new or changed.
	SourceIncremental = "incremental"
)

// What becomes of a listing that a full source names no more.
const (
	WithdrawOffWeb = "off_web"
	WithdrawDelete = "delete"
)

const (
	// DefaultEvery is how often a source is looked at, and LeastEvery how often it may be.
	DefaultEvery = time.Hour
	LeastEvery   = time.Minute
	// DefaultWithdrawalLimit is the percentage of its listings that a run may withdraw.
	DefaultWithdrawalLimit = 20
	// MaxTakenFiles is how many files a source remembers, MaxSourceRuns how many runs.
	MaxTakenFiles = 100
	MaxSourceRuns = 50
)

// ImportSource is a place where files with listings of a site come from again and again.
type ImportSource struct {
	ID       ImportSourceID
	Site     site.ID
	Name     string
	Settings SourceSettings
	State    SourceState
}

// SourceSettings are what operators choose about a source.
type SourceSettings struct {
	// Location is where the files come from.
	Location
	// Format is one of ImportFormats; empty is to be found out.
	Format string
	// Mapping is what headings of a table mean that are not known: keys of criteria, or names of other fields.
	Mapping map[string]string
	// Agency is the one that all listings are for, Agencies are several, by what the file calls
	// them. A source has one of the two.
	Agency   site.AgencyID
	Agencies map[string]site.AgencyID
	// Every is the time between two looks.
	Every time.Duration
	// Mode is SourceFull or SourceIncremental.
	Mode string
	// Withdrawal is WithdrawOffWeb or WithdrawDelete. WithdrawalLimit is the percentage of the listings of
	// the source that a run may withdraw; 100 is all of them.
	Withdrawal      string
	WithdrawalLimit int
	// Adopt makes the source responsible for listings that were there before it named them.
	Adopt bool
	// Paused sources are not looked at.
	Paused bool
}

// Check adds what is wrong with the source of a site with some agencies, field by field.
func (s ImportSource) Check(isAgency func(site.AgencyID) bool, problems *fault.Problems) {
	checkName(int64(s.ID), s.Name, problems)
	s.Settings.Location.check(problems)
	s.Settings.check(isAgency, problems)
}

// checkName adds what is wrong with the id and the name of a source or target.
func checkName(id int64, name string, problems *fault.Problems) {
	if id < 1 {
		problems.Add("id", fault.CodeOutOfRange, "an id is a number of at least 1")
	}
	if name == "" {
		problems.Add("name", fault.CodeRequired, "name is required")
	}
}

// checkEvery adds what is wrong with the time between two looks.
func checkEvery(every time.Duration, problems *fault.Problems) {
	if every < LeastEvery {
		problems.Wrong("every", fault.CodeOutOfRange, every.String(), "the least is one minute")
	}
}

// checkAgencies adds what is wrong with agencies that a field names.
func checkAgencies(field string, ids []site.AgencyID, isAgency func(site.AgencyID) bool, problems *fault.Problems) {
	for _, id := range ids {
		if !isAgency(id) {
			problems.Wrong(field, fault.CodeUnknownAgency, int64(id), "the site has no agency %d", id)
		}
	}
}

// StateFor returns the state of the source when it gets other settings: what is known of the
// files of another place is nothing.
func (s ImportSource) StateFor(other SourceSettings, now time.Time) SourceState {
	state := s.State
	if s.Settings.Location != other.Location {
		state.Taken, state.ETag, state.Modified = nil, "", ""
	}
	if state.Run == 0 && s.Settings.Every != other.Every {
		state.Due = now
	}
	return state
}

func (s SourceSettings) check(isAgency func(site.AgencyID) bool, problems *fault.Problems) {
	if s.Format != "" && !slices.Contains(ImportFormats(), s.Format) {
		problems.Wrong("format", fault.CodeInvalidFormat, s.Format, "the formats are %s", strings.Join(ImportFormats(), ", "))
	}
	if len(s.Mapping) > 0 && s.Format != "table" {
		problems.Wrong("mapping", fault.CodeInvalidFormat, s.Format, "only a table has a mapping")
	}
	if (s.Agency == 0) == (len(s.Agencies) == 0) {
		problems.Add("agency_id", fault.CodeExactlyOneOf, "choose one agency, or give several by what the file calls them, and not both")
	}
	field := "agencies"
	if s.Agency != 0 {
		field = "agency_id"
	}
	checkAgencies(field, s.AllAgencies(), isAgency, problems)
	checkEvery(s.Every, problems)
	if s.Mode != SourceFull && s.Mode != SourceIncremental {
		problems.Wrong("mode", fault.CodeInvalidFormat, s.Mode, "mode is %s or %s", SourceFull, SourceIncremental)
	}
	if s.Withdrawal != WithdrawOffWeb && s.Withdrawal != WithdrawDelete {
		problems.Wrong("withdrawal", fault.CodeInvalidFormat, s.Withdrawal, "withdrawal is %s or %s", WithdrawOffWeb, WithdrawDelete)
	}
	if s.WithdrawalLimit < 0 || s.WithdrawalLimit > 100 {
		problems.Wrong("withdrawal_limit", fault.CodeOutOfRange, s.WithdrawalLimit, "a percentage is 0 to 100")
	}
}

// AllAgencies returns the agencies that the source brings listings to, by id.
func (s SourceSettings) AllAgencies() (all []site.AgencyID) {
	if s.Agency != 0 {
		all = append(all, s.Agency)
	}
	for _, id := range s.Agencies {
		all = append(all, id)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// SourceState is what is known of a source from its runs.
type SourceState struct {
	// Added is when the source was made.
	Added time.Time
	// Due is when the source is looked at next; while it is, when its process counts as ended.
	Due time.Time
	// Run is the run under way, or 0. It is the lease: whoever finds another number there stops.
	Run ImportRunID
	// Asked makes the next run read its file though it was taken over before, WithoutLimit makes it
	// withdraw more than its limit allows.
	Asked, WithoutLimit bool
	// Runs are the last ones, latest first.
	Runs []ImportRunID
	// Looked is when the source was last looked at, Good when that was last as it should be.
	Looked, Good time.Time
	// Problem is what was wrong at the last look, or empty.
	Problem string
	// Taken are the last files that were taken over, latest first.
	Taken []TakenFile
	// ETag and Modified are what the server at the URL said of the last file.
	ETag, Modified string
}

// TakenFile is a file that was taken over.
type TakenFile struct {
	Name     string
	Size     int64
	Modified time.Time
	// Hash is the SHA-256 of its content, in hex.
	Hash string
	// Problem is why the file was refused, or nothing was withdrawn; empty if neither.
	Problem string
}

// LastGood returns when the source was last as it should be, or else was made.
func (s SourceState) LastGood() time.Time {
	if s.Good.IsZero() {
		return s.Added
	}
	return s.Good
}

// Began returns the state of a source of which a run begins.
func (s SourceState) Began(run ImportRunID, now time.Time) SourceState {
	s.Run, s.Due = run, now.Add(ImportSilence)
	return s
}

// Withheld returns why a run may not withdraw some listings of all that the source has, or nothing.
func (s ImportSource) Withheld(some, all int) string {
	if s.State.WithoutLimit || some*100 <= s.Settings.WithdrawalLimit*all {
		return ""
	}
	return fault.Textf("nothing was withdrawn: %d of the %d listings of the source are not in the file any more, or gone by it, and %d %% at once are allowed", some, all, s.Settings.WithdrawalLimit).String()
}

// Has reports whether a file was taken over: of an address or a full source as the last one, for what comes
// again after another one is new. Of a folder with files after each other it is known by its name and content.
func (s ImportSource) Has(f TakenFile) bool {
	if s.Settings.URL != "" || s.Settings.Mode == SourceFull {
		return len(s.State.Taken) > 0 && s.State.Taken[0].Hash == f.Hash
	}
	return slices.ContainsFunc(s.State.Taken, func(t TakenFile) bool { return t.Name == f.Name && t.Hash == f.Hash })
}

// With returns the state with a file that was taken over. What was wrong with a content is known
// unless the file is fresh.
func (s SourceState) With(f TakenFile, fresh bool, problem string) SourceState {
	f.Problem = problem
	if n := slices.IndexFunc(s.Taken, func(t TakenFile) bool { return t.Hash == f.Hash }); n >= 0 && !fresh {
		f.Problem = s.Taken[n].Problem
	}
	others := slices.DeleteFunc(slices.Clone(s.Taken), func(t TakenFile) bool { return t.Name == f.Name && t.Hash == f.Hash })
	s.Taken, s.Problem = slices.Insert(others, 0, f), f.Problem
	s.Taken = s.Taken[:min(len(s.Taken), MaxTakenFiles)]
	return s
}

// SourcedProduct is what is known of a product that a source named.
type SourcedProduct struct {
	Site    site.ID
	Product product.ID
	Source  ImportSourceID
	// Own reports that the source brought the product, and may withdraw it.
	Own bool
	// Withdrawn is when it was withdrawn because the source named it no more; zero otherwise.
	Withdrawn time.Time
	// Pictures are those that the source brought.
	Pictures []SourcedPicture
}

// SourcedPicture is a picture as a source names it, with the hash of what was sent.
type SourcedPicture struct{ Name, Hash string }
