package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	built "github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
)

// repository is a new one, with a way to run git in it.
func repository(t *testing.T) (folder string, git func(args ...string)) {
	t.Helper()
	folder = t.TempDir()
	return folder, func(args ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), "git", args...)
		command.Dir = folder
		command.Env = append(command.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE=2027-01-15T09:30:00+01:00")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

func TestTheVersionOfASourceIsItsTag(t *testing.T) {
	folder, git := repository(t)
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(folder, "file"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	look := func() source {
		t.Helper()
		s, err := sourceIn(t.Context(), folder)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	git("init", "--quiet")
	if _, err := sourceIn(t.Context(), folder); err == nil {
		t.Error("a repository without a commit has a version")
	}
	write("1")
	git("add", ".")
	git("commit", "--quiet", "--message=One")
	git("tag", "core/v9.0.0") // of another module
	git("tag", "apps/beta")
	s := look()
	if s.version != built.Development || s.modified || !s.date.Equal(time.Date(2027, 1, 15, 8, 30, 0, 0, time.UTC)) || len(s.commit) != 40 {
		t.Errorf("%+v", s)
	}
	if want := "vitrine_development-" + s.commit[:12] + "_linux_arm64"; s.name(platform{"linux", "arm64"}) != want {
		t.Errorf("it is called %s", s.name(platform{"linux", "arm64"}))
	}
	git("tag", "apps/v0.9.0")
	git("tag", "apps/v0.10.0")
	if s = look(); s.version != "v0.10.0" || s.named() != "v0.10.0" {
		t.Errorf("%+v", s)
	}
	write("2")
	if s = look(); s.version != built.Development || !s.modified || !strings.HasSuffix(s.named(), "-modified") {
		t.Errorf("with changes it is %+v", s)
	}
}

func TestAPlatformHasASystemAndAnArchitecture(t *testing.T) {
	for name, want := range map[string]string{
		"linux/amd64": "vitrine .tar.gz", "windows/arm64": "vitrine.exe .zip", "linux": "", "/amd64": "", "linux/": "",
	} {
		p, err := parsePlatform(name)
		if (err != nil) != (want == "") || err == nil && p.binary("vitrine")+" "+p.archive() != want {
			t.Errorf("%q: %+v, %v", name, p, err)
		}
	}
}
