// Package customer has the people and companies an agency deals with: their fields, how a
// request changes them, and how they are found. It also has the actions that agencies log
// about products and customers: calls, visits and reports. A logged action never changes,
// except its customer when two records of one person are joined.
package customer

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ID identifies a customer.
type ID int64

// Customer is a contact of an agency; as the owner of a product it is the
// seller or landlord. Empty texts and zero values mean "unknown".
type Customer struct {
	ID     ID
	Site   site.ID
	Agency site.AgencyID
	User   site.UserID // 0: nobody is assigned
	// Type is a code of list 5, such as VENDEUR.
	Type string
	// Civility is a code of list 6, such as MME.
	Civility                     string
	Firstname, Lastname, Company string
	Color                        int // 1 to 5; 0 is none
	Archived                     bool
	// Anonymized is when the customer was anonymised; zero while they are known.
	Anonymized      time.Time
	Added, Modified time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64

	Profile
}

// Profile is everything about a customer that lists do not show.
type Profile struct {
	Gender                      int64 // id of a gender; 0 is unknown
	BirthName                   string
	LegalForm, SIRET, VATNumber string
	Language                    string // ISO 639-1
	BirthDate                   string // YYYY-MM-DD
	BirthPlace, Nationality     string
	Profession                  string
	FamilyStatus                string // one of FamilyStatuses
	MatrimonialRegime           string
	Origin                      string // list 10
	OriginDetail, Comment       string
	NextContact                 string // YYYY-MM-DD

	// Of Emails and Phones one each is primary, if there are any.
	Emails    []Email
	Phones    []PhoneNumber
	Addresses []Address

	Consent    Consent
	ClientArea ClientArea
	// What is said of others goes when they are anonymised, so the history does not have it.
	Notary  Notary           `trace:"length"`
	Related []RelatedContact `trace:"length"`
}

// Email is an e-mail address of a customer.
type Email struct {
	ID      int64 // within the customer
	Address string
	Type    string // one of EmailTypes
	Primary bool
}

// PhoneNumber is a phone number of a customer.
type PhoneNumber struct {
	ID   int64  // within the customer
	Type string // list 7
	// Number is as it was sent, E164 its international form where there is one.
	Number string
	E164   string `trace:"-"`
	// Also are further forms by which searches find it, see ReadNumbers.
	Also       []string `trace:"-"`
	Country    string   // ISO 3166: the country of Number
	Primary    bool
	SMSAllowed bool
	Comment    string
}

// Address is a postal address of a customer.
type Address struct {
	ID         int64  // within the customer
	Type       string // list 8
	Line1      string
	Line2      string
	PostalCode string
	City       string
	Country    string // ISO 3166
	Primary    bool
}

// Consent has the channels that the customer allows, since when, and how consent was
// obtained. Nil means: never asked.
type Consent struct {
	Email, SMS, Phone, Partners *bool
	ObtainedAt                  time.Time
	Source                      string
	WithdrawnAt                 time.Time
}

// Complete returns the consent with the missing answers of another one. An answer that was
// given is not replaced, nor are its source and time.
func (c Consent) Complete(by Consent) Consent {
	for channel, said := range map[**bool]*bool{&c.Email: by.Email, &c.SMS: by.SMS, &c.Phone: by.Phone, &c.Partners: by.Partners} {
		if *channel == nil {
			*channel = said
		}
	}
	if c.Source == "" && c.ObtainedAt.IsZero() {
		c.Source, c.ObtainedAt = by.Source, by.ObtainedAt
	}
	if c.WithdrawnAt.IsZero() {
		c.WithdrawnAt = by.WithdrawnAt
	}
	return c
}

// ClientArea is the customer's access to the agency's online area.
type ClientArea struct {
	Enabled   bool
	Login     string
	InvitedAt time.Time
	LastLogin time.Time
}

// Notary is the notary of the customer.
type Notary struct {
	Customer                         ID // when the notary is a customer too
	Name, Office, Email, Phone, City string
}

// Known reports whether there is a notary.
func (n Notary) Known() bool { return n != Notary{} }

// RelatedContact is a person related to the customer.
type RelatedContact struct {
	Customer                                   ID     // when they are a customer too
	Relation                                   string // one of Relations
	Firstname, Lastname, Phone, Email, Comment string
}

// Names lists the texts by which keywords find the customer: "firstname lastname",
// "lastname firstname" and the company, where they are known.
func (c Customer) Names() []string {
	var names []string
	for _, name := range []string{c.Firstname + " " + c.Lastname, c.Lastname + " " + c.Firstname, c.Company} {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Email returns the primary e-mail address, empty without one.
func (c Customer) Email() string {
	for _, e := range c.Emails {
		if e.Primary {
			return e.Address
		}
	}
	return ""
}

// Phone returns the primary phone number as it was sent, empty without one.
func (c Customer) Phone() string {
	for _, p := range c.Phones {
		if p.Primary {
			return p.Number
		}
	}
	return ""
}

// Reachable reports whether the customer has something to be identified by (decision O4): a
// name, a company, an e-mail address or a phone number.
func (c Customer) Reachable() bool {
	return c.Lastname != "" || c.Company != "" || len(c.Emails) > 0 || len(c.Phones) > 0
}

// Clone copies the customer so that the copy can be changed freely.
func (c Customer) Clone() Customer {
	c.Emails, c.Phones = slices.Clone(c.Emails), slices.Clone(c.Phones)
	c.Addresses, c.Related = slices.Clone(c.Addresses), slices.Clone(c.Related)
	for i := range c.Phones {
		c.Phones[i].Also = slices.Clone(c.Phones[i].Also)
	}
	return c
}

// Same reports whether two states of a customer are equal for all clients.
func (c Customer) Same(d Customer) bool {
	return reflect.DeepEqual(c.shown(), d.shown())
}

// shown returns the customer without the differences that no answer shows.
func (c Customer) shown() Customer {
	c = c.Clone()
	c.Modified, c.Version = time.Time{}, 0
	c.Emails, c.Phones, c.Addresses, c.Related = full(c.Emails), full(c.Phones), full(c.Addresses), full(c.Related)
	return c
}

// full returns nil for an empty list, because stores may do so.
func full[T any](items []T) []T {
	if len(items) == 0 {
		return nil
	}
	return items
}
