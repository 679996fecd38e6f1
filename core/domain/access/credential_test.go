package access_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Test case 2 of RFC 4231.
func TestA10_HashIsHMACSHA256(t *testing.T) {
	got := access.Pepper("Jefe").Hash("what do ya want for nothing?")
	if want := access.Hash("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestA10_HashesMatchOnlyThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) (pepper, secret string) {
			few := rapid.StringMatching(`[ab]{1,2}`)
			return few.Draw(t, label+" pepper"), few.Draw(t, label+" secret")
		}
		pepper1, secret1 := draw("one")
		pepper2, secret2 := draw("other")
		one, other := access.Pepper(pepper1).Hash(secret1), access.Pepper(pepper2).Hash(secret2)
		if one.Matches(other) != (pepper1 == pepper2 && secret1 == secret2) {
			t.Fatalf("%q under %q and %q under %q", secret1, pepper1, secret2, pepper2)
		}
	})
	empty := access.Hash("")
	if hash := access.Pepper("p").Hash(""); empty.Matches(hash) || hash.Matches(empty) {
		t.Error("a missing hash matches one of an empty secret")
	}
}

func TestA10_SecretsAre256Bits(t *testing.T) {
	raw := bytes.Repeat([]byte{0xfb, 0xff, 0x00, 0x10}, 16)
	source := bytes.NewReader(raw)
	for i := range 2 {
		secret, err := access.NewSecret(iotest.OneByteReader(source))
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := base64.RawURLEncoding.DecodeString(secret)
		if err != nil || len(secret) != 43 || !bytes.Equal(drawn, raw[32*i:32*i+32]) {
			t.Errorf("%q stands for %x, %v", secret, drawn, err)
		}
	}
	if _, err := access.NewSecret(source); !errors.Is(err, io.EOF) {
		t.Errorf("an exhausted source: %v", err)
	}
}

func TestA10_WithoutRandomnessThereIsNoSecret(t *testing.T) {
	broken := errors.New("no entropy")
	for name, c := range map[string]struct {
		source io.Reader
		err    error
	}{
		"broken":       {iotest.ErrReader(broken), broken},
		"too short":    {bytes.NewReader(make([]byte, 31)), io.ErrUnexpectedEOF},
		"breaks later": {io.MultiReader(bytes.NewReader(make([]byte, 31)), iotest.ErrReader(broken)), broken},
	} {
		if secret, err := access.NewSecret(c.source); secret != "" || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, secret, err)
		}
	}
}

func TestCredentialReachesItsSitesAndGrantsWhatItHolds(t *testing.T) {
	c := access.Credential{
		ID: "web", Sites: []site.ID{1, 3}, Packs: access.Websites,
		Permissions: []access.Permission{access.ProductRead}, Rights: []access.Right{access.ProductGet},
	}
	for id, want := range map[site.ID]bool{0: false, 1: true, 2: false, 3: true} {
		if c.Reaches(id) != want {
			t.Errorf("site %d: %t", id, !want)
		}
	}
	g := c.Grant(3)
	if g.Credential != "web" || g.Site != 3 || g.Packs != access.Websites ||
		!slices.Equal(g.Permissions, c.Permissions) || !slices.Equal(g.Rights, c.Rights) {
		t.Errorf("the grant is %+v", g)
	}
	if c.Revoked() {
		t.Error("a living credential is revoked")
	}
	if c.RevokedAt = time.Unix(1, 0); !c.Revoked() {
		t.Error("an ended credential lives")
	}
}
