package customer

import (
	"slices"
	"time"
)

// Anonymous returns what is left of a customer whom nobody may know any more: who
// looked after them, what they were to the agency, and by which way they came.
// It names what stays, so that a field added later goes.
func (c Customer) Anonymous(at time.Time) Customer {
	return Customer{
		ID: c.ID, Site: c.Site, Agency: c.Agency, User: c.User, Type: c.Type, Archived: true, Anonymized: at,
		Added: c.Added, Modified: c.Modified, Version: c.Version, Profile: Profile{Origin: c.Origin},
	}
}

// IsAnonymous reports whether the customer was anonymised.
func (c Customer) IsAnonymous() bool { return !c.Anonymized.IsZero() }

// Mentions reports whether another customer is the notary or a related contact
// of this one.
func (c Customer) Mentions(id ID) bool {
	related := func(r RelatedContact) bool { return r.Customer == id }
	return id != 0 && (c.Notary.Customer == id || slices.ContainsFunc(c.Related, related))
}

// WithoutWordsOf returns the customer with what is said of another one taken away: of
// a notary the id stays, of a related contact the relation too.
func (c Customer) WithoutWordsOf(id ID) Customer {
	c = c.Clone()
	if c.Notary.Customer == id {
		c.Notary = Notary{Customer: id}
	}
	for i, r := range c.Related {
		if r.Customer == id {
			c.Related[i] = RelatedContact{Customer: id, Relation: r.Relation}
		}
	}
	return c
}
