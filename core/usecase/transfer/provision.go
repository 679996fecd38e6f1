package transfer

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// Provisioned counts the changes of a setup.
type Provisioned struct {
	Added, Changed, Unchanged int
}

func (p *Provisioned) count(existed, changed bool) {
	switch {
	case !existed:
		p.Added++
	case changed:
		p.Changed++
	default:
		p.Unchanged++
	}
}

// Provision changes the store to what the setup describes, in one unit of work. Sites,
// agencies, users, vocabulary and credentials become as described; what the setup does not
// name stays. Customers, with their search requests, and products are only added, because
// existing ones belong to the people who work with them. A second run of the same setup
// changes nothing.
//
// Events about records of agencies that left or joined the scope follow afterwards. If that
// fails everything else is done, and TellScopeChanges continues.
//
// Errors name the wrong entry.
func (s *Service) Provision(ctx context.Context, setup Setup) (Provisioned, error) {
	kept, err := s.keepPictures(ctx, setup)
	if err != nil {
		return Provisioned{}, err
	}
	withPictures := func(u kernel.Unit) provisioner {
		p := s.provisioner(u)
		p.pictured = kept
		return p
	}
	done, err := kernel.Writes(s.k, withPictures, provisioner.provision)(ctx, kernel.Caller{}.On(event.ActorOf(event.BySystem, "provisioning")), setup)
	if err != nil {
		return done, err
	}
	if err := s.TellScopeChanges(ctx); err != nil {
		return done, fmt.Errorf("the setup is carried out; telling who follows the site what came and went: %w", err)
	}
	return done, nil
}

// ProvisionWithin is Provision of new sites without products in a unit of work that does more.
func (s *Service) ProvisionWithin(u kernel.Unit, setup Setup) (Provisioned, error) {
	return s.provisioner(u).provision(setup)
}

// provisioner carries out one setup in one unit of work.
type provisioner struct {
	people.Unit
	zone     func(name string) (*time.Location, error)
	done     *Provisioned
	pictured map[reference]pictured
}

func (s *Service) provisioner(u kernel.Unit) provisioner {
	return provisioner{Unit: people.NewUnit(u), zone: s.k.Zone, done: &Provisioned{}}
}

func (p provisioner) provision(setup Setup) (Provisioned, error) {
	if err := setup.checkTwice(); err != nil {
		return *p.done, err
	}
	for _, described := range setup.Sites {
		described.Indices = slices.Concat(setup.Indices, described.Indices)
		if err := p.site(described); err != nil {
			return *p.done, fmt.Errorf("site %d: %w", described.ID, err)
		}
	}
	for _, described := range setup.Credentials {
		if err := p.credential(described); err != nil {
			return *p.done, fmt.Errorf("credential %q: %w", described.ID, err)
		}
	}
	for _, described := range setup.Keys {
		if err := p.key(described); err != nil {
			return *p.done, fmt.Errorf("key %q of credential %q: %w", described.Name, described.Credential, err)
		}
	}
	return *p.done, nil
}

// at returns the provisioner for the records of a site, after the site itself.
func (p provisioner) at(id site.ID) (provisioner, error) {
	view, err := kernel.ReadSiteView(p.Tx, id, p.zone)
	if err == nil {
		p.Unit = people.NewUnit(p.At(view))
	}
	return p, err
}

// keep stores a record when it differs from the existing one in any field, and reports
// whether it did.
func keep[T any](p provisioner, existing []T, is func(T) bool, wanted T, put func(T) error) (bool, error) {
	n := slices.IndexFunc(existing, is)
	changed := n < 0 || !reflect.DeepEqual(existing[n], wanted)
	p.done.count(n >= 0, changed)
	if !changed {
		return false, nil
	}
	return true, put(wanted)
}

// keepDated is keep for records that know when they were added and when they last showed
// something else, which times points at.
func keepDated[T interface{ Same(T) bool }](p provisioner, existing []T, is func(T) bool, wanted T, put func(T) error, times func(*T) (added, modified *time.Time)) error {
	added, modified := times(&wanted)
	*added, *modified = p.Now, p.Now
	if n := slices.IndexFunc(existing, is); n >= 0 {
		before, last := times(&existing[n])
		*added = *before
		if wanted.Same(existing[n]) {
			*modified = *last
		}
	}
	_, err := keep(p, existing, is, wanted, put)
	return err
}

func (p provisioner) site(in SetupSite) error {
	if in.ID < 1 || in.Name == "" {
		return errors.New("a site needs an id of at least 1 and a name")
	}
	if in.Vocabulary != "" {
		return fmt.Errorf("the vocabulary %q is not here", in.Vocabulary)
	}
	if err := in.checkTwice(); err != nil {
		return err
	}
	id := site.ID(in.ID)
	if err := p.holdCalendars(in); err != nil {
		return err
	}
	before, err := p.stands(id)
	if err != nil {
		return err
	}
	if err := p.settings(id, in); err != nil {
		return err
	}
	at, err := p.tell(id, before)
	if err != nil {
		return err
	}
	if err := at.agenda(in); err != nil {
		return err
	}
	if err := at.importSources(id, in); err != nil {
		return err
	}
	if err := at.publicationTargets(id, in); err != nil {
		return err
	}
	fresh, err := at.customers(in)
	if err != nil {
		return err
	}
	if err := at.products(in); err != nil {
		return err
	}
	return at.demands(fresh)
}

// settings stores a site with its vocabulary, agencies and users. Requests read these again
// if one of them changed.
func (p provisioner) settings(id site.ID, in SetupSite) error {
	counted := *p.done
	existing, err := p.Sites().All()
	if err != nil {
		return err
	}
	wanted, err := p.wantedSite(id, in, existing)
	if err != nil {
		return err
	}
	if _, err := keep(p, existing, func(s site.Site) bool { return s.ID == id }, wanted, p.Sites().Put); err != nil {
		return err
	}
	for _, part := range []func(site.ID, SetupSite) error{p.criteria, p.lists, p.actionTypes, p.agendaTypes, p.agencies, p.users} {
		if err := part(id, in); err != nil {
			return err
		}
	}
	if err := p.checkStatus(id, wanted.Settings.DefaultStatus); err != nil {
		return err
	}
	if p.done.Added == counted.Added && p.done.Changed == counted.Changed {
		return nil
	}
	return p.Ledger().Touch(id, port.AspectSettings)
}

// wantedSite returns the site that is described.
func (p provisioner) wantedSite(id site.ID, in SetupSite, existing []site.Site) (site.Site, error) {
	wanted := site.Site{ID: id, Name: in.Name, Disabled: in.Disabled, Settings: site.Settings{
		DefaultStatus: in.DefaultStatus, TimeZone: in.Timezone, Currency: in.Currency, Country: in.Country,
		Language: in.Language, ReferencePattern: in.ReferencePattern, EnergyScales: known(in.EnergyScales),
	}.WithDefaults()}
	if err := product.ReferencePattern(wanted.Settings.ReferencePattern).Validate(); err != nil {
		return wanted, err
	}
	if err := energy.Scales(wanted.Settings.EnergyScales).Validate(); err != nil {
		return wanted, err
	}
	var problems fault.Problems
	p.checkZone(form.Form{Problems: &problems}, wanted.Settings.TimeZone)
	if err := problems.Err(); err != nil {
		return wanted, explain(err)
	}
	for _, a := range in.Agencies {
		if trueByDefault(a.InScope) {
			wanted.Agencies = append(wanted.Agencies, site.AgencyID(a.ID))
		}
	}
	slices.Sort(wanted.Agencies)
	wanted.Groups = in.groups()
	for _, g := range in.UserGroups {
		if g.ID < 1 || g.Name == "" {
			return wanted, fmt.Errorf("user group %d: it needs an id of at least 1 and a name", g.ID)
		}
		if g.AgencyID != 0 {
			if err := in.checkAgency(g.AgencyID); err != nil {
				return wanted, fmt.Errorf("user group %d %q: %w", g.ID, g.Name, explain(err))
			}
		}
	}
	return wanted, setRentRules(&wanted, existing, in)
}

// checkZone reports a time zone that does not exist, or is that of the machine.
func (p provisioner) checkZone(f form.Form, name string) {
	if _, err := p.zone(name); err != nil || name == "Local" {
		f.Wrong("timezone", fault.CodeInvalidFormat, name, "%q is not named as the IANA does, such as Europe/Paris", name)
	}
}

// checkStatus returns an error for a default status that no product can have.
func (p provisioner) checkStatus(id site.ID, status string) error {
	definitions, err := p.Criteria().Of(id)
	for _, d := range definitions {
		if c, found := d.Choice(status); d.Key == criteria.KeyStatus && (!found || !c.Active) {
			return fmt.Errorf("default_status %q is not an active value of %s", status, criteria.KeyStatus)
		}
	}
	return err
}

// trueByDefault returns a flag that is true unless given.
func trueByDefault(flag *bool) bool { return flag == nil || *flag }

// known returns nil for an empty list, because stores may do so.
func known[T any](items []T) []T {
	if len(items) == 0 {
		return nil
	}
	return items
}

func choices(in []SetupChoice) []criteria.Choice {
	var out []criteria.Choice
	for _, c := range in {
		out = append(out, criteria.Choice{ID: c.ID, Code: c.Model, Label: c.Label, Active: trueByDefault(c.IsActive)})
	}
	return out
}

func (p provisioner) criteria(id site.ID, in SetupSite) error {
	existing, err := p.Criteria().Of(id)
	if err != nil {
		return err
	}
	keys := map[string]criteria.ID{}
	for _, d := range existing {
		keys[d.Key] = d.ID
	}
	for _, c := range in.Criteria {
		kind, err := criteria.ParseType(c.Type)
		if err != nil {
			return fmt.Errorf("criterion %q: %w", c.Key, err)
		}
		wanted := criteria.Definition{
			ID: criteria.ID(c.ID), Key: c.Key, Type: kind, Label: c.Label, Description: c.Description,
			Active: trueByDefault(c.IsActive), Custom: c.IsCustom, CustomLabel: c.IsLabelCustom, CustomValues: c.IsValuesCustom,
			RequiredForPublication: c.IsRequiredForPublication, Searchable: trueByDefault(c.IsSearchable), Private: c.IsPrivate,
			Unit: c.Unit, Min: c.Min, Max: c.Max, Decimals: c.Decimals, MaxLength: c.MaxLength, FullText: c.IsFulltext,
			Group: c.Group, PropertyTypes: known(c.PropertyTypes), Position: c.Position, Choices: choices(c.Values),
		}
		if err := wanted.Validate(); err != nil {
			return err
		}
		if holder, taken := keys[c.Key]; taken && holder != wanted.ID {
			return fmt.Errorf("criterion %q: the key belongs to criterion %d", c.Key, holder)
		}
		keys[c.Key] = wanted.ID
		if n := slices.IndexFunc(existing, func(d criteria.Definition) bool { return d.ID == wanted.ID }); n >= 0 {
			if existing[n].Key != wanted.Key || existing[n].Type != wanted.Type {
				return fmt.Errorf("criterion %q: the key and type of an existing criterion cannot change", c.Key)
			}
			wanted.Choices = retire(existing[n].Choices, wanted.Choices)
		}
		if _, err := keep(p, existing, func(d criteria.Definition) bool { return d.ID == wanted.ID }, wanted,
			func(d criteria.Definition) error { return p.Criteria().Put(id, d) }); err != nil {
			return err
		}
	}
	return nil
}

// retire returns the choices that are no longer described, as inactive: products may have
// them.
func retire(existing, described []criteria.Choice) []criteria.Choice {
	for _, old := range existing {
		if !slices.ContainsFunc(described, func(c criteria.Choice) bool { return c.Code == old.Code }) {
			old.Active = false
			described = append(described, old)
		}
	}
	return described
}

func (p provisioner) lists(id site.ID, in SetupSite) error {
	existing, err := p.Lists().Of(id)
	if err != nil {
		return err
	}
	for _, l := range in.Lists {
		wanted := criteria.List{ID: criteria.ListID(l.ID), Key: l.Key, Label: l.Label, Choices: choices(l.Values)}
		if wanted.ID < 1 {
			return fmt.Errorf("list %q: the id must be at least 1", l.Key)
		}
		for _, old := range existing {
			if old.ID == wanted.ID {
				wanted.Choices = retire(old.Choices, wanted.Choices)
			}
		}
		if _, err := keep(p, existing, func(l criteria.List) bool { return l.ID == wanted.ID }, wanted,
			func(l criteria.List) error { return p.Lists().Put(id, l) }); err != nil {
			return err
		}
	}
	return nil
}

func (p provisioner) actionTypes(id site.ID, in SetupSite) error {
	existing, err := p.ActionTypes().Of(id)
	if err != nil {
		return err
	}
	for _, a := range in.ActionTypes {
		wanted := customer.ActionType{
			ID: customer.ActionTypeID(a.ID), Code: a.Model, Label: a.Label, Active: trueByDefault(a.IsActive), Target: customer.ActionKind(a.Target), Color: a.Color, Position: a.Position,
		}
		if wanted.ID < 1 || !slices.Contains(customer.ActionKinds(), wanted.Target) {
			return fmt.Errorf("action type %q: it needs an id of at least 1, and product, customer or both as target", a.Model)
		}
		for _, c := range choices(a.Children) {
			wanted.Children = append(wanted.Children, customer.ActionChild(c))
		}
		if _, err := keep(p, existing, func(t customer.ActionType) bool { return t.ID == wanted.ID }, wanted,
			func(t customer.ActionType) error { return p.ActionTypes().Put(id, t) }); err != nil {
			return err
		}
	}
	return nil
}
