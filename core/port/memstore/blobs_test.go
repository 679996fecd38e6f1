package memstore_test

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

func TestBlobs(t *testing.T) {
	porttest.Blobs(t, time.Now, func(testing.TB) port.Blobs { return memstore.NewBlobs(time.Now) })
}
