package agenda

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// maxListed bounds the lists that are one page.
const maxListed = 1_000

func (u Unit) getPermanence(in PermanencePath) (Permanence, error) {
	found, err := u.permanences().Get(u, planning.DutyID(in.ID))
	return ofPermanence(found), err
}

func (u Unit) listPermanences(in ListPermanences) (Permanences, error) {
	var problems fault.Problems
	q := port.DutyQuery{Site: u.Site.ID, Window: window(u.zoneAsked(in.AgencyID), in.From, in.To, maxSearch, &problems)}
	if id := kernel.ID[site.UserID]("user_id", in.UserID, &problems); id != 0 {
		q.Users = []site.UserID{id}
	}
	q.Kinds = readKind(in.Type, &problems)
	var outside error
	q.Agencies, outside = u.ListedAgencies(in.AgencyID, &problems)
	if err := invalid(outside, &problems); err != nil {
		return Permanences{}, err
	}
	duties, err := u.duties(q)
	list := Permanences{Data: []PermanenceOccurrence{}, Truncated: len(duties) > maxListed}
	for _, d := range duties[:min(len(duties), maxListed)] {
		record := ofPermanence(d.Duty)
		record.StartAt, record.EndAt = kernel.Instant{Time: d.span().Start}, kernel.Instant{Time: d.span().End}
		list.Data = append(list.Data, PermanenceOccurrence{record, kernel.When(d.original)})
	}
	return list, err
}

func readKind(given opt.Field[string], problems *fault.Problems) []planning.DutyKind {
	var kind planning.DutyKind
	if form.OneOf(form.Form{Problems: problems}, "type", &kind, given, planning.DutyKinds()); kind == "" {
		return nil
	}
	return []planning.DutyKind{kind}
}

// duty is one occurrence of a permanence.
type duty struct {
	planning.Duty
	calendar.Interval
	original time.Time
}

// span returns the time of the occurrence.
func (d duty) span() calendar.Interval { return d.Interval }

// duties returns the occurrences of the permanences that a query wants, by start, then
// by id.
func (u Unit) duties(q port.DutyQuery) ([]duty, error) {
	if len(q.Agencies) == 0 {
		return nil, nil
	}
	found, err := u.Duties().Within(q)
	if err != nil {
		return nil, err
	}
	var all []duty
	for _, p := range found {
		zone, err := u.Location(p.Zone)
		if err != nil {
			return nil, err
		}
		for _, o := range p.Overlapping(q.Window, zone) {
			all = append(all, duty{p, o.Interval, o.Original})
		}
	}
	slices.SortFunc(all, func(a, b duty) int { return cmp.Or(a.span().Start.Compare(b.span().Start), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

func (u Unit) listOnDuty(in ListOnDuty) (OnDuty, error) {
	var problems fault.Problems
	at := u.Now
	if in.At.Or("") != "" {
		at = moment(u.zoneAsked(in.AgencyID), "at", in.At, &problems)
	}
	form.Form{Problems: &problems}.Required("agency_id", !in.AgencyID.Given())
	q := port.DutyQuery{Site: u.Site.ID, Window: calendar.Interval{Start: at, End: at.Add(time.Microsecond)}, Kinds: readKind(in.Type, &problems)}
	var outside error
	q.Agencies, outside = u.ListedAgencies(in.AgencyID, &problems)
	if err := invalid(outside, &problems); err != nil {
		return OnDuty{}, err
	}
	duties, err := u.duties(q)
	list := OnDuty{Data: []DutyNow{}}
	for _, d := range duties {
		list.Data = append(list.Data, DutyNow{
			UserID: int64(d.User), Type: string(d.Kind), PermanenceID: int64(d.ID), StartAt: kernel.Instant{Time: d.span().Start}, EndAt: kernel.Instant{Time: d.span().End},
		})
	}
	return list, err
}

func (u Unit) createPermanence(in CreatePermanence) (kernel.Created, error) {
	var problems fault.Problems
	made := planning.ApplyDuty(u.rules(), planning.Duty{}, in.DutyChange, &problems)
	if err := u.checkPermanence(in.DutyChange, planning.Duty{}, made, &problems); err != nil {
		return kernel.Created{}, err
	}
	made.Site = u.Site.ID
	added, err := u.permanences().Create(u, made)
	return u.Created("/agenda/permanences/", int64(added.ID)), err
}

func (u Unit) updatePermanence(in UpdatePermanence) (kernel.Changed, error) {
	peeked, err := u.Duties().Many(u.Site.ID, []planning.DutyID{planning.DutyID(in.ID)})
	if err != nil {
		return kernel.Changed{}, err
	}
	if len(peeked) > 0 {
		if err := u.Calendars().Hold(u.Site.ID, []site.UserID{peeked[0].User, site.UserID(in.UserID.Or(int64(peeked[0].User)))}); err != nil {
			return kernel.Changed{}, err
		}
	}
	before, err := u.permanences().Get(u, planning.DutyID(in.ID))
	if err != nil {
		return kernel.Changed{}, err
	}
	return u.permanences().Change(u, before, in.IfMatch, func(p planning.Duty) (planning.Duty, error) {
		var problems fault.Problems
		after := planning.ApplyDuty(u.rules(), p, in.DutyChange, &problems)
		return after, u.checkPermanence(in.DutyChange, p, after, &problems)
	})
}

// checkPermanence reports what a request names that does not exist, next to what is
// wrong otherwise, and then as a Conflict a duty that another one of the user
// overlaps.
func (u Unit) checkPermanence(in planning.DutyChange, before, after planning.Duty, problems *fault.Problems) error {
	outside := u.CheckAgency(in.AgencyID, problems)
	if after.User != 0 && after.User != before.User {
		u.checkUsers("user_id", []site.UserID{after.User}, true, problems)
	}
	if err := invalid(outside, problems); err != nil {
		return err
	}
	if err := u.Calendars().Hold(u.Site.ID, []site.UserID{after.User}); err != nil {
		return err
	}
	return u.checkNoOverlap(after)
}

func (u Unit) checkNoOverlap(p planning.Duty) error {
	zone, err := u.Location(p.Zone)
	if err != nil {
		return err
	}
	mine := p.First(zone, maxChecked)
	if len(mine) == 0 {
		return nil
	}
	window := calendar.Interval{Start: mine[0].Start, End: mine[len(mine)-1].End}
	others, err := u.Duties().Within(port.DutyQuery{Site: u.Site.ID, Window: window, Users: []site.UserID{p.User}})
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.ID == p.ID {
			continue
		}
		zone, err := u.Location(other.Zone)
		if err != nil {
			return err
		}
		if meet(mine, other.Overlapping(window, zone)) {
			return fault.New(fault.Conflict, fault.CodePermanenceOverlap, "another duty of the user overlaps").At("permanence_id", int64(other.ID))
		}
	}
	return nil
}

// meet reports whether two lists of occurrences, each by start, have time in
// common.
func meet(a, b []planning.Occurrence) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Meets(b[0].Interval):
			return true
		case a[0].End.Before(b[0].End):
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

func (u Unit) deletePermanence(in DeletePermanence) (kernel.None, error) {
	before, err := u.permanences().Get(u, planning.DutyID(in.ID))
	if err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.permanences().Remove(u, before, in.IfMatch)
}

func ofPermanence(p planning.Duty) Permanence {
	record := Permanence{
		ID: int64(p.ID), AgencyID: int64(p.Agency), UserID: int64(p.User), Type: string(p.Kind), StartAt: kernel.Instant{Time: p.Start},
		EndAt: kernel.Instant{Time: p.End}, Timezone: p.Zone, RRule: kernel.Nullable(p.Rule), Exdates: []kernel.Instant{}, Bookable: p.Bookable,
		Comment: kernel.Nullable(p.Comment), DateAdded: kernel.Instant{Time: p.Added}, LastModified: kernel.Instant{Time: p.Modified}, Version: kernel.Version(p.Version),
	}
	for _, at := range p.Except {
		record.Exdates = append(record.Exdates, kernel.Instant{Time: at})
	}
	return record
}
