package ownrecords_test

import (
	"encoding/json"
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// productDocument is a product with criteria that JSON can read back: they hide those
// of the product.
type productDocument struct {
	product.Product
	Criteria map[string]tagged
}

func documentOf(p product.Product) productDocument {
	d := productDocument{p, map[string]tagged{}}
	for key, value := range p.Criteria {
		d.Criteria[key] = tagged{value}
	}
	d.Product.Criteria = nil
	return d
}

func (d productDocument) product() product.Product {
	p := d.Product
	p.Criteria = criteria.Values{}
	for key, t := range d.Criteria {
		p.Criteria[key] = t.Value
	}
	return p
}

// tagged is a value whose JSON says which type it has: {"Type":2,"Value":250000}.
type tagged struct{ criteria.Value }

// MarshalJSON implements json.Marshaler.
func (t tagged) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type  criteria.Type
		Value criteria.Value
	}{t.Type(), t.Value})
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *tagged) UnmarshalJSON(text []byte) (err error) {
	var read struct {
		Type  criteria.Type
		Value json.RawMessage
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	switch read.Type {
	case criteria.UNIQUE:
		t.Value, err = valueOf[criteria.Unique](read.Value)
	case criteria.NUMBER:
		t.Value, err = valueOf[criteria.Number](read.Value)
	case criteria.FLAG:
		t.Value, err = valueOf[criteria.Flag](read.Value)
	case criteria.TEXT:
		t.Value, err = valueOf[criteria.Text](read.Value)
	case criteria.MULTIPLE:
		t.Value, err = valueOf[criteria.Multiple](read.Value)
	case criteria.DATE:
		t.Value, err = valueOf[criteria.Date](read.Value)
	default:
		err = fmt.Errorf("%d is no type of criterion", read.Type)
	}
	return err
}

func valueOf[V criteria.Value](text []byte) (criteria.Value, error) {
	var v V
	err := json.Unmarshal(text, &v)
	return v, err
}
