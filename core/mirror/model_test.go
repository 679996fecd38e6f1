package mirror_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/mirror"
	"github.com/vitrine-crm/vitrine/core/mirror/mirrortest"
)

func TestModelIsACopy(t *testing.T) {
	mirrortest.Copy(t, func(testing.TB) mirror.Copy { return mirrortest.NewModel() }, func(_ testing.TB, c mirror.Copy) mirror.Copy { return c })
}
