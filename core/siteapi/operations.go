package siteapi

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// table returns the operations of all areas.
func (s *Service) table() []kernel.Operation {
	operations := slices.Concat(s.others(), s.History.Operations(), s.Requests.Operations())
	kernel.AddExists(operations, slices.Concat(s.Office.Places(), s.Listing.Places(), s.People.Places(), s.Deals.Places(), s.Agenda.Places(), s.Hooks.Places(), s.Requests.Places()))
	return operations
}

// others returns the operations of all areas but those of histories and requests.
func (s *Service) others() []kernel.Operation {
	return slices.Concat(s.Office.Operations(), s.Listing.Operations(), s.People.Operations(), s.Deals.Operations(), s.Agenda.Operations(), s.Hooks.Operations())
}

// Operations returns the table: one line for each operation that needs a token, with
// paths relative to {base_url}. The router, the access checks, the OpenAPI document, the
// metric labels and the authorisation matrix are made from it.
func (s *Service) Operations() []kernel.Operation { return slices.Clone(s.operations) }

// TokenOperations returns the operations that issue tokens, with paths relative to {auth_url}.
// They authenticate the client themselves.
func (s *Service) TokenOperations() []kernel.Operation { return slices.Clone(s.Tokens.Operations()) }
