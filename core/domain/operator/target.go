package operator

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// TargetID identifies a publication target of a site.
type TargetID int64

// TargetRunID identifies a run of a publication target.
type TargetRunID int64

// How the pictures of listings reach a portal.
const (
	PicturesAsFiles = "files"
	PicturesAsURLs  = "urls"
	NoPictures      = "none"
)

// PortalFormats lists the formats of files for portals: AC3 is only read.
func PortalFormats() []string {
	return slices.DeleteFunc(ImportFormats(), func(f string) bool { return f == "ac3" })
}

// PartialFormats lists those of them that can say that a listing is gone.
func PartialFormats() []string { return []string{"openimmo", "table", "json"} }

const (
	// MaxTargetRuns is how many runs of a target are kept, MaxTargetLines how many lines the report of
	// one has.
	MaxTargetRuns  = 50
	MaxTargetLines = 2000
	// TargetRetry is the longest time after which a file that could not be handed over is tried again.
	TargetRetry = 15 * time.Minute
)

// PublicationTarget is a portal that gets the listings of a site.
type PublicationTarget struct {
	ID   TargetID
	Site site.ID
	// Name is also what the contract's publications call the channel.
	Name     string
	Settings TargetSettings
	State    TargetState
}

// TargetSettings are what operators choose about a target.
type TargetSettings struct {
	// Location is where the file is written, or sent with PUT.
	Location
	// Format is one of PortalFormats.
	Format string
	// Pictures is PicturesAsFiles, PicturesAsURLs or NoPictures.
	Pictures string
	// Agencies are those whose listings are sent, by what the portal calls them. Empty is all of them,
	// by their ids.
	Agencies map[site.AgencyID]string
	// Criterias are what listings must meet, as in a search of products.
	Criterias []TargetCondition
	// Complete leaves out listings with publication errors.
	Complete bool
	// Incremental targets get what was added or changed since the file before, and what is gone; the first
	// file, one that was asked for, and one after a change of these settings is whole. Files in a folder stay
	// beside each other.
	Incremental bool
	// Every is the time between two looks at what has changed.
	Every time.Duration
	// Paused targets get nothing.
	Paused bool
}

// TargetCondition is a clause on a criterion, as in a search of products.
type TargetCondition struct {
	Criterion, Operator string
	// Values are one, or several where List is set.
	Values []string
	List   bool
}

// Conditions returns the clauses as a search has them.
func (s TargetSettings) Conditions() (inputs []criteria.ConditionInput) {
	for _, c := range s.Criterias {
		in := criteria.ConditionInput{ID: c.Criterion, Operator: opt.Of(c.Operator)}
		values := make([]any, len(c.Values))
		for i, v := range c.Values {
			values[i] = v
		}
		if in.Value = (criteria.Raw{V: values}); !c.List && len(values) == 1 {
			in.Value.V = values[0]
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// Check adds what is wrong with the target of a site with some agencies, field by field. Whether the site has
// the criteria is not looked at.
func (t PublicationTarget) Check(isAgency func(site.AgencyID) bool, problems *fault.Problems) {
	s := t.Settings
	checkName(int64(t.ID), t.Name, problems)
	s.check(problems)
	if !slices.Contains(PortalFormats(), s.Format) {
		problems.Wrong("format", fault.CodeInvalidFormat, s.Format, "the formats are %s", strings.Join(PortalFormats(), ", "))
	}
	if s.Pictures != PicturesAsFiles && s.Pictures != PicturesAsURLs && s.Pictures != NoPictures {
		problems.Wrong("pictures", fault.CodeInvalidFormat, s.Pictures, "pictures is %s, %s or %s", PicturesAsFiles, PicturesAsURLs, NoPictures)
	}
	if s.Incremental && !slices.Contains(PartialFormats(), s.Format) {
		problems.Wrong("incremental", fault.CodeInvalidFormat, s.Format, "only files in the formats %s can have changes alone", strings.Join(PartialFormats(), ", "))
	}
	checkAgencies("agencies", s.AllAgencies(), isAgency, problems)
	checkEvery(s.Every, problems)
}

// AllAgencies returns the agencies whose listings are sent, by id; nil is all of them.
func (s TargetSettings) AllAgencies() (all []site.AgencyID) {
	for id := range s.Agencies {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// TargetState is what is known of a target from its runs.
type TargetState struct {
	// Added is when the target was made.
	Added time.Time
	// Due is when the target is looked at next; while it is, when its process counts as ended.
	Due time.Time
	// Run is the run under way, or 0. It is the lease: whoever finds another number there stops.
	Run TargetRunID
	// Asked makes the next run send the file though nothing changed.
	Asked bool
	// Looked is when the target was last looked at, Good when the portal last had what it should.
	Looked, Good time.Time
	// Problem is why the last file was not handed over, or empty.
	Problem string
	// Sent is what the portal has: the fingerprints of the settings of its file and of its listings, empty for
	// none, and how far the site and its settings were then.
	Sent          string
	Seq, Settings int64
}

// LastGood returns when the portal last had what it should, or else when the target was made.
func (s TargetState) LastGood() time.Time {
	if s.Good.IsZero() {
		return s.Added
	}
	return s.Good
}

// Began returns the state of a target of which a run begins.
func (s TargetState) Began(run TargetRunID, now time.Time) TargetState {
	s.Run, s.Due = run, now.Add(ImportSilence)
	return s
}

// TargetRunState is how a run of a target ended.
type TargetRunState string

// The states.
const (
	TargetSent   TargetRunState = "sent"
	TargetFailed TargetRunState = "failed"
)

// TargetRun is a file that was handed over to a target, or could not be.
type TargetRun struct {
	ID             TargetRunID
	Site           site.ID
	Target         TargetID
	Started, Ended time.Time
	State          TargetRunState
	// Problem is why it failed.
	Problem string
	// File is what was handed over, Size its bytes.
	File string
	Size int64
	// Listings is how many the file has, without those that it says are gone. Added, Changed and Withdrawn compare it with the file before,
	// LeftOut counts those that were chosen and are not in it.
	Listings, Added, Changed, Withdrawn, LeftOut int
	// Lines are the report: of what was added, changed, withdrawn and left out, MaxTargetLines at most.
	Lines []TargetLine
}

// TargetAction is what became of a listing in a run of a target.
type TargetAction string

// The actions.
const (
	TargetAdded     TargetAction = "added"
	TargetChanged   TargetAction = "changed"
	TargetWithdrawn TargetAction = "withdrawn"
	TargetLeftOut   TargetAction = "left out"
)

// TargetLine is what the report of a run says of a listing.
type TargetLine struct {
	Action    TargetAction
	Product   product.ID
	Reference string
	// Why a listing was left out.
	Why string
}

// With returns the run with a line that is counted, and kept if there is room.
func (r TargetRun) With(l TargetLine) TargetRun {
	switch l.Action {
	case TargetAdded:
		r.Added++
	case TargetChanged:
		r.Changed++
	case TargetWithdrawn:
		r.Withdrawn++
	case TargetLeftOut:
		r.LeftOut++
	}
	if len(r.Lines) < MaxTargetLines {
		r.Lines = append(r.Lines, l)
	}
	return r
}

// Placements is on which portals a product is.
type Placements struct {
	Site    site.ID
	Product product.ID
	On      []Placement
}

// Placement is a product on a portal.
type Placement struct {
	Target TargetID
	// Reference is the one that was sent, Agency what its agency was called, Fingerprint that of all that was
	// sent.
	Reference, Agency, Fingerprint string
	// Since is when the portal got the product as it is there.
	Since time.Time
	// Rejected is why the portal did not take the product, as somebody noted; empty if it did.
	Rejected string
}

// Find returns the placement on a target, if there is one.
func (p Placements) Find(t TargetID) (Placement, bool) {
	for _, on := range p.On {
		if on.Target == t {
			return on, true
		}
	}
	return Placement{}, false
}

// With returns the placements with one that is new or replaces that on the same target.
func (p Placements) With(on Placement) Placements {
	p = p.Without(on.Target)
	p.On = append(p.On, on)
	slices.SortFunc(p.On, func(a, b Placement) int { return cmp.Compare(a.Target, b.Target) })
	return p
}

// Without returns the placements but for that on a target.
func (p Placements) Without(t TargetID) Placements {
	p.On = slices.DeleteFunc(slices.Clone(p.On), func(on Placement) bool { return on.Target == t })
	return p
}
