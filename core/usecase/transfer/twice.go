package transfer

import (
	"errors"
	"fmt"
)

// checkTwice returns an error for a site, credential or key that is described twice: the later
// one would take the place of the other without a word.
func (in Setup) checkTwice() error {
	return errors.Join(
		describedTwice("site", in.Sites, func(s SetupSite) int64 { return s.ID }),
		describedTwice("credential", in.Credentials, func(c SetupCredential) string { return c.ID }),
		describedTwice("key", in.Keys, func(k SetupKey) [2]string { return [2]string{k.Credential, k.Name} }),
	)
}

// checkTwice is Setup.checkTwice of what a site has, but for products, which are not all there
// yet.
func (in SetupSite) checkTwice() error {
	return errors.Join(
		describedTwice("criterion", in.Criteria, func(c SetupCriterion) int64 { return c.ID }),
		describedTwice("list", in.Lists, func(l SetupList) int64 { return l.ID }),
		describedTwice("action type", in.ActionTypes, func(a SetupActionType) int64 { return a.ID }),
		describedTwice("agenda type", in.AgendaTypes, func(a SetupAgendaType) int64 { return a.ID }),
		describedTwice("agency", in.Agencies, func(a SetupAgency) int64 { return a.ID }),
		describedTwice("user group", in.UserGroups, func(g SetupUserGroup) int64 { return g.ID }),
		describedTwice("user", in.Users, func(u SetupUser) int64 { return u.ID }),
		describedTwice("import source", in.ImportSources, func(s SetupImportSource) int64 { return s.ID }),
		describedTwice("publication target", in.PublicationTargets, func(t SetupPublicationTarget) int64 { return t.ID }),
		describedTwice("customer", in.Customers, func(c SetupCustomer) int64 { return c.ID }),
	)
}

// describedTwice returns an error for the first entry with the key of another one. Entries without a
// key are told of elsewhere.
func describedTwice[T any, K comparable](what string, entries []T, key func(T) K) error {
	var none K
	seen := map[K]bool{}
	for _, entry := range entries {
		k := key(entry)
		if seen[k] && k != none {
			return fmt.Errorf("%s %v is described twice", what, k)
		}
		seen[k] = true
	}
	return nil
}
