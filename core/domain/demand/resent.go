package demand

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
)

// ResentWithin is how long a lead that comes again is taken for the same one, from
// when it came first (decision O11).
const ResentWithin = 24 * time.Hour

// Limits of what a lead may hold, however often it is sent.
const (
	// MaxMessage is in characters.
	MaxMessage = 10_000
	// MaxMetadata is how many members there may be.
	MaxMetadata = 50

	maxMetadataBytes = 1 << 20
	maxOthers        = 20
)

// Keys returns what stands for a lead: one for its e-mail address and one for its phone
// number, as far as it has them. Leads that have a key in common are the same one
// sent again: from the same person, through the same origin, about the same product
// or, for sellers, a property at the same place. e164 is the international form of
// the phone number, empty when it has none. Each key is a digest, so that the person
// cannot be read off it.
func (l Lead) Keys(at LeadPlace, e164 string) []string {
	about := criteria.Fold(at.Address) + "\n" + postal(at.PostalCode) + "\n" + criteria.FoldPlace(at.City)
	if l.Kind == BuyerLead {
		about = strconv.FormatInt(int64(l.Product), 10)
	}
	var keys []string
	for _, contact := range []string{customer.EmailKey(l.Email), customer.PhoneKey(l.Phone, e164)} {
		if contact != "" {
			digest := sha256.Sum256([]byte(strings.Join([]string{string(l.Kind), about, criteria.Fold(l.Origin), contact}, "\n")))
			keys = append(keys, hex.EncodeToString(digest[:]))
		}
	}
	return keys
}

// Claim is which lead a key stands for, and since when.
type Claim struct {
	Lead LeadID
	At   time.Time
}

// Compare returns which of two claims comes first: that of the lead with the lower id.
func (c Claim) Compare(d Claim) int {
	return cmp.Or(cmp.Compare(c.Lead, d.Lead), c.At.Compare(d.At))
}

// Member is a member of metadata. Text is the member in JSON, name and value.
type Member struct{ Name, Text string }

// With returns the lead with what the same one, sent again, adds to it: what was not
// known, further e-mail addresses and phone numbers, another message below the first,
// and members of the metadata that are not there yet. What is known stays as it is.
// What there is no room for is left out; a message that is cut ends with "…".
// phoneKey is what phone numbers are compared by.
func (l Lead) With(again Lead, metadata []Member, phoneKey func(string) string) Lead {
	for target, value := range map[*string]string{
		&l.Civility: again.Civility, &l.Firstname: again.Firstname, &l.Lastname: again.Lastname,
		&l.OriginDetail: again.OriginDetail, &l.ExternalID: again.ExternalID,
		&l.Campaign.Source: again.Campaign.Source, &l.Campaign.Medium: again.Campaign.Medium, &l.Campaign.Name: again.Campaign.Name,
		&l.Project.Kind: again.Project.Kind, &l.Project.Address: again.Project.Address, &l.Project.PostalCode: again.Project.PostalCode,
		&l.Project.City: again.Project.City, &l.Project.Country: again.Project.Country,
		&l.Project.EstimationTool: again.Project.EstimationTool, &l.Project.Horizon: again.Project.Horizon,
		&l.Wish.TransactionType: again.Wish.TransactionType, &l.Wish.VisitDay: again.Wish.VisitDay, &l.Wish.VisitSlot: again.Wish.VisitSlot,
	} {
		fill(target, value)
	}
	fill(&l.Project.EstimatedFrom, again.Project.EstimatedFrom)
	fill(&l.Project.EstimatedTo, again.Project.EstimatedTo)
	fill(&l.Wish.PriceMax, again.Wish.PriceMax)
	l.OtherEmails = reachedBy(&l.Email, l.OtherEmails, again.Email, customer.EmailKey)
	l.OtherPhones = reachedBy(&l.Phone, l.OtherPhones, again.Phone, phoneKey)
	l.Message = bothMessages(l.Message, again.Message)
	return l.withMetadata(metadata)
}

// fill sets what is not known.
func fill[T comparable](target *T, value T) {
	var unknown T
	if *target == unknown {
		*target = value
	}
}

// reachedBy adds a way to reach somebody to those that are known.
func reachedBy(first *string, others []string, another string, key func(string) string) []string {
	known := func(one string) bool { return key(one) == key(another) }
	switch fill(first, another); {
	case another == "" || known(*first) || slices.ContainsFunc(others, known) || len(others) == maxOthers:
		return others
	}
	return append(slices.Clip(others), another)
}

// bothMessages are two messages, one below the other, unless the second was said
// before.
func bothMessages(first, second string) string {
	const between = "\n\n"
	if second == "" || strings.Contains(between+first+between, between+second+between) {
		return first
	}
	both := second
	if first != "" {
		both = first + between + second
	}
	if utf8.RuneCountInString(both) <= MaxMessage {
		return both
	}
	return string([]rune(both)[:MaxMessage-1]) + "…"
}

func (l Lead) withMetadata(members []Member) Lead {
	if l.Metadata != "" && l.Metadata != "{}" && len(l.MetadataNames) == 0 {
		return l // it was stored before names were: nobody knows what is in it
	}
	for _, m := range members {
		room := len(l.MetadataNames) < MaxMetadata && len(l.Metadata)+len(m.Text) < maxMetadataBytes
		if !room || slices.Contains(l.MetadataNames, m.Name) {
			continue
		}
		if len(l.MetadataNames) == 0 {
			l.Metadata = "{" + m.Text + "}"
		} else {
			l.Metadata = strings.TrimSuffix(l.Metadata, "}") + "," + m.Text + "}"
		}
		l.MetadataNames = append(slices.Clip(l.MetadataNames), m.Name)
	}
	return l
}

// Same reports whether two states of a lead show no difference to anyone.
func (l Lead) Same(other Lead) bool {
	l.Modified, l.Version = other.Modified, other.Version
	return reflect.DeepEqual(l, other)
}
