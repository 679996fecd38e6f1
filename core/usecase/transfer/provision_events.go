package transfer

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// standing is the former state of what provisioning records events of.
type standing struct {
	exists   bool
	scope    site.Scope
	agencies map[site.AgencyID]site.Agency
	users    map[site.UserID]site.User
	criteria map[criteria.ID]criteria.Definition
}

// stands returns how a site stands; one that does not exist has nothing.
func (p provisioner) stands(id site.ID) (standing, error) {
	record, err := p.Sites().Get(id)
	if err := kernel.AbsentIs(err, nil); err != nil {
		return standing{}, err
	}
	agencies, err := p.Agencies().Of(id)
	if err != nil {
		return standing{}, err
	}
	users, err := p.Users().Of(id)
	if err != nil {
		return standing{}, err
	}
	definitions, err := p.Criteria().Of(id)
	return standing{
		record.ID != 0, record.Scope(), byID(agencies, func(a site.Agency) site.AgencyID { return a.ID }),
		byID(users, func(u site.User) site.UserID { return u.ID }),
		byID(definitions, func(d criteria.Definition) criteria.ID { return d.ID }),
	}, err
}

func byID[ID comparable, T any](records []T, id func(T) ID) map[ID]T {
	found := make(map[ID]T, len(records))
	for _, r := range records {
		found[id(r)] = r
	}
	return found
}

// tell records what provisioning changed of a site, and returns the provisioner for the records
// of the site.
func (p provisioner) tell(id site.ID, before standing) (provisioner, error) {
	at, err := p.at(id)
	if err == nil {
		err = at.recordChanges(before)
	}
	if err == nil && before.exists {
		err = at.keepScopeChanges(before)
	}
	return at, err
}

// recordChanges records what is not what it was. It needs the site as it was
// left: a caller that hears of an agency has it in scope by now. What a site begins
// with is told to nobody.
func (p provisioner) recordChanges(before standing) error {
	if !before.exists {
		return nil
	}
	now, err := p.stands(p.Site.ID)
	if err != nil {
		return err
	}
	told := slices.Concat(changedCriteria(before, now), changedAgencies(before, now), changedUsers(before, now))
	_, err = p.RecordAll(told)
	return err
}

// changedCriteria records events of definitions that are new or changed.
func changedCriteria(before, now standing) (told []event.Event) {
	for id, d := range now.criteria {
		if old, found := before.criteria[id]; !found || !reflect.DeepEqual(old, d) {
			told = append(told, event.Event{Type: event.CriteriaUpdate, Resource: int64(id)})
		}
	}
	return inOrder(told)
}

// changedAgencies records events of agencies that changed, or came into scope, but not
// of new ones. That one has left is about the site, whose agencies are others.
func changedAgencies(before, now standing) (told []event.Event) {
	for id, old := range before.agencies {
		was, is := before.scope.Has(id), now.scope.Has(id)
		e := event.Event{Type: event.AgencyUpdate, Resource: int64(id), Agency: id}
		switch {
		case was && !is:
			e.Agency = 0
			told = append(told, e)
		case was != is || !old.Same(now.agencies[id]):
			told = append(told, e)
		}
	}
	return inOrder(told)
}

// changedUsers returns what became of the users that can be read: one whom a change
// of agencies takes out of scope is gone, one it brings in is new.
func changedUsers(before, now standing) (told []event.Event) {
	for id, u := range now.users {
		old, existed := before.users[id]
		was, is := existed && before.scope.Has(old.Agency), now.scope.Has(u.Agency)
		e := event.Event{Type: event.UserUpdate, Resource: int64(id), Agency: u.Agency}
		switch {
		case !was && is || !existed:
			e.Type = event.UserCreate
		case was && !is:
			e.Type = event.UserDelete
		case u.Same(old):
			continue
		}
		told = append(told, e)
	}
	return inOrder(told)
}

func inOrder(told []event.Event) []event.Event {
	slices.SortFunc(told, func(a, b event.Event) int { return cmp.Compare(a.Resource, b.Resource) })
	return told
}
