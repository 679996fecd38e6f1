// Package product has the listing: its fields, how a request changes it, which search
// matches it, and what it lacks to be shown on the web. It also has the official geographic
// code of France, by which places are found.
package product

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ID identifies a product.
type ID int64

// RoomID identifies a room among those of all products.
type RoomID int64

// Product is a whole listing. Zero ids mean "none".
type Product struct {
	ID       ID
	Site     site.ID
	Agency   site.AgencyID
	User     site.UserID // the assigned agent
	Customer customer.ID // the owner
	Parent   ID          // the product this is a lot of
	// Reference is the mandate or agency reference, called model on the wire.
	// It is unique within the agency, case aside, and never used again.
	Reference string

	WebStatus, Intercabinet, SellerStatistics bool

	NextContact string // YYYY-MM-DD; empty when none
	Color       int    // 1 to 5; 0 is none

	Criteria     criteria.Values
	Derived      Derived // which of the criteria were computed
	Rooms        []Room  // in the order they were added
	Descriptions []Description
	Pictures     []Picture // in the order they are shown; the first public one is the cover
	// Geocoded is the result of geocoding the address; Place reports whether it is used.
	Geocoded Geocoded

	CreatedBy site.UserID
	Added     time.Time
	Modified  time.Time
	// Deleted is when the product was deleted, zero if it is not.
	Deleted time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64
}

// Room is one room of a product.
type Room struct {
	ID          RoomID
	Type        string   // list 1
	Surface     *float64 // m²
	Niveau      *int     // 0 is the ground floor
	Exposition  string   // list 2
	Vue         string   // list 3
	Sol         string   // list 4
	Commentaire string
}

// Description is the text of a product in one language.
type Description struct {
	Language  string // ISO 639-1
	Title     string
	Text      string
	ShortText string
}

// Status returns the code of Statut.
func (p Product) Status() string { return p.Criteria.Code(criteria.KeyStatus) }

// HasVisit360 reports whether a virtual visit is linked.
func (p Product) HasVisit360() bool { return p.Criteria.Text(criteria.KeyVirtualVisit) != "" }

// Title returns the title in the given language, empty without one.
func (p Product) Title(language string) string {
	for _, d := range p.Descriptions {
		if d.Language == language {
			return d.Title
		}
	}
	return ""
}

// Titled reports whether one title, in any language, has all of some words in it, which are folded.
func (p Product) Titled(words []string) bool {
	return slices.ContainsFunc(p.Descriptions, func(d Description) bool {
		title := criteria.Fold(d.Title)
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(title, word) })
	})
}

// FoldReference returns the form of a reference that has to be unique.
func FoldReference(reference string) string { return criteria.Fold(reference) }

// Clone copies the product so that the copy can be changed freely.
func (p Product) Clone() Product {
	p.Criteria = p.Criteria.Clone()
	p.Rooms = slices.Clone(p.Rooms)
	p.Descriptions = slices.Clone(p.Descriptions)
	p.Pictures = slices.Clone(p.Pictures)
	return p
}

// Same reports whether two states of a product are equal for all clients.
func (p Product) Same(q Product) bool {
	before, _ := p.Place()
	after, _ := q.Place()
	return before == after && p.Agency == q.Agency && p.User == q.User && p.Customer == q.Customer && p.Parent == q.Parent &&
		p.Reference == q.Reference && p.WebStatus == q.WebStatus && p.Intercabinet == q.Intercabinet &&
		p.SellerStatistics == q.SellerStatistics && p.NextContact == q.NextContact && p.Color == q.Color &&
		p.Criteria.Equal(q.Criteria) && p.Derived == q.Derived && slices.EqualFunc(p.Rooms, q.Rooms, Room.same) &&
		slices.Equal(p.Descriptions, q.Descriptions) && slices.EqualFunc(p.Pictures, q.Pictures, Picture.same)
}

func (r Room) same(s Room) bool {
	return r.ID == s.ID && r.Type == s.Type && equalPointers(r.Surface, s.Surface) && equalPointers(r.Niveau, s.Niveau) &&
		r.Exposition == s.Exposition && r.Vue == s.Vue && r.Sol == s.Sol && r.Commentaire == s.Commentaire
}

func equalPointers[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
