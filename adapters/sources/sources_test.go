package sources

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// world has a source and what looks for its files.
type world struct {
	*testing.T
	*Files
	root   string
	source operator.ImportSource
	opened []string
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, root: t.TempDir()}
	w.source.Settings = operator.SourceSettings{Location: operator.Location{Folder: "nantes"}, Mode: operator.SourceIncremental, Format: "ac3"}
	w.Files = New(Options{Root: w.root, Client: http.DefaultClient, Insecure: true, Settle: 20 * time.Millisecond, Open: func(name string, of operator.SourceSettings, beside string) (transfer.ImportFile, error) {
		content, err := os.ReadFile(name)
		w.opened = []string{string(content), of.Format, beside}
		return nil, err
	}})
	if err := os.Mkdir(filepath.Join(w.root, "nantes"), 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) put(name, content string, at int) {
	w.Helper()
	name = filepath.Join(w.root, "nantes", name)
	moment := time.Unix(1_800_000_000+int64(at), 0)
	if err := errors.Join(os.WriteFile(name, []byte(content), 0o600), os.Chtimes(name, moment, moment)); err != nil {
		w.Fatal(err)
	}
}

// takes looks at the source, takes its file over and returns its content; what is wrong in parentheses.
func (w *world) takes() string {
	w.Helper()
	file, err := w.Look(w.Context(), w.source)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	if file == nil {
		return ""
	}
	w.opened = nil
	if _, err := file.Open(w.Context()); err != nil {
		w.Fatal(err)
	}
	if err := file.Close(); err != nil {
		w.Fatal(err)
	}
	w.source.State = w.source.State.With(file.TakenFile, true, "")
	w.source.State.ETag, w.source.State.Modified, w.source.State.Asked = file.ETag, file.LastModified, false
	if file.More {
		return w.opened[0] + " +"
	}
	return w.opened[0]
}

func (w *world) is(what, want string) {
	w.Helper()
	if got := w.takes(); got != want {
		w.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestAnIncrementalSourceTakesItsFilesOverInOrder(t *testing.T) {
	w := newWorld(t)
	w.is("an empty folder", "")
	w.put("b.csv", "first", 1)
	w.put("a.XML", "second", 2)
	w.put("picture.jpg", "no listings", 3)
	w.put(".c.csv", "hidden", 4)
	w.put("d.csv.part", "under way", 5)
	w.is("the oldest", "first +")
	w.is("the next", "second")
	if w.opened[1] != "ac3" || w.opened[2] != filepath.Join(w.root, "nantes") {
		t.Errorf("it is opened as %q", w.opened)
	}
	w.is("nothing new", "")
	w.put("b.csv", "other", 6)
	w.is("a file that was written again", "other")
	w.source.State.Asked = true
	w.is("asked for", "other")
}

func TestAFullSourceTakesItsLatestFileOver(t *testing.T) {
	w := newWorld(t)
	w.source.Settings.Mode = operator.SourceFull
	w.put("1.csv", "old", 1)
	w.put("2.csv", "new", 2)
	w.is("the latest", "new")
	w.is("and not the one before", "")
}

func TestAFileThatIsBeingWrittenIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.put("a.csv", "beg", 1)
	go func() {
		time.Sleep(5 * time.Millisecond)
		w.put("a.csv", "begun and", 2)
	}()
	w.is("while it is written", "")
	w.put("a.csv", "begun and ended", 3)
	w.is("when it is written", "begun and ended")
}

func TestNoFolderOutsideIsRead(t *testing.T) {
	w := newWorld(t)
	other := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(other, "secret.csv"), []byte("secret"), 0o600), os.Symlink(other, filepath.Join(w.root, "link"))); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"link", "../" + filepath.Base(other), "missing"} {
		w.source.Settings.Folder = folder
		w.is(folder, "(the folder cannot be read)")
	}
	w.options.Root = ""
	w.is("no folder at all", "(this server has no folder for sources: see --import-folder)")
}

func TestAnAddressIsAskedWhetherItsFileChanged(t *testing.T) {
	w := newWorld(t)
	answer := func(http.ResponseWriter, *http.Request) {}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { answer(out, r) }))
	defer server.Close()
	w.source.Settings.Folder, w.source.Settings.URL = "", strings.Replace(server.URL, "http://", "http://user:pa55word@", 1)+"/feed.xml?key=pa55word"
	answer = func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("ETag", `"1"`)
		out.Header().Set("Last-Modified", "Wed, 16 Sep 2026 08:30:00 GMT")
		if r.Header.Get("If-None-Match") == `"1"` && r.Header.Get("If-Modified-Since") != "" {
			out.WriteHeader(http.StatusNotModified)
			return
		}
		if user, _, _ := r.BasicAuth(); user != "user" {
			t.Error("it does not sign in")
		}
		_, _ = out.Write([]byte("feed"))
	}
	w.is("the first time", "feed")
	w.is("not modified", "")
	w.source.State.Asked = true
	w.is("asked for", "feed")
	answer = func(out http.ResponseWriter, _ *http.Request) {
		http.Error(out, "<html>", http.StatusServiceUnavailable)
	}
	w.is("an error", "(the server answers 503 Service Unavailable)")
	answer = func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Length", "9")
		_, _ = out.Write([]byte("feed"))
	}
	w.is("a file that breaks off", "(the file did not come to its end)")
	server.Close()
	if got := w.takes(); !strings.HasPrefix(got, "(the server was not reached: ") || strings.Contains(got, "pa55word") {
		t.Errorf("nobody there: %s", got)
	}
	w.options.Insecure = false
	w.is("without https", "(the url does not begin with https://)")
	ended, end := context.WithCancel(t.Context())
	end()
	w.options.Insecure = true
	if _, err := w.Look(ended, w.source); !errors.Is(err, context.Canceled) {
		t.Errorf("when the server stops: %v", err)
	}
}
