package apitest

import (
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Criteria are the criteria of a request, given as keys and values in turn. An
// int stands for that number in JSON.
func Criteria(pairs ...any) opt.Field[[]product.CriterionInput] {
	var inputs []product.CriterionInput
	for i := 0; i < len(pairs); i += 2 {
		value := pairs[i+1]
		if n, ok := value.(int); ok {
			value = criteria.Literal(strconv.Itoa(n))
		}
		inputs = append(inputs, product.CriterionInput{ID: pairs[i].(string), Value: criteria.Raw{V: value}})
	}
	return opt.Of(inputs)
}

// InAgency is a request to create a product that says nothing but its agency.
func InAgency(id int64) (in listing.CreateProduct) {
	in.AgencyID = opt.Of(id)
	return in
}

// CreateProduct adds a product with some criteria to agency 11 of site 1.
func (w *World) CreateProduct(pairs ...any) int64 {
	w.T.Helper()
	in := InAgency(11)
	in.Criteria = Criteria(pairs...)
	return w.CreateProductAs(w.As("full", 1), in)
}

// CreateProductAs adds a product on behalf of a caller.
func (w *World) CreateProductAs(c kernel.Caller, in listing.CreateProduct) int64 {
	w.T.Helper()
	created, err := w.Listing.CreateProduct(w.T.Context(), c, in)
	if err != nil {
		w.T.Fatal(err)
	}
	return created.ID
}

// UpdateProduct changes a product of site 1.
func (w *World) UpdateProduct(id int64, edit func(*listing.UpdateProduct)) error {
	w.T.Helper()
	in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
	edit(&in)
	_, err := w.Listing.UpdateProduct(w.T.Context(), w.As("full", 1), in)
	return err
}

// SetCriteria changes some criteria of a product of site 1.
func (w *World) SetCriteria(id int64, pairs ...any) {
	w.T.Helper()
	if err := w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Criteria = Criteria(pairs...) }); err != nil {
		w.T.Fatal(err)
	}
}

// ReadProduct is a product as the caller sees it now, with some blocks.
func (w *World) ReadProduct(c kernel.Caller, id int64, fetch string) listing.Product {
	w.T.Helper()
	record, err := w.Listing.GetProduct(w.T.Context(), w.Again(c), listing.ReadProduct{ID: id, Fetch: listing.Fetch(fetch)})
	if err != nil {
		w.T.Fatal(err)
	}
	all, err := record.All(w.T.Context())
	if err != nil || len(all) != 1 {
		w.T.Fatalf("reading product %d: %d records, %v", id, len(all), err)
	}
	return all[0]
}

// FindProducts are the ids that a search of the caller finds now, in order.
func (w *World) FindProducts(c kernel.Caller, in listing.SearchProducts) []int64 {
	w.T.Helper()
	result, err := w.Listing.SearchProducts(w.T.Context(), w.Again(c), in)
	if err != nil {
		w.T.Fatal(err)
	}
	records, err := result.Data.All(w.T.Context())
	if err != nil {
		w.T.Fatal(err)
	}
	ids := []int64{}
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	return ids
}
