package main

import (
	"bytes"
	"strings"
	"testing"

	core "github.com/vitrine-crm/vitrine/core/archive"
)

func TestProgressOfAnArchiveIsToldInLinesWhereThereIsNoTerminal(t *testing.T) {
	for total, want := range map[int]string{-1: "moving: 20300\nmoving: 40600\n", 50_000: "moving: 20300 of 50000\nmoving: 40600 of 50000\n"} {
		var out bytes.Buffer
		b := &bar{out: &out, what: "moving", total: total}
		for n := 0; n <= 50_000; n += 700 {
			b.progress(core.Summary{Records: n / 2, Pictures: n - n/2})
		}
		b.end()
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}

func TestLostPicturesAreTold(t *testing.T) {
	var out bytes.Buffer
	if err := tell(&out, core.Summary{Records: 5, Pictures: 3}); err != nil || out.String() != "5 records, 3 pictures\n" {
		t.Errorf("%v, %s", err, out.String())
	}
	if err := tell(&out, core.Summary{Lost: 2}); err != nil || !strings.Contains(out.String(), "\n2 more pictures are lost") {
		t.Errorf("%v, %s", err, out.String())
	}
}
