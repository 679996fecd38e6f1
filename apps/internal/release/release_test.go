package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"

	built "github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// here is the source, called a version that there is not.
func here() source {
	return source{
		folder: filepath.Join("..", "..", ".."), program: "vitrine", version: "v9.8.7", commit: strings.Repeat("0123456789", 4),
		date: time.Date(2027, 1, 15, 8, 30, 0, 0, time.UTC),
	}
}

// Bounds of the bytes of a release, a little above what it has.
const (
	mostProgram = 68_000_000
	mostArchive = 24_500_000
)

var host = platform{runtime.GOOS, runtime.GOARCH}

// TestAReleaseIsInstalledAndRuns goes the way of an operator: checksums, archive,
// the unit with its environment file, the first client, a token.
func TestAReleaseIsInstalledAndRuns(t *testing.T) {
	if host.archive() != ".tar.gz" || host.os != "linux" {
		t.Skip("the unit is one for linux")
	}
	dist, installed := t.TempDir(), t.TempDir()
	if err := release(t.Context(), here(), host, dist); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(writeDocuments(here().folder, dist), writeChecksums(dist)); err != nil {
		t.Fatal(err)
	}
	check := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", checksums)
	check.Dir = dist
	if out, err := check.CombinedOutput(); err != nil || bytes.Count(out, []byte(": OK\n")) != 4 {
		t.Errorf("checksums: %v, %s", err, out)
	}
	name := here().name(host)
	unpack(t, filepath.Join(dist, name+".tar.gz"), installed)
	for file, most := range map[string]int64{filepath.Join(installed, name, "vitrine"): mostProgram, filepath.Join(dist, name+".tar.gz"): mostArchive} {
		if info, err := os.Stat(file); err != nil || info.Size() > most {
			t.Errorf("%v: %s has more than %d bytes: see which package grew with go tool nm -size -sort size", err, file, most)
		}
	}
	s := &service{t: t, folder: filepath.Join(installed, name), state: t.TempDir()}
	for _, file := range []string{"vitrine", "LICENSE", "NOTICE", "installing.md", "vitrine.service", "vitrine.env"} {
		if info, err := os.Stat(filepath.Join(s.folder, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	t.Run("version", s.tellsItsVersion)
	t.Run("bill", func(t *testing.T) {
		namesEverything(t, filepath.Join(dist, name+".cdx.json"), filepath.Join(s.folder, "vitrine"))
	})
	t.Run("service", s.serves)
}

// TestTheMirrorIsReleased: the second program has an archive of its own, with its page.
func TestTheMirrorIsReleased(t *testing.T) {
	if host.archive() != ".tar.gz" {
		t.Skip("the archive is another")
	}
	dist, installed, from := t.TempDir(), t.TempDir(), here()
	from.program = "vitrine-mirror"
	if err := release(t.Context(), from, host, dist); err != nil {
		t.Fatal(err)
	}
	name := from.name(host)
	unpack(t, filepath.Join(dist, name+".tar.gz"), installed)
	for _, file := range []string{"LICENSE", "NOTICE", "mirror.md"} {
		if info, err := os.Stat(filepath.Join(installed, name, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	binary := filepath.Join(installed, name, "vitrine-mirror")
	if out, err := exec.CommandContext(t.Context(), binary, "--version").Output(); err != nil || string(out) != "v9.8.7\n" {
		t.Errorf("%q, %v", out, err)
	}
	for file, most := range map[string]int64{binary: 20_000_000, filepath.Join(dist, name+".tar.gz"): 7_700_000} {
		if info, err := os.Stat(file); err != nil || info.Size() > most {
			t.Errorf("%v: %s has more than %d bytes (%d)", err, file, most, info.Size())
		}
	}
	namesEverything(t, filepath.Join(dist, name+".cdx.json"), binary)
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	squeezed, err := gzip.NewReader(content)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(squeezed); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !header.ModTime.Equal(here().date) || header.Uid != 0 || header.Uname != "" {
			t.Errorf("%s has something of this machine: %+v", header.Name, header)
		}
		into := filepath.Join(to, filepath.FromSlash(path.Clean("/"+header.Name)))
		if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(into, text, fs.FileMode(header.Mode)); err != nil {
			t.Fatal(err)
		}
	}
}

// service is a release that was unpacked, and where it keeps its data.
type service struct {
	t             *testing.T
	folder, state string
	environment   []string
}

func (s *service) command(args ...string) *exec.Cmd {
	c := exec.CommandContext(s.t.Context(), filepath.Join(s.folder, "vitrine"), args...)
	c.Env, c.Dir = append(c.Environ(), s.environment...), s.state
	return c
}

func (s *service) tellsItsVersion(t *testing.T) {
	text, err := s.command("version", "--output=json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got built.Info
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := built.Read()
	want.Version, want.Commit, want.Date = "v9.8.7", here().commit, "2027-01-15T08:30:00Z"
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// namesEverything holds a bill against what the tool-chain wrote into the binary.
func namesEverything(t *testing.T, bill, binary string) {
	file, err := os.Open(bill)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var b cdx.BOM
	if err := cdx.NewBOMDecoder(file, cdx.BOMFileFormatJSON).Decode(&b); err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	for _, c := range *b.Components {
		named[c.Name] = c.Version
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Deps) < 10 {
		t.Errorf("the binary has %d modules", len(info.Deps))
	}
	for _, dep := range info.Deps {
		want := dep.Version
		if strings.HasPrefix(dep.Path, ours) {
			want = "v9.8.7"
		}
		if named[dep.Path] != want {
			t.Errorf("%s is %q, want %q", dep.Path, named[dep.Path], want)
		}
	}
	sum, err := checksum(binary)
	if err != nil {
		t.Fatal(err)
	}
	if hashes := *b.Metadata.Component.Hashes; hashes[0].Value != sum || named["std"] != strings.TrimPrefix(runtime.Version(), "go") {
		t.Errorf("%+v is not the binary, made with %s", hashes, named["std"])
	}
}

// serves starts what the unit starts, with the environment file as somebody fills it
// in, and data in another folder.
func (s *service) serves(t *testing.T) {
	api, err := rig.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	admin, err := rig.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	unit, err := os.ReadFile(filepath.Join(s.folder, "vitrine.service"))
	if err != nil {
		t.Fatal(err)
	}
	s.environment = slices.Concat(environment(t, filepath.Join(s.folder, "vitrine.env"), s.state), credentials(t, string(unit)),
		[]string{"VITRINE_LISTEN=" + api, "VITRINE_ADMIN_LISTEN=" + admin})
	if out, err := s.command("provision", "/dev/stdin").CombinedOutput(); err == nil {
		t.Errorf("an empty file is carried out: %s", out)
	}
	provision := s.command("provision", "/dev/stdin")
	provision.Stdin = strings.NewReader("sites: [{id: 1, name: Réseau}]\n")
	if out, err := provision.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	made, err := s.command("credential", "create", "portal", "--site=1", "--pack=all").Output()
	if err != nil {
		t.Fatal(err)
	}
	var client struct{ ID, Secret string }
	if err := json.Unmarshal(made, &client); err != nil {
		t.Fatal(err)
	}

	_, rest, _ := strings.Cut(string(unit), "\nExecStart=")
	line, _, _ := strings.Cut(rest, "\n")
	server := s.command(strings.Fields(line)[1:]...)
	log, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(log)
	started := false
	for !started && lines.Scan() {
		started = strings.Contains(lines.Text(), `"msg":"serving"`) && strings.Contains(lines.Text(), `"version":"v9.8.7"`)
	}
	if !started {
		t.Fatal("it ended before it served")
	}
	go func() {
		for lines.Scan() { // nobody else reads what it says
		}
	}()
	if out, err := s.command("health").CombinedOutput(); err != nil || string(out) != "ready\n" {
		t.Errorf("health: %v, %s", err, out)
	}
	if text := get(t, "http://"+admin+"/metrics", "", ""); !strings.Contains(text, `vitrine_build_info{`) || !strings.Contains(text, `version="v9.8.7"`) {
		t.Error("no metric tells the version")
	}
	if text := get(t, "http://"+api+"/api/client/token/site", client.ID, client.Secret); !strings.Contains(text, "access_token") {
		t.Errorf("no token: %s", text)
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// environment is what an environment file says, with another folder for the data.
func environment(t *testing.T, name, state string) (said []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "/var/lib/vitrine", state), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			said = append(said, line)
		}
	}
	return said
}

// credentials is what a unit says of secrets, with a key in the folder of its credentials.
func credentials(t *testing.T, unit string) (said []string) {
	t.Helper()
	folder := t.TempDir()
	for line := range strings.Lines(unit) {
		if loaded, ok := strings.CutPrefix(line, "LoadCredential="); ok {
			name, _, _ := strings.Cut(loaded, ":")
			key := base64.StdEncoding.EncodeToString(make([]byte, 32)) + "\n"
			if err := os.WriteFile(filepath.Join(folder, name), []byte(key), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if set, ok := strings.CutPrefix(line, "Environment="); ok {
			said = append(said, strings.ReplaceAll(strings.TrimSpace(set), "%d", folder))
		}
	}
	return said
}

// get is what an address answers; with a client, what a request for a token is.
func get(t *testing.T, url, client, secret string) string {
	t.Helper()
	method, body := http.MethodGet, ""
	if client != "" {
		method, body = http.MethodPost, "site_id=1"
	}
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if client != "" {
		request.SetBasicAuth(client, secret)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
