package memstore_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/porttest"
)

func TestTheModelKeepsTheLaw(t *testing.T) {
	porttest.Store(t, func(testing.TB) port.Store { return memstore.New() })
}

func TestTheModelTellsChanges(t *testing.T) {
	porttest.Changes(t, func(testing.TB) (port.Store, port.Changes) {
		s := memstore.New()
		return s, s.Changes()
	})
}
