package agenda

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

func (u Unit) listTypes(kernel.Nothing) (AppointmentTypes, error) {
	list := AppointmentTypes{Data: []AppointmentType{}}
	for _, t := range u.Site.AppointmentTypes {
		list.Data = append(list.Data, AppointmentType{
			ID: int64(t.ID), Model: t.Model, Label: t.Label, IsActive: t.Active, IsBusy: t.Busy, IsLeave: t.Leave, DurationMinutes: t.Duration,
			BufferBefore: t.Before, BufferAfter: t.After, Color: kernel.Nullable(t.Color), Position: t.Position,
		})
	}
	return list, nil
}

func (u Unit) getSettings(in AgencyPath) (AgencySettings, error) {
	of, err := agency(u.Caller, in.ID)
	if err != nil {
		return AgencySettings{}, err
	}
	found, err := agendarecords.SettingsOf(u.Tx, u.Site.ID, of.ID)
	return u.ofSettings(found), err
}

func (u Unit) listSettings(kernel.Nothing) (AllAgencySettings, error) {
	agencies := u.Scope.Agencies()
	settings, err := agendarecords.AllSettings(u.Tx, u.Site.ID, agencies)
	list := AllAgencySettings{Data: []AgencySettings{}}
	for _, id := range agencies {
		list.Data = append(list.Data, u.ofSettings(settings(id)))
	}
	return list, err
}

func (u Unit) putSettings(in PutSettings) (AgencySettings, error) {
	of, err := agency(u.Caller, in.ID)
	if err != nil {
		return AgencySettings{}, err
	}
	wanted, err := u.ReadSettings(of.ID, in.OnlineBooking)
	if err != nil {
		return AgencySettings{}, err
	}
	_, kept, err := u.KeepSettings(wanted, in.IfMatch)
	return u.ofSettings(kept), err
}

// KeepSettings stores settings that ReadSettings read, in place of those of the
// agency, and returns both. Where they are the same nothing is stored.
func (u Unit) KeepSettings(wanted planning.BookingSettings, match kernel.IfMatch) (before, after planning.BookingSettings, err error) {
	before, err = u.BookingSettings().Get(u.Site.ID, wanted.Agency)
	if kernel.IsAbsent(err) {
		before, err = planning.BookingDefaults(u.Site.ID, wanted.Agency), nil
	}
	if err := kernel.FirstError(err, match.Check(kernel.Version(before.Version))); err != nil {
		return before, before, err
	}
	wanted.Version, wanted.Modified = before.Version, before.Modified
	if reflect.DeepEqual(before, wanted) {
		return before, before, nil
	}
	wanted.Version, wanted.Modified = before.Version+1, u.Now
	return before, wanted, u.BookingSettings().Put(wanted)
}

// ReadSettings reads settings that replace those of an agency: what is not given is
// as by default. What is wrong with them is Invalid.
func (u Unit) ReadSettings(of site.AgencyID, given opt.Field[OnlineBookingInput]) (planning.BookingSettings, error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	f.Required("online_booking", !given.Given())
	in, s := given.Value, planning.BookingDefaults(u.Site.ID, of)
	f = f.In("online_booking")
	within := func(field string, target *int, given opt.Field[int], low, high int) {
		if given.Given() {
			f.Between(field, target, given, low, high)
		}
	}
	s.Enabled = in.Enabled.Or(false)
	if model := in.Type.Or(s.Type); model != s.Type || in.Type.Given() {
		if _, known := u.Site.AppointmentTypes.Active(model); !known {
			f.Refuse("type", u.Site.AppointmentTypes.Unknown(model, fault.Textf("no active type of event has this model")))
		}
		s.Type = model
	}
	f.MaybeBetween("duration_minutes", &s.Duration, in.DurationMinutes, planning.MinDuration, planning.MaxDuration)
	f.MaybeBetween("buffer_before", &s.Before, in.BufferBefore, 0, planning.MaxBuffer)
	f.MaybeBetween("buffer_after", &s.After, in.BufferAfter, 0, planning.MaxBuffer)
	within("step_minutes", &s.Step, in.StepMinutes, planning.MinStep, planning.MaxStep)
	within("notice_minutes", &s.Notice, in.NoticeMinutes, 0, planning.MaxNotice)
	within("horizon_days", &s.HorizonDays, in.HorizonDays, 1, planning.MaxHorizonDays)
	within("hold_seconds", &s.HoldSeconds, in.HoldSeconds, 1, planning.MaxHoldSeconds)
	within("cancel_notice_minutes", &s.CancelNotice, in.CancelNoticeMinutes, 0, planning.MaxNotice)
	form.OneOf(f, "confirmation", &s.Confirmation, in.Confirmation, []planning.Confirmation{planning.Automatic, planning.ByHand})
	s.Confirmation = cmp.Or(s.Confirmation, planning.Automatic)
	planning.Link(f, "page_url", &s.PageURL, in.PageURL)
	if f.Few("user_ids", len(in.UserIDs.Value), MaxBookable) {
		s.Users = u.readBookable(f, of, in.UserIDs.Value)
	}
	return s, problems.Err()
}

// readBookable reads the users of an agency who can be booked.
func (u Unit) readBookable(f form.Form, of site.AgencyID, given []int64) (users []site.UserID) {
	staff, seen := agendarecords.ActiveUsers(u.Site.SiteView, of), map[int64]bool{}
	for n, id := range given {
		field := fmt.Sprintf("user_ids[%d]", n)
		switch {
		case !form.Once(f, field, id, seen):
		case !slices.Contains(staff, site.UserID(id)):
			f.Wrong(field, fault.CodeUnknownUser, id, "no active user of the agency has this id")
		default:
			users = append(users, site.UserID(id))
		}
	}
	return users
}

// MaxBookable is how many users settings can name.
const MaxBookable = 200

func (u Unit) ofSettings(s planning.BookingSettings) AgencySettings {
	duration, before, after := s.Timing(u.Site.AppointmentTypes)
	return AgencySettings{
		AgencyID: int64(s.Agency),
		OnlineBooking: OnlineBookingSettings{
			Enabled: s.Enabled, Type: s.Type, DurationMinutes: duration, StepMinutes: s.Step, BufferBefore: before, BufferAfter: after,
			NoticeMinutes: s.Notice, HorizonDays: s.HorizonDays, Confirmation: string(s.Confirmation), HoldSeconds: s.HoldSeconds,
			CancelNoticeMinutes: s.CancelNotice, UserIDs: agendarecords.Numbers(s.Users), PageURL: kernel.Nullable(s.PageURL),
		},
		Version: kernel.Version(s.Version),
	}
}
