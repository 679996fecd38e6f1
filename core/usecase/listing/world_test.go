package listing_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// world is that of all tests, with what those of this package ask of it.
type world struct{ *apitest.World }

func newWorld(t *testing.T) *world { return &world{apitest.New(t)} }
