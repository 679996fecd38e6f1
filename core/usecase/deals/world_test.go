package deals_test

import "github.com/vitrine-crm/vitrine/core/siteapi/apitest"

// world is that of all tests, with what those of this package ask of it.
type world struct{ *apitest.World }
