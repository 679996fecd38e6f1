package main

import (
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
)

func TestTheVersionIsToldAsJSON(t *testing.T) {
	if got := printed[buildinfo.Info](t, "version", "--output=json"); got != buildinfo.Read() || got.Version == "" {
		t.Errorf("%+v", got)
	}
}
