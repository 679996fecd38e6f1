package demand

// Anonymous returns what is left of a lead from somebody whom nobody may know any
// more: that it came, when, by which way, and what it led to.
func (l Lead) Anonymous() Lead {
	return Lead{
		ID: l.ID, Site: l.Site, Agency: l.Agency, User: l.User, Kind: l.Kind, Status: l.Status,
		Customer: l.Customer, CustomerCreated: l.CustomerCreated, Product: l.Product, Search: l.Search, FollowUp: l.FollowUp,
		Origin: l.Origin, Project: Project{Kind: l.Project.Kind}, Wish: Wish{TransactionType: l.Wish.TransactionType},
		Added: l.Added, Modified: l.Modified, Version: l.Version,
	}
}
