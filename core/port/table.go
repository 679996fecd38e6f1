package port

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Table holds the records of one kind of all sites, each under its site and id.
type Table[ID ~int64, T any] interface {
	// Get returns a record; in an Update it is held until the unit ends.
	Get(site.ID, ID) (T, error)
	// Expect is Get for a unit that need not keep others out meanwhile. Instead of
	// holding the record until it ends, an Update may make sure at its end that
	// nobody has changed it, and otherwise run again.
	Expect(site.ID, ID) (T, error)
	// Many lists the records among ids that exist, by id.
	Many(site.ID, []ID) ([]T, error)
	// Existing lists those of ids that there are records with, by id.
	Existing(site.ID, []ID) ([]ID, error)
	// Scan lists at most n records of a site with an id above after, by id.
	Scan(id site.ID, after ID, n int) ([]T, error)
	// Put stores a record, whether or not there is one with its id.
	Put(T) error
	// Delete removes a record, which must exist, and leaves nothing of it.
	Delete(site.ID, ID) error
}

// CustomerTable is a Table of records that belong to customers.
type CustomerTable[ID ~int64, T any] interface {
	Table[ID, T]
	// Of lists the records of a customer, by id.
	Of(site.ID, customer.ID) ([]T, error)
	// ScanOf lists at most n of them with an id above after, by id.
	ScanOf(id site.ID, c customer.ID, after ID, n int) ([]T, error)
}

// Register holds records of sites that are few enough to be read together.
type Register[T any] interface {
	// Of lists the records of a site by id.
	Of(site.ID) ([]T, error)
	// Put stores a record, whether or not there is one with its id.
	Put(T) error
}

// Vocabulary is a Register of records that do not say themselves which site they
// are of.
type Vocabulary[T any] interface {
	// Of lists the records of a site by id.
	Of(site.ID) ([]T, error)
	// Put stores a record, whether or not there is one with its id.
	Put(site.ID, T) error
}
