package memstore_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

func TestTheModelKeepsTheLaw(t *testing.T) {
	porttest.Store(t, func(testing.TB) port.Store { return memstore.New() })
}

func TestTheModelReadsRows(t *testing.T) {
	porttest.ProductRows(t, func(testing.TB) (port.Store, port.ProductRows) {
		s := memstore.New()
		return s, s.ProductRows()
	})
}

func TestTheModelTellsChanges(t *testing.T) {
	porttest.Changes(t, func(testing.TB) (port.Store, port.Changes) {
		s := memstore.New()
		return s, s.Changes()
	})
}
