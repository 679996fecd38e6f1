package demand

// Anonymous returns what is left of a search request of somebody whom nobody may know
// any more: what kind of property was looked for, and when. Where, for how much
// and why is theirs, and goes; nothing matches the request.
func (r SearchRequest) Anonymous() SearchRequest {
	return SearchRequest{
		ID: r.ID, Site: r.Site, Customer: r.Customer, Agency: r.Agency, User: r.User, Status: r.Status,
		TransactionType: r.TransactionType, PropertyTypes: r.PropertyTypes, Origin: r.Origin,
		Added: r.Added, Modified: r.Modified, Deleted: r.Deleted, Version: r.Version,
	}
}

// Anonymous returns what is left of a follow-up of somebody whom nobody may know any
// more: what became of the product with them, without their words.
func (f FollowUp) Anonymous() FollowUp {
	return FollowUp{
		ID: f.ID, Site: f.Site, Customer: f.Customer, Product: f.Product, Search: f.Search, User: f.User,
		Status: f.Status, RefusalReason: f.RefusalReason, Rating: f.Rating, History: f.History,
		Added: f.Added, Modified: f.Modified, Version: f.Version,
	}
}
