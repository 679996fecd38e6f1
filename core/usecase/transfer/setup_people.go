package transfer

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// SetupCustomer is a customer to begin with, and what they look for.
type SetupCustomer struct {
	ID        int64  `yaml:"id"`
	AgencyID  int64  `yaml:"agency_id"`
	UserID    int64  `yaml:"user_id"`
	Type      string `yaml:"type"`
	Civility  string `yaml:"civility"`
	Firstname string `yaml:"firstname"`
	Lastname  string `yaml:"lastname"`
	Company   string `yaml:"company"`
	Email     string `yaml:"email"`
	Phone     string `yaml:"phone"`
	// PhoneNumbers are those other than Phone.
	PhoneNumbers []SetupPhone    `yaml:"phone_numbers"`
	Color        int             `yaml:"color"`
	Origin       string          `yaml:"origin"`
	Comment      string          `yaml:"comment"`
	Consent      *SetupConsent   `yaml:"consent"`
	Related      []SetupRelated  `yaml:"related_contacts"`
	Searches     []SetupSearch   `yaml:"searches"`
	FollowUps    []SetupFollowUp `yaml:"follow_ups"`
}

// SetupPhone is a phone number of a customer.
type SetupPhone struct {
	Type       string `yaml:"type"`
	Number     string `yaml:"number"`
	SMSAllowed *bool  `yaml:"sms_allowed"`
}

// SetupConsent is what a customer agreed to.
type SetupConsent struct {
	Email      *bool  `yaml:"email"`
	SMS        *bool  `yaml:"sms"`
	Phone      *bool  `yaml:"phone"`
	Partners   *bool  `yaml:"partners"`
	ObtainedAt string `yaml:"obtained_at"`
	Source     string `yaml:"source"`
}

// SetupRelated is somebody who belongs to a customer.
type SetupRelated struct {
	Relation  string `yaml:"relation"`
	Firstname string `yaml:"firstname"`
	Lastname  string `yaml:"lastname"`
	Phone     string `yaml:"phone"`
	Email     string `yaml:"email"`
}

// SetupSearch is a search request of a customer.
type SetupSearch struct {
	Name            string          `yaml:"name"`
	TransactionType string          `yaml:"transaction_type"`
	PropertyTypes   []string        `yaml:"property_types"`
	PriceMin        *float64        `yaml:"price_min"`
	PriceMax        *float64        `yaml:"price_max"`
	SurfaceMin      *float64        `yaml:"surface_min"`
	RoomsMin        *float64        `yaml:"rooms_min"`
	KeyPoints       []SetupKeyPoint `yaml:"key_points"`
	Areas           []SetupArea     `yaml:"areas"`
	Urgency         string          `yaml:"urgency"`
	Comment         string          `yaml:"comment"`
}

// SetupKeyPoint is a quality that matters to a customer.
type SetupKeyPoint struct {
	ID         string `yaml:"id"`
	Importance string `yaml:"importance"`
	Value      any    `yaml:"value"`
}

// SetupArea is somewhere a customer would live, or would not.
type SetupArea struct {
	Type      string   `yaml:"type"`
	Code      string   `yaml:"code"`
	Label     string   `yaml:"label"`
	Latitude  *float64 `yaml:"latitude"`
	Longitude *float64 `yaml:"longitude"`
	RadiusKm  *float64 `yaml:"radius_km"`
	Excluded  bool     `yaml:"excluded"`
}

// SetupFollowUp is a product on a customer's follow-up. Product is its model, in
// the customer's agency; Search is the name of a search request of the customer.
type SetupFollowUp struct {
	Product string `yaml:"product"`
	Search  string `yaml:"search"`
	Status  string `yaml:"status"`
	Rating  int    `yaml:"rating"`
	Comment string `yaml:"comment"`
}

// change puts a described customer into the terms of a request, so that the same
// rules judge it.
func (in SetupCustomer) change() customer.Change {
	c := customer.Change{
		Type: given(in.Type), Civility: given(in.Civility), Firstname: given(in.Firstname), Lastname: given(in.Lastname), Company: given(in.Company),
		Email: given(in.Email), Phone: given(in.Phone), Color: given(in.Color), Origin: given(in.Origin), Comment: given(in.Comment),
	}
	for _, n := range in.PhoneNumbers {
		c.PhoneNumbers.Set = true
		c.PhoneNumbers.Value = append(c.PhoneNumbers.Value, customer.PhoneInput{Type: given(n.Type), Number: given(n.Number), SMSAllowed: stated(n.SMSAllowed)})
	}
	if said := in.Consent; said != nil {
		c.Consent.Set = true
		c.Consent.Value = customer.ConsentInput{
			Email: stated(said.Email), SMS: stated(said.SMS), Phone: stated(said.Phone), Partners: stated(said.Partners),
			ObtainedAt: given(said.ObtainedAt), Source: given(said.Source),
		}
	}
	for _, r := range in.Related {
		c.Related.Set = true
		c.Related.Value = append(c.Related.Value, customer.RelatedInput{
			Relation: given(r.Relation), Firstname: given(r.Firstname), Lastname: given(r.Lastname), Phone: given(r.Phone), Email: given(r.Email),
		})
	}
	return c
}

// change puts a described search request into the terms of a request.
func (in SetupSearch) change() demand.Change {
	c := demand.Change{
		Name: given(in.Name), TransactionType: given(in.TransactionType), PropertyTypes: opt.Field[[]string]{Value: in.PropertyTypes, Set: in.PropertyTypes != nil},
		PriceMin: stated(in.PriceMin), PriceMax: stated(in.PriceMax), SurfaceMin: stated(in.SurfaceMin), RoomsMin: stated(in.RoomsMin),
		Urgency: given(in.Urgency), Comment: given(in.Comment),
	}
	for _, k := range in.KeyPoints {
		c.KeyPoints.Set = true
		c.KeyPoints.Value = append(c.KeyPoints.Value, demand.KeyPointInput{ID: given(k.ID), Importance: given(k.Importance), Value: criteria.Raw{V: literal(k.Value)}})
	}
	for _, a := range in.Areas {
		c.Areas.Set = true
		c.Areas.Value = append(c.Areas.Value, demand.AreaInput{
			Type: given(a.Type), Code: given(a.Code), Label: given(a.Label), Latitude: stated(a.Latitude), Longitude: stated(a.Longitude),
			RadiusKm: stated(a.RadiusKm), Excluded: given(a.Excluded),
		})
	}
	return c
}

// given returns a field of a request that is absent where the file has nothing.
func given[T comparable](v T) opt.Field[T] {
	var none T
	return opt.Field[T]{Value: v, Set: v != none}
}

// stated returns a field of a request that the file may give as nothing.
func stated[T any](v *T) opt.Field[T] {
	if v == nil {
		return opt.Field[T]{}
	}
	return opt.Field[T]{Value: *v, Set: true}
}
