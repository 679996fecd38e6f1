package siteapi

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/site"
)

// ListUsers lists the users of the agencies in scope by id, page by page.
func (s *Service) ListUsers(_ context.Context, c Caller, in ListUsers) (UserPage, error) {
	var problems fault.Problems
	agencies := c.Scope.Agencies()
	outside := c.inScope(in.AgencyID, &problems)
	if err := firstError(outside, problems.Err()); err != nil {
		return UserPage{}, err
	}
	if in.AgencyID.Given() {
		agencies = []site.AgencyID{site.AgencyID(in.AgencyID.Value)}
	}
	var wanted []site.User
	for _, u := range c.settings.users {
		if slices.Contains(agencies, u.Agency) && (!in.Active.Given() || in.Active.Value == u.Active) {
			wanted = append(wanted, u)
		}
	}
	slices.SortFunc(wanted, func(a, b site.User) int { return int(a.ID - b.ID) })
	shown, meta, links, err := paginate(s.url("/users"), in.PageQuery, wanted, func(u site.User) int64 { return int64(u.ID) })
	page := UserPage{Data: []User{}, Meta: meta, Links: links}
	for _, u := range shown {
		page.Data = append(page.Data, userRecord(u))
	}
	return page, err
}

// GetUser reads one user.
func (s *Service) GetUser(_ context.Context, c Caller, in UserPath) (User, error) {
	u, found := c.settings.users[site.UserID(in.ID)]
	if !found {
		return User{}, fault.New(fault.NotFound, fault.CodeNotFound, "no user has this id")
	}
	return userRecord(u), c.seesAgency(u.Agency)
}

// ListUserGroups lists the groups of the site, and those of agencies in scope.
func (s *Service) ListUserGroups(_ context.Context, c Caller, _ Nothing) ([]UserGroup, error) {
	groups := []UserGroup{}
	for _, g := range c.settings.site.Groups {
		if g.Agency != 0 && !c.Scope.Has(g.Agency) {
			continue
		}
		members := 0
		for _, u := range c.settings.users {
			if u.Group == g.ID && c.Scope.Has(u.Agency) {
				members++
			}
		}
		groups = append(groups, UserGroup{ID: g.ID, Name: g.Name, AgencyID: nullable(int64(g.Agency)), UsersCount: members, Permissions: []string{}})
	}
	return groups, nil
}

// ListUserTypes lists what users can be.
func (s *Service) ListUserTypes(context.Context, Caller, Nothing) ([]LabelRecord, error) {
	return labelRecords(site.UserTypes()), nil
}

// ListGenders lists the genders of users and customers.
func (s *Service) ListGenders(context.Context, Caller, Nothing) ([]LabelRecord, error) {
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
		UserSummary: userSummary(u), AgencyIDs: []int64{int64(u.Agency)}, GroupID: nullable(u.Group), TypeID: nullable(u.Type),
		GenderID: nullable(u.Gender), Mobile: nullable(u.Mobile), JobTitle: nullable(u.JobTitle), Languages: list(u.Languages),
		StatusKind: nullable(u.StatusKind), RSAC: nullable(u.RSAC), SIRET: nullable(u.SIRET), ProfessionalCard: nullable(u.ProfessionalCard),
		IsActive: u.Active, WebVisible: u.WebVisible, Biography: nullable(u.Biography), Zone: nullable(u.Zone),
		DateAdded: Instant{u.Added}, LastModified: Instant{u.Modified},
	}
}
