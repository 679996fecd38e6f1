package wire

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

func TestWhoseAPlaceOfPicturesIs(t *testing.T) {
	for _, c := range []struct {
		named, asks string
		want        standing
	}{
		{"", "live a", free},
		{"", "sandbox a", free},
		{"live a", "live a", ours},
		{" a", " a", ours},
		{"sandbox a", "sandbox a", ours},
		{"sandbox a", "sandbox b", ofSandbox},
		{"sandbox a", "live a", foreign},
		{"live a", "sandbox a", foreign},
		{"live a", "live b", foreign},
		{"live a", "", foreign},
		{"sandbox a", "", foreign},
		{"sandboxed a", "sandbox b", foreign},
	} {
		place := memstore.NewBlobs(time.Now)
		if c.named != "" {
			if err := place.Put(t.Context(), ownerKey, []byte(c.named)); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := standingOf(t.Context(), place, c.asks); err != nil || got != c.want {
			t.Errorf("a place of %q is %d for %q, want %d; %v", c.named, got, c.asks, c.want, err)
		}
	}
}

func TestOnlyAnEmptyPlaceOrOnesOwnIsVacated(t *testing.T) {
	for named, want := range map[string]error{"": nil, "live a": nil, "sandbox a": errForeignPlace, "live b": errForeignPlace} {
		place := memstore.NewBlobs(time.Now)
		if named != "" {
			if err := errors.Join(place.Put(t.Context(), ownerKey, []byte(named)), place.Put(t.Context(), "1/2/3", []byte("x"))); err != nil {
				t.Fatal(err)
			}
		}
		if err := vacate(t.Context(), place, "live a"); !errors.Is(err, want) {
			t.Errorf("the place of %q: %v", named, err)
		}
		if r, err := place.Open(t.Context(), "1/2/3"); named != "" {
			if err != nil {
				t.Fatalf("what is in the place of %q is gone: %v", named, err)
			}
			if text, err := io.ReadAll(r); err != nil || string(text) != "x" {
				t.Errorf("it is %q, %v", text, err)
			}
			r.Close()
		}
	}
	strange := memstore.NewBlobs(time.Now)
	if err := strange.Put(t.Context(), "1/2/3", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := vacate(t.Context(), strange, "live a"); err == nil {
		t.Error("files of nobody are taken over")
	}
}
