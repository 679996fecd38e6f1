package memstore_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/porttest"
)

func TestRequestLogKeepsTheLaw(t *testing.T) {
	porttest.Requests(t, func(testing.TB) porttest.RequestLog { return memstore.NewRequestLog() })
}
