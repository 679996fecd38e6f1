package main

import (
	"bytes"
	"strings"
	"testing"

	core "github.com/vitrine-crm/vitrine/core/port/archive"
)

func TestLostPicturesAreTold(t *testing.T) {
	var out bytes.Buffer
	if err := tell(&out, core.Summary{Records: 5, Pictures: 3}); err != nil || out.String() != "5 records, 3 pictures\n" {
		t.Errorf("%v, %s", err, out.String())
	}
	if err := tell(&out, core.Summary{Lost: 2}); err != nil || !strings.Contains(out.String(), "\n2 more pictures are lost") {
		t.Errorf("%v, %s", err, out.String())
	}
}
