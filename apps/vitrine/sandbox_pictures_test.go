package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	_ "image/png" // logos
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp" // portraits and pictures

	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// startedSandbox runs a sandbox on a port that the system chooses until the test ends, and returns
// the domain that its welcome names.
func startedSandbox(t *testing.T) string {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "welcome"))
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = out
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	database := filepath.Join(t.TempDir(), "sandbox.db")
	go func() {
		ended <- run(ctx, []string{"sandbox", "--listen=127.0.0.1:0", "--database=" + database, "--log-level=error"})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		os.Stdout = stdout
		out.Close()
	})
	start := regexp.MustCompile(`start +(http://127\.0\.0\.1:\d+)/\n`)
	for range 1200 {
		text, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		if found := start.FindSubmatch(text); found != nil {
			return string(found[1])
		}
		select {
		case err := <-ended:
			ended <- nil
			t.Fatalf("it ended: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("it does not start within a minute")
	return ""
}

// answered returns the body of a good answer, and its type.
func answered(t *testing.T, request *http.Request) (body []byte, contentType string) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s", request.URL, response.Status, body)
	}
	return body, response.Header.Get("Content-Type")
}

func requested(t *testing.T, method, address, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// each calls yield with every text of a name in a JSON value.
func each(value any, yield func(name, text string)) {
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			if text, ok := v.(string); ok {
				yield(name, text)
			}
			each(v, yield)
		}
	case []any:
		for _, v := range value {
			each(v, yield)
		}
	}
}

func TestEveryLogoAndPortraitOfTheSandboxAnswers(t *testing.T) {
	domain := startedSandbox(t)
	mustLoad := func(address string) {
		t.Helper()
		if !strings.HasPrefix(address, domain+"/photos/") {
			t.Fatalf("%q is not of %s", address, domain)
		}
		body, contentType := answered(t, requested(t, http.MethodGet, address, ""))
		_, _, err := image.Decode(bytes.NewReader(body))
		if err != nil || !strings.HasPrefix(contentType, "image/") {
			t.Fatalf("%s, %s: %v", address, contentType, err)
		}
	}
	for _, site := range []string{"1", "2"} {
		sign := requested(t, http.MethodPost, domain+"/api/client/token/site", "site_id="+site)
		sign.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		sign.SetBasicAuth("sandbox-group", "sandbox-group-secret")
		body, _ := answered(t, sign)
		var token struct {
			Token string `json:"access_token"`
		}
		if err := json.Unmarshal(body, &token); err != nil {
			t.Fatal(err)
		}
		loaded := map[string]int{}
		for _, path := range []string{"/agencies", "/users"} {
			request := requested(t, http.MethodGet, domain+kernel.BasePath+path, "")
			request.Header.Set("Authorization", "Bearer "+token.Token)
			var list any
			if body, _ := answered(t, request); json.Unmarshal(body, &list) != nil {
				t.Fatalf("%s: %s", path, body)
			}
			each(list, func(name, text string) {
				if name == "logo_url" || name == "photo_url" {
					mustLoad(text)
					loaded[name]++
				}
			})
		}
		if loaded["logo_url"] == 0 || loaded["photo_url"] < 3 {
			t.Errorf("site %s has %v", site, loaded)
		}
	}
}

// The front page of a website shows the six newest listings of its site.
func TestTheNewestListingsOfTheSandboxHaveSixPictures(t *testing.T) {
	described, err := setup.Decode(strings.NewReader(sandboxSetup))
	if err != nil {
		t.Fatal(err)
	}
	addPictures(described, func() {})
	for _, site := range described.Sites {
		var onWeb []transfer.SetupProduct
		for _, p := range site.Products {
			if p.WebStatus {
				onWeb = append(onWeb, p)
			}
			if few := len(p.Pictures); few == 0 || !p.WebStatus && few > 1 {
				t.Errorf("product %s has %d pictures", p.Model, few)
			}
		}
		slices.SortFunc(onWeb, func(a, b transfer.SetupProduct) int { return b.DateAdded.Compare(a.DateAdded) })
		for n, p := range onWeb {
			if many := len(p.Pictures) == demo.ManyPictures; many != (n < 6) {
				t.Errorf("site %d: number %d on the web, product %s, has %d pictures", site.ID, n+1, p.Model, len(p.Pictures))
			}
		}
	}
}

func TestEqualFilesAreCleanedOnce(t *testing.T) {
	of := demo.Property{Kind: "Maison", Reference: "A-1"}
	counted := &countedCleans{Images: images.New(images.Options{})}
	once := &cleanedOnce{Images: counted}
	for range 3 {
		clean, err := once.Clean(t.Context(), bytes.NewReader(demo.Outside(of).WebP), product.MaxPicturePixels)
		if err != nil || clean.Width != 1600 || clean.ContentType != "image/webp" {
			t.Errorf("%d wide, %s: %v", clean.Width, clean.ContentType, err)
		}
	}
	if _, err := once.Clean(t.Context(), strings.NewReader("no picture"), product.MaxPicturePixels); err == nil || counted.n != 2 {
		t.Errorf("%d files were cleaned: %v", counted.n, err)
	}
}

type countedCleans struct {
	port.Images
	n int
}

func (c *countedCleans) Clean(ctx context.Context, file io.ReadSeeker, maxPixels int) (port.Image, error) {
	c.n++
	return c.Images.Clean(ctx, file, maxPixels)
}
