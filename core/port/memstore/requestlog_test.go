package memstore_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

func TestRequestLogKeepsTheLaw(t *testing.T) {
	porttest.Requests(t, func(testing.TB) porttest.RequestLog { return memstore.NewRequestLog() })
}
