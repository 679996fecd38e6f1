package folder_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/folder"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

func open(t testing.TB, path string) *folder.Folder {
	t.Helper()
	f, err := folder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestBlobs(t *testing.T) {
	porttest.Blobs(t, time.Now, func(t testing.TB) port.Blobs { return open(t, filepath.Join(t.(*testing.T).TempDir(), "a", "b")) })
}

func TestNothingOutsideIsTouched(t *testing.T) {
	around := t.TempDir()
	secret := filepath.Join(around, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, filepath.Join(around, "photos"))
	if err := os.Symlink("..", filepath.Join(around, "photos", "way-out")); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"../secret", "/etc/passwd", "a/../../secret", "way-out/secret", "", ".", "a//b", ".incoming/x"} {
		if r, err := f.Open(t.Context(), key); err == nil {
			r.Close()
			t.Errorf("%q can be read", key)
		}
		if f.Put(t.Context(), key, []byte("x")) == nil {
			t.Errorf("%q can be written", key)
		}
		_ = f.Delete(t.Context(), key)
	}
	if content, err := os.ReadFile(secret); err != nil || string(content) != "secret" {
		t.Errorf("the secret is %q (%v)", content, err)
	}
}

func TestWhatACrashLeftIsTidiedAway(t *testing.T) {
	path := t.TempDir()
	f := open(t, path)
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "young": time.Hour} {
		file := filepath.Join(path, ".incoming", name)
		if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	for found := range f.All(t.Context()) {
		t.Errorf("what is not whole is seen: %s", found.Key)
	}
	open(t, path)
	left, err := os.ReadDir(filepath.Join(path, ".incoming"))
	if err != nil || len(left) != 1 || left[0].Name() != "young" {
		t.Errorf("%v are left (%v)", left, err)
	}
}
