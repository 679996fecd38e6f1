package passwords_test

import (
	"crypto/rand"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/passwords"
)

func TestAHashIsOfItsPasswordAlone(t *testing.T) {
	p := passwords.New(rand.Reader)
	hash, err := p.Hash("correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`).MatchString(hash) {
		t.Errorf("the hash is %q", hash)
	}
	for password, want := range map[string]bool{
		"correct horse battery": true, "correct horse batterz": false, "": false, "correct horse battery ": false, "Correct horse battery": false,
	} {
		if got, err := p.Verify(hash, password); got != want || err != nil {
			t.Errorf("%q: %v, %v", password, got, err)
		}
	}
	if again, _ := p.Hash("correct horse battery"); again == hash {
		t.Error("two hashes of one password are the same")
	}
}

// The reference implementation of argon2 made this hash.
func TestAHashOfAnotherProgramIsUnderstood(t *testing.T) {
	const known = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if right, err := passwords.New(rand.Reader).Verify(known, "password"); !right || err != nil {
		t.Errorf("%v, %v", right, err)
	}
}

func TestNobodyHasNoPassword(t *testing.T) {
	p := passwords.New(rand.Reader)
	for _, password := range []string{"", "anything"} {
		if right, err := p.Verify("", password); right || err != nil {
			t.Errorf("%q is the password of nobody: %v", password, err)
		}
	}
}

func TestWhatIsNoHashIsAnError(t *testing.T) {
	p := passwords.New(rand.Reader)
	for _, wrong := range []string{
		"plain", "$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=19456,t=0,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=999999999,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$", "$argon2id$v=19$m=19456,t=2,p=1$$", "$argon2id$v=19$m=x$c29tZXNhbHQ$eA",
	} {
		if right, err := p.Verify(wrong, "password"); right || err == nil || strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, %v", wrong, right, err)
		}
	}
}

func TestManyMayAskAtOnce(t *testing.T) {
	p := passwords.New(rand.Reader)
	hash, err := p.Hash("correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if right, err := p.Verify(hash, "correct horse battery"); !right || err != nil {
				t.Errorf("%v, %v", right, err)
			}
		})
	}
	group.Wait()
}

func TestCommonPasswordsAreKnown(t *testing.T) {
	p := passwords.New(rand.Reader)
	for _, common := range []string{
		"password1234", "Password123!", "123456789012", "qwertyuiop12", "aaaaaaaaaaaa", "iloveyou1234", "letmeinletmein", "Administrator1",
		"azertyuiop123", "motdepasse123", "MotDePasse2026", "sunshine2024", "1q2w3e4r5t6y", "vitrinevitrine", "bonjourbonjour",
	} {
		if !p.IsCommon(common) {
			t.Errorf("%q is not common", common)
		}
	}
	for _, good := range []string{"correct horse battery", "trombone agrafe lune", "gTr5-plq9-Wm2x", "le chat mange du beurre"} {
		if p.IsCommon(good) {
			t.Errorf("%q is common", good)
		}
	}
}
