package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	clientID     = "bench"
	clientSecret = "bench-secret"
)

// sites describes the sites of a world.
func sites(products int) []transfer.SetupSite {
	words := vocabulary(products)
	var all []transfer.SetupSite
	add := func(id site.ID, agencies ...site.AgencyID) {
		in := transfer.SetupSite{ID: int64(id), Name: fmt.Sprint("Site ", id), SetupVocabulary: transfer.SetupVocabulary{Criteria: words}}
		for _, a := range agencies {
			in.Agencies = append(in.Agencies, transfer.SetupAgency{ID: int64(agencyOf(id, a)), Name: fmt.Sprint("Agence ", a)})
		}
		all = append(all, in)
	}
	add(bigID, cataloguetest.Agencies()...)
	add(smallID, cataloguetest.Agencies()...)
	for i := range writeSites {
		add(firstWriteID+site.ID(i), cataloguetest.Agencies()[0])
	}
	return all
}

// agencyOf keeps the agencies of generated products apart by site.
func agencyOf(id site.ID, a site.AgencyID) site.AgencyID { return site.AgencyID(100*id) + a }

// vocabulary learns the criteria of a site from its products.
func vocabulary(products int) []transfer.SetupCriterion {
	types := map[string]criteria.Type{}
	codes := map[string]map[string]bool{}
	for candidate := range cataloguetest.Products(products, seed) {
		for key, value := range candidate.Product.Criteria {
			if _, known := types[key]; !known {
				types[key], codes[key] = typeOf(value), map[string]bool{}
			}
			for _, code := range criteria.Codes(value) {
				codes[key][code] = true
			}
		}
	}
	var words []transfer.SetupCriterion
	for i, key := range slices.Sorted(maps.Keys(types)) {
		private, searchable := key == cataloguetest.Private, key != cataloguetest.Private
		word := transfer.SetupCriterion{
			ID: int64(i + 1), Key: key, Type: types[key].String(), Label: key, Position: i,
			IsPrivate: private, IsFulltext: private, IsSearchable: &searchable,
		}
		for n, code := range slices.Sorted(maps.Keys(codes[key])) {
			word.Values = append(word.Values, transfer.SetupChoice{ID: int64(n + 1), Model: code, Label: code})
		}
		words = append(words, word)
	}
	return words
}

func typeOf(v criteria.Value) criteria.Type {
	switch v.(type) {
	case criteria.Unique:
		return criteria.UNIQUE
	case criteria.Number:
		return criteria.NUMBER
	case criteria.Flag:
		return criteria.FLAG
	case criteria.Multiple:
		return criteria.MULTIPLE
	case criteria.Date:
		return criteria.DATE
	}
	return criteria.TEXT
}

// unitSize is how many products one unit of work stores.
const unitSize = 1000

// fill stores generated products, with their owners and their events, and
// returns their ids.
func fill(ctx context.Context, s port.Store, id site.ID, products int) ([]int64, error) {
	var ids []int64
	var unit []product.Candidate
	known := map[customer.ID]bool{0: true}
	storing, within := errgroup.WithContext(ctx)
	storing.SetLimit(4)
	store := func() error {
		full, owners := unit, owners(unit, known)
		unit = nil
		if err := record(within, s, id, full); err != nil {
			return err
		}
		storing.Go(func() error { return add(within, s, full, owners) })
		return nil
	}
	for candidate := range cataloguetest.Products(products, seed) {
		p := &candidate.Product
		p.Site, p.Agency = id, agencyOf(id, p.Agency)
		ids, unit = append(ids, int64(p.ID)), append(unit, candidate)
		if len(unit) == unitSize || len(ids) == products {
			if err := store(); err != nil {
				return nil, errors.Join(err, storing.Wait())
			}
		}
	}
	if err := storing.Wait(); err != nil {
		return nil, err
	}
	return ids, s.Update(ctx, func(tx port.Tx) error {
		return tx.ReserveID(port.ProductIDs, ids[len(ids)-1])
	})
}

// owners returns the customers behind some products that nobody stored yet.
func owners(candidates []product.Candidate, known map[customer.ID]bool) []customer.Customer {
	var fresh []customer.Customer
	for _, c := range candidates {
		p := c.Product
		if known[p.Customer] {
			continue
		}
		known[p.Customer] = true
		owner := customer.Customer{ID: p.Customer, Site: p.Site, Agency: p.Agency, Type: "VENDEUR", Added: p.Added, Modified: p.Added}
		owner.Firstname, owner.Lastname, _ = strings.Cut(c.OwnerNames[0], " ")
		if len(c.OwnerNames) > 2 {
			owner.Company = c.OwnerNames[2]
		}
		fresh = append(fresh, owner)
	}
	return fresh
}

// record writes the events of some products into the ledger and gives the
// products their versions.
func record(ctx context.Context, s port.Store, id site.ID, unit []product.Candidate) error {
	events := make([]event.Event, len(unit))
	for i, c := range unit {
		events[i] = event.Event{Type: event.ProductCreate, Resource: int64(c.Product.ID), Agency: c.Product.Agency}
	}
	return s.Update(ctx, func(tx port.Tx) error {
		last, err := tx.Ledger().Append(id, unit[0].Product.Added, events)
		for i := range unit {
			unit[i].Product.Version = last.Seq - int64(len(unit)-1-i)
		}
		return err
	})
}

func add(ctx context.Context, s port.Store, unit []product.Candidate, owners []customer.Customer) error {
	return s.Update(ctx, func(tx port.Tx) error {
		for _, owner := range owners {
			if err := tx.Customers().Put(owner); err != nil {
				return err
			}
		}
		for _, c := range unit {
			if err := tx.Products().Add(c.Product); err != nil {
				return fmt.Errorf("product %d: %w", c.Product.ID, err)
			}
		}
		return nil
	})
}
