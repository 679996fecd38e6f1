package office

import (
	"cmp"
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func (s *Service) listUsers(_ context.Context, c kernel.Caller, in ListUsers) (UserPage, error) {
	var problems fault.Problems
	agencies, outside := c.ListedAgencies(in.AgencyID, &problems)
	if err := kernel.FirstError(outside, problems.Err()); err != nil {
		return UserPage{}, err
	}
	var wanted []site.User
	for _, u := range c.Site.Users {
		if slices.Contains(agencies, u.Agency) && (!in.Active.Given() || in.Active.Value == u.Active) {
			wanted = append(wanted, u)
		}
	}
	slices.SortFunc(wanted, func(a, b site.User) int { return cmp.Compare(a.ID, b.ID) })
	shown, meta, links, err := kernel.Paginate(s.k.Options.URL("/users"), in.PageQuery, wanted, func(u site.User) int64 { return int64(u.ID) })
	page := UserPage{Data: []User{}, Meta: meta, Links: links}
	for _, u := range shown {
		page.Data = append(page.Data, userRecord(u))
	}
	return page, err
}

func getUser(_ context.Context, c kernel.Caller, in UserPath) (User, error) {
	u, err := findUser(c, site.UserID(in.ID))
	if err != nil {
		return User{}, err
	}
	return userRecord(u), nil
}

// findUser finds a user of the site who is in scope.
func findUser(c kernel.Caller, id site.UserID) (site.User, error) {
	u, found := c.Site.Users[id]
	if !found {
		return u, kernel.Unknown("no user has this id")
	}
	return u, c.Sees(u.Agency)
}

func listUserGroups(_ context.Context, c kernel.Caller, _ kernel.Nothing) ([]UserGroup, error) {
	groups := []UserGroup{}
	for _, g := range c.Site.Record.Groups {
		if g.Agency != 0 && !c.Scope.Has(g.Agency) {
			continue
		}
		members := 0
		for _, u := range c.Site.Users {
			if u.Group == g.ID && c.Scope.Has(u.Agency) {
				members++
			}
		}
		groups = append(groups, UserGroup{ID: g.ID, Name: g.Name, AgencyID: kernel.Nullable(int64(g.Agency)), UsersCount: members, Permissions: []string{}})
	}
	return groups, nil
}

func listUserTypes(context.Context, kernel.Caller, kernel.Nothing) ([]LabelRecord, error) {
	return labelRecords(site.UserTypes()), nil
}

func listGenders(context.Context, kernel.Caller, kernel.Nothing) ([]LabelRecord, error) {
	return labelRecords(site.Genders()), nil
}

func labelRecords(labels []site.Label) []LabelRecord {
	records := make([]LabelRecord, len(labels))
	for i, l := range labels {
		records[i] = LabelRecord{ID: l.ID, Model: l.Code, Label: l.Label}
	}
	return records
}

func userRecord(u site.User) User {
	return User{
		UserSummary: userSummary(u), AgencyIDs: []int64{int64(u.Agency)}, GroupID: kernel.Nullable(u.Group), TypeID: kernel.Nullable(u.Type),
		GenderID: kernel.Nullable(u.Gender), Mobile: kernel.Nullable(u.Mobile), JobTitle: kernel.Nullable(u.JobTitle), Languages: kernel.List(u.Languages),
		StatusKind: kernel.Nullable(u.StatusKind), RSAC: kernel.Nullable(u.RSAC), SIRET: kernel.Nullable(u.SIRET), ProfessionalCard: kernel.Nullable(u.ProfessionalCard),
		IsActive: u.Active, WebVisible: u.WebVisible, Biography: kernel.Nullable(u.Biography), Zone: kernel.Nullable(u.Zone),
		DateAdded: kernel.Instant{Time: u.Added}, LastModified: kernel.Instant{Time: u.Modified},
	}
}

// UserSummaryOf returns a user of the site in short; nil when there is none with the
// id.
func UserSummaryOf(view *kernel.SiteView, id site.UserID) *UserSummary {
	u, found := view.Users[id]
	if !found {
		return nil
	}
	summary := userSummary(u)
	return &summary
}

func userSummary(u site.User) UserSummary {
	return UserSummary{
		ID: int64(u.ID), Firstname: u.Firstname, Lastname: u.Lastname, Email: kernel.Nullable(u.Email),
		Phone: kernel.Nullable(u.Phone), PhotoURL: kernel.Nullable(u.PhotoURL), AgencyID: int64(u.Agency),
	}
}
