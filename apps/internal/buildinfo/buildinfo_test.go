package buildinfo

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestOnlyATagIsAVersion(t *testing.T) {
	for from, want := range map[string]string{
		"":                                     Development,
		"(devel)":                              Development,
		"v0.0.0-20261123002237-58e4d4b80c1f":   Development,
		"v1.2.4-0.20261123002237-58e4d4b80c1f": Development,
		"v1.2.3+dirty":                         Development,
		"v1.2.3":                               "v1.2.3",
		"v1.2.3-rc.1":                          "v1.2.3-rc.1",
	} {
		if got := tagged(from); got != want {
			t.Errorf("%q is %q, want %q", from, got, want)
		}
	}
}

func TestTheCommitIsToldAsFarAsItIsKnown(t *testing.T) {
	stamp := func(settings ...debug.BuildSetting) string {
		var i Info
		i.complete(&debug.BuildInfo{Settings: settings})
		return i.String()
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "58e4d4b80c1f0123456789"}
	date := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-22T23:30:00-02:00"}
	for want, got := range map[string]string{
		"development (commit unknown)":                                 stamp(),
		"development (commit 58e4d4b80c1f)":                            stamp(revision),
		"development (commit 58e4d4b80c1f of 2026-11-23)":              stamp(revision, date),
		"development (commit 58e4d4b80c1f of 2026-11-23 with changes)": stamp(revision, date, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestATestKnowsContractAndSchema(t *testing.T) {
	i := Read()
	if i.Contract == "" || i.Schema < 81 || !strings.HasPrefix(i.Go, "go") || !strings.Contains(i.Platform, "/") {
		t.Errorf("%+v", i)
	}
}
