package office

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Changes are the use cases by which operators change a site. They are no operations
// of the contract, and check no pack, permission or right: their caller has made
// sure that the caller may.
//
// What is wrong with a request is Invalid, with every field named, and changes
// nothing. Under an If-Match that does not hold, the revision of the site, it is
// Stale. A change that shows no difference leaves no trace.
type Changes struct {
	// ChangeSettings changes the given settings of a site.
	ChangeSettings kernel.UseCase[ChangeSettings, kernel.Changed]
	// ChangeCriterionValues activates, orders and labels the values of a criterion. It
	// is told of as provisioning tells of it. An unknown criterion is NotFound.
	ChangeCriterionValues kernel.UseCase[ChangeCriterionValues, kernel.Changed]
	// ChangeListValues does the same with those of a list, of which no event tells. An
	// unknown list is NotFound.
	ChangeListValues kernel.UseCase[ChangeListValues, kernel.Changed]
}

func (s *Service) changes() Changes {
	return Changes{
		ChangeSettings:        kernel.Writes(s.k, newUnit, unit.changeSettings),
		ChangeCriterionValues: kernel.Writes(s.k, newUnit, unit.changeCriterionValues),
		ChangeListValues:      kernel.Writes(s.k, newUnit, unit.changeListValues),
	}
}

// unit is a unit of work that changes a site.
type unit struct{ kernel.Unit }

func newUnit(u kernel.Unit) unit { return unit{u} }

// settingsRule returns who may read the settings of a site: those who read its vocabulary.
func settingsRule() access.Rule { return kernel.Needs(vocabularyReaders, config, access.CriteriaAll) }

func readSettings(_ context.Context, c kernel.Caller, _ kernel.Nothing) (SiteSettings, error) {
	own := SettingsOf(c.Site.Record)
	own.Version = kernel.Version(c.Site.Revision)
	return own, nil
}

// SettingsOf returns what can be changed of a site, without its version.
func SettingsOf(s site.Site) SiteSettings {
	own := s.Settings.WithDefaults()
	return SiteSettings{
		Name: s.Name, DefaultStatus: own.DefaultStatus, Timezone: own.TimeZone, Currency: own.Currency, Country: own.Country,
		Language: own.Language, ReferencePattern: own.ReferencePattern, EnergyScales: kernel.List(own.EnergyScales),
	}
}

// valuesState is what the audit says of a referential or list: its values in order.
type valuesState struct {
	Values []string `trace:"keep"`
}

func valuesOf(choices []criteria.Choice) valuesState {
	var state valuesState
	for _, c := range choices {
		line := c.Code + " " + strconv.Quote(c.Label)
		if !c.Active {
			line += " inactive"
		}
		state.Values = append(state.Values, line)
	}
	return state
}

// part is something of a site that can be changed.
type part[T any] struct {
	unit
	find func() (T, error)
	put  func(T) error
	// told returns the state for the audit.
	told func(T) any
}

// change stores a new state of the part. Counting the change holds the site until the
// unit ends, so that changes take turns: what is there then must still be what was
// judged.
func (p part[T]) change(match kernel.IfMatch, edit func(T) (T, error)) (kernel.Changed, error) {
	before, err := p.find()
	if err != nil {
		return kernel.Changed{}, err
	}
	after, err := edit(before)
	if err != nil {
		return kernel.Changed{}, err
	}
	head, err := p.Ledger().Head(p.Site.ID)
	revision := kernel.Version(head.Settings)
	if err := kernel.FirstError(err, match.Check(revision)); err != nil || reflect.DeepEqual(before, after) {
		return kernel.Changed{Version: revision}, err
	}
	if err := p.Ledger().Touch(p.Site.ID, port.AspectSettings); err != nil {
		return kernel.Changed{}, err
	}
	now, err := p.find()
	if err == nil && !reflect.DeepEqual(before, now) {
		err = stale()
	}
	if err != nil {
		return kernel.Changed{}, err
	}
	p.Changed(p.told(before), p.told(after))
	return kernel.Changed{Version: revision + 1}, p.put(after)
}

func stale() error {
	return fault.New(fault.Stale, fault.CodePreconditionFailed, "the site has changed since it was read; read it again")
}

func (u unit) changeSettings(in ChangeSettings) (kernel.Changed, error) {
	find := func() (site.Site, error) { return u.Sites().Get(u.Site.ID) }
	told := func(s site.Site) any { return SettingsOf(s) }
	return part[site.Site]{u, find, u.Sites().Put, told}.change(in.IfMatch, func(s site.Site) (site.Site, error) { return u.withSettings(s, in) })
}

// withSettings returns the site with changed settings.
func (u unit) withSettings(s site.Site, in ChangeSettings) (site.Site, error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	s.Settings = s.Settings.WithDefaults()
	setting(f, "name", &s.Name, in.Name)
	setting(f, "default_status", &s.Settings.DefaultStatus, in.DefaultStatus)
	setting(f, "timezone", &s.Settings.TimeZone, in.Timezone)
	setting(f, "currency", &s.Settings.Currency, in.Currency)
	setting(f, "country", &s.Settings.Country, in.Country)
	setting(f, "language", &s.Settings.Language, in.Language)
	setting(f, "reference_pattern", &s.Settings.ReferencePattern, in.ReferencePattern)
	if in.EnergyScales.Set {
		s.Settings.EnergyScales = in.EnergyScales.Or(nil)
	}
	if len(s.Settings.EnergyScales) == 0 {
		s.Settings.EnergyScales = nil
	}
	return s, kernel.FirstError(u.judge(f, s.Settings), problems.Err())
}

// setting sets a setting, which no site is without.
func setting(f form.Form, field string, target *string, given opt.Field[string]) {
	f.Text(field, target, given, form.MaxName)
	f.Required(field, given.Set && *target == "")
}

// judge reports settings that no site can have. An empty one is reported already.
func (u unit) judge(f form.Form, s site.Settings) error {
	definitions, err := u.Criteria().Of(u.Site.ID)
	for _, d := range definitions {
		switch d.Key {
		case criteria.KeyStatus:
			oneOfChoices(f, "default_status", s.DefaultStatus, d)
		case criteria.KeyCountry:
			oneOfChoices(f, "country", s.Country, d)
		}
	}
	if _, unknown := u.Location(s.TimeZone); unknown != nil || s.TimeZone == "Local" {
		f.Wrong("timezone", fault.CodeInvalidFormat, s.TimeZone, "a time zone is named as the IANA does, such as Europe/Paris")
	}
	letters(f, "currency", s.Currency, 3, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "EUR")
	letters(f, "country", s.Country, 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "FR")
	letters(f, "language", s.Language, 2, "abcdefghijklmnopqrstuvwxyz", "fr")
	if problem := product.ReferencePattern(s.ReferencePattern).Validate(); problem != nil && s.ReferencePattern != "" {
		f.Wrong("reference_pattern", fault.CodeInvalidFormat, s.ReferencePattern, "%v", problem)
	}
	if problem := energy.Scales(s.EnergyScales).Validate(); problem != nil {
		f.Wrong("energy_scales", fault.CodeInvalidFormat, strings.Join(s.EnergyScales, ", "), "%v", problem)
	}
	return err
}

// oneOfChoices reports a code that no product could have.
func oneOfChoices(f form.Form, field, code string, d criteria.Definition) {
	if active := criteria.ActiveCodes(d.Choices); len(d.Choices) > 0 && code != "" && !slices.Contains(active, code) {
		f.Refuse(field, fault.Detail{
			Code: fault.CodeCriteriaValueUnknown, Value: code, Accepted: active, Message: fault.Textf("%s is no active value of %s", field, d.Key),
		})
	}
}

// letters reports a code that does not have so many of some letters.
func letters(f form.Form, field, code string, n int, of, example string) {
	if code != "" && (len(code) != n || strings.Trim(code, of) != "") {
		f.Wrong(field, fault.CodeInvalidFormat, code, "%s is a code of %d letters such as %s", field, n, example)
	}
}

func (u unit) changeCriterionValues(in ChangeCriterionValues) (kernel.Changed, error) {
	find := func() (criteria.Definition, error) {
		return findIn(u.Criteria(), u.Site.ID, isCriterion(in.Criteria), fault.Textf("no criterion has this key or id"))
	}
	put := func(d criteria.Definition) error {
		_, err := u.Record(event.Event{Type: event.CriteriaUpdate, Resource: int64(d.ID)})
		return kernel.FirstError(err, u.Criteria().Put(u.Site.ID, d))
	}
	told := func(d criteria.Definition) any { return valuesOf(d.Choices) }
	return part[criteria.Definition]{u, find, put, told}.change(in.IfMatch, func(d criteria.Definition) (changed criteria.Definition, err error) {
		changed = d
		changed.Choices, err = u.arranged(d.Choices, in.Values, d.Key == criteria.KeyStatus)
		return changed, err
	})
}

func (u unit) changeListValues(in ChangeListValues) (kernel.Changed, error) {
	find := func() (criteria.List, error) {
		return findIn(u.Lists(), u.Site.ID, func(l criteria.List) bool { return int64(l.ID) == in.List }, fault.Textf("no list has this id"))
	}
	put := func(l criteria.List) error { return u.Lists().Put(u.Site.ID, l) }
	told := func(l criteria.List) any { return valuesOf(l.Choices) }
	return part[criteria.List]{u, find, put, told}.change(in.IfMatch, func(l criteria.List) (changed criteria.List, err error) {
		changed = l
		changed.Choices, err = u.arranged(l.Choices, in.Values, false)
		return changed, err
	})
}

// isCriterion finds a criterion by key or numeric id.
func isCriterion(name string) func(criteria.Definition) bool {
	return func(d criteria.Definition) bool { return d.Key == name || strconv.FormatInt(int64(d.ID), 10) == name }
}

func findIn[ID ~int64, T any](of port.Vocabulary[ID, T], id site.ID, is func(T) bool, unknown fault.Text) (T, error) {
	all, err := of.Of(id)
	if n := slices.IndexFunc(all, is); err == nil && n >= 0 {
		return all[n], nil
	}
	var none T
	return none, kernel.FirstError(err, kernel.Unknown("%s", unknown))
}

// arranged are choices in the order of the values, which name each of them once, with
// their labels and states. Among statuses, the one that new products get stays active.
func (u unit) arranged(before []criteria.Choice, values []ValueChange, statuses bool) (after []criteria.Choice, err error) {
	var problems fault.Problems
	seen := map[string]bool{}
	for i, v := range values {
		f := form.Form{Problems: &problems}.In("values[%d]", i)
		n := slices.IndexFunc(before, func(c criteria.Choice) bool { return c.Code == v.Model })
		if n < 0 {
			f.Wrong("model", fault.CodeCriteriaValueUnknown, v.Model, "there is no value with this code")
			continue
		}
		if form.Once(f, "model", v.Model, seen) {
			after = append(after, v.applied(f, before[n], statuses && v.Model == u.Site.Settings().DefaultStatus))
		}
	}
	for _, c := range before {
		if !seen[c.Code] {
			problems.Wrong("values", fault.CodeRequired, c.Code, "every value is named, in the order they are to have; %s is missing", c.Code)
		}
	}
	return after, problems.Err()
}

// applied returns a choice with what is to change of it.
func (v ValueChange) applied(f form.Form, c criteria.Choice, needed bool) criteria.Choice {
	setting(f, "label", &c.Label, v.Label)
	if v.IsActive.Given() {
		c.Active = v.IsActive.Value
	}
	if needed && !c.Active {
		f.Wrong("is_active", fault.CodeOutOfRange, false, "products are created with this status; choose another default_status first")
	}
	return c
}
