package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/archive"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
	core "github.com/vitrine-crm/vitrine/core/port/archive"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

const id site.ID = 7

func keys(t testing.TB, n byte) archive.Keys {
	t.Helper()
	k, err := archive.NewKeys(bytes.Repeat([]byte{n}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

const hashKey = "the key of the hashes"

// written is the archive of a store.
func written(t testing.TB, store port.Store, blobs port.Blobs, compressed bool) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := archive.NewWriter(&file, id, keys(t, 1), hashKey, compressed)
	if err == nil {
		_, err = core.Export(context.Background(), store, blobs, id, w, func(core.Summary) {})
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func opened(content []byte, k archive.Keys) (*archive.File, error) {
	return archive.Open(context.Background(), bytes.NewReader(content), k)
}

// sample is a site with something of everything, two pictures among it.
func sample(t testing.TB) (port.Store, port.Blobs) {
	t.Helper()
	store, blobs := memstore.New(), memstore.NewBlobs(func() time.Time { return time.Unix(1, 0) })
	porttest.FillSite(t, store, id)
	p := product.Product{ID: 50, Site: id, Reference: "with pictures"}
	for n, content := range []string{"one picture", "another picture"} {
		sum := sha256.Sum256([]byte(content))
		q := product.Picture{ID: product.PictureID(n + 1), SHA256: hex.EncodeToString(sum[:])}
		p.Pictures = append(p.Pictures, q)
		if err := blobs.Put(context.Background(), p.PictureKey(q), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Update(context.Background(), func(tx port.Tx) error { return tx.Products().Add(p) }); err != nil {
		t.Fatal(err)
	}
	return store, blobs
}

func TestAnArchiveOfWhatWasImportedIsTheSameBytes(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		store, blobs := sample(t)
		first := written(t, store, blobs, compressed)
		if !bytes.Equal(first, written(t, store, blobs, compressed)) {
			t.Error("the same site makes other bytes")
		}
		f, err := opened(first, keys(t, 1))
		if err != nil {
			t.Fatal(err)
		}
		if records, pictures := f.Size(); f.Site() != id || f.HashKey() != hashKey || records < 20 || pictures != 2 {
			t.Errorf("site %d, key %q, %d records, %d pictures", f.Site(), f.HashKey(), records, pictures)
		}
		other, elsewhere := memstore.New(), memstore.NewBlobs(time.Now)
		if _, err := core.Import(t.Context(), other, elsewhere, f, func(port.Tx) error { return nil }, func(core.Summary) {}); err != nil {
			t.Fatal(err)
		}
		if second := written(t, other, elsewhere, compressed); !bytes.Equal(first, second) {
			t.Errorf("%d bytes and then %d others", len(first), len(second))
		}
	}
}

// files are the names and contents of what is in an archive, as tar has them.
func files(t testing.TB, content []byte) (names []string, contents map[string]string) {
	t.Helper()
	contents = map[string]string{}
	for r := tar.NewReader(bytes.NewReader(content)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names, contents
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(time.Unix(0, 0)) || h.Uid+h.Gid != 0 || h.Uname+h.Gname != "" {
			t.Errorf("%s tells when and by whom it was made: %+v", h.Name, h)
		}
		names, contents[h.Name] = append(names, h.Name), string(b)
	}
}

func TestAnArchiveIsJSONLinesAndPicturesInOneFile(t *testing.T) {
	store, blobs := sample(t)
	names, contents := files(t, written(t, store, blobs, false))
	if names[0] != "manifest.json" || names[len(names)-1] != "end.json" {
		t.Errorf("the files are %q", names)
	}
	pictures := 0
	for name, content := range contents {
		switch {
		case strings.HasPrefix(name, "pictures/"):
			pictures++
			sum := sha256.Sum256([]byte(content))
			if name != "pictures/"+hex.EncodeToString(sum[:]) {
				t.Errorf("%s is %q", name, content)
			}
		default:
			for line := range strings.Lines(content) {
				if object := map[string]any{}; json.Unmarshal([]byte(line), &object) != nil || !strings.HasSuffix(line, "\n") {
					t.Errorf("%s: %q", name, line)
				}
			}
		}
	}
	if pictures != 2 {
		t.Errorf("%d pictures in %q", pictures, names)
	}
}

// TestNoSecretIsInAnArchiveInClear: headers, URLs and secrets of webhooks, and the
// key of the hashes.
func TestNoSecretIsInAnArchiveInClear(t *testing.T) {
	store := memstore.New()
	const secret = "nobody-may-read-this"
	if err := store.Update(t.Context(), func(tx port.Tx) error {
		delivery := webhook.Delivery{ID: 1, Site: id, Hook: 1, Status: webhook.Succeeded}
		return errors.Join(
			tx.Sites().Put(site.Site{ID: id}),
			tx.Webhooks().Put(webhook.Webhook{ID: 1, Site: id, URL: "https://x/?" + secret, Headers: map[string]string{secret: secret}}),
			tx.Signings().Put(id, 1, webhook.Signing{Current: secret, Previous: secret}),
			tx.WebhookAuths().Put(webhook.Auth{ID: 1, Site: id, TokenURL: secret, Secret: secret}),
			tx.Deliveries().Add([]webhook.Delivery{delivery}),
			tx.Deliveries().Settle([]webhook.Settled{{Delivery: delivery, Attempt: &webhook.Attempt{Number: 1, URL: secret}}}),
		)
	}); err != nil {
		t.Fatal(err)
	}
	content := written(t, store, nil, false)
	for _, hidden := range []string{secret, hashKey} {
		if bytes.Contains(content, []byte(hidden)) {
			t.Errorf("%q is in the archive", hidden)
		}
	}
	if _, err := opened(content, keys(t, 1)); err != nil {
		t.Error(err)
	}
	if _, err := opened(content, keys(t, 2)); err == nil || !strings.Contains(err.Error(), "another secret key") {
		t.Errorf("with another key: %v", err)
	}
	if text := fmt.Sprintf("%v %+v %#v", keys(t, 1), keys(t, 1), keys(t, 1)); strings.Contains(text, "mac") {
		t.Errorf("keys show: %s", text)
	}
}

func TestEqualSecretsLookDifferentInDifferentPlaces(t *testing.T) {
	store := memstore.New()
	if err := store.Update(t.Context(), func(tx port.Tx) error {
		return errors.Join(
			tx.Sites().Put(site.Site{ID: id}),
			tx.Webhooks().Put(webhook.Webhook{ID: 1, Site: id, URL: "https://x"}), tx.Webhooks().Put(webhook.Webhook{ID: 2, Site: id, URL: "https://x"}),
		)
	}); err != nil {
		t.Fatal(err)
	}
	_, contents := files(t, written(t, store, nil, false))
	seen := map[string]bool{}
	for name, content := range contents {
		if !strings.Contains(name, "webhooks") {
			continue
		}
		for line := range strings.Lines(content) {
			var hook struct{ URL string }
			if err := json.Unmarshal([]byte(line), &hook); err != nil || hook.URL == "" || seen[hook.URL] {
				t.Errorf("%v: %q", err, line)
			}
			seen[hook.URL] = true
		}
	}
	if len(seen) != 2 {
		t.Errorf("%d webhooks", len(seen))
	}
}

// content is what an archive says, by handing it all over.
type content struct{ Said []any }

func (c *content) Records(k core.Kind, records []any) error {
	c.Said = append(c.Said, k.Name, slices.Clone(records))
	return nil
}

func (c *content) Picture(sha256 string, b []byte) error {
	c.Said = append(c.Said, sha256, string(b))
	return nil
}

func said(file []byte, k archive.Keys) (c content, err error) {
	f, err := opened(file, k)
	if err == nil {
		err = f.Each(context.Background(), &c)
	}
	return c, err
}

// TestADamagedArchiveIsRefused: any change of bytes, wherever, is noticed before
// anything is done; but for bytes that tar gives no meaning to.
func TestADamagedArchiveIsRefused(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		store, blobs := sample(t)
		whole := written(t, store, blobs, compressed)
		k := keys(t, 1)
		want, err := said(whole, k)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			damaged := slices.Clone(whole)
			switch rapid.SampledFrom([]string{"flip", "cut", "add", "remove", "swap"}).Draw(t, "damage") {
			case "flip":
				damaged[rapid.IntRange(0, len(whole)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
			case "cut":
				damaged = damaged[:rapid.IntRange(0, len(whole)-1).Draw(t, "to")]
			case "add":
				damaged = append(damaged, rapid.SliceOfN(rapid.Byte(), 1, 600).Draw(t, "more")...)
			case "remove":
				from := rapid.IntRange(0, len(whole)-1).Draw(t, "from")
				damaged = slices.Delete(damaged, from, min(from+rapid.IntRange(1, 2000).Draw(t, "length"), len(damaged)))
			case "swap": // blocks of tar, which have no sum of their own
				a, b := 512*rapid.IntRange(0, len(whole)/512-1).Draw(t, "a"), 512*rapid.IntRange(0, len(whole)/512-1).Draw(t, "b")
				if a == b {
					return
				}
				copy(damaged[a:a+512], whole[b:b+512])
				copy(damaged[b:b+512], whole[a:a+512])
			}
			if got, err := said(damaged, k); err == nil && cmp.Diff(want, got) != "" {
				t.Fatal("a damaged archive is read as another one")
			} else if err == nil && len(damaged) != len(whole) {
				t.Fatal("an archive that is too long or too short is read")
			}
		})
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	store := memstore.New()
	if err := store.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id}) }); err != nil {
		t.Fatal(err)
	}
	for _, compressed := range []bool{false, true} {
		whole := written(t, store, nil, compressed)
		k := keys(t, 1)
		for n := range whole {
			if _, err := opened(whole[:n], k); err == nil {
				t.Errorf("%d of %d bytes are read", n, len(whole))
			}
		}
	}
}

// forged is an archive whose files somebody changed who has no key.
func forged(t testing.TB, whole []byte, change func(name, content string) string) []byte {
	t.Helper()
	names, contents := files(t, whole)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		content := change(name, contents[name])
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o600, Format: tar.FormatUSTAR}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatIsNoArchiveOfThisVersionIsRefused(t *testing.T) {
	store, blobs := sample(t)
	whole := written(t, store, blobs, false)
	in := func(file, old, fresh string) []byte {
		return forged(t, whole, func(name, content string) string {
			if strings.Contains(name, file) {
				return strings.Replace(content, old, fresh, 1)
			}
			return content
		})
	}
	if _, err := opened(in("nowhere", "", ""), keys(t, 1)); err != nil {
		t.Fatalf("an archive that is only packed again: %v", err)
	}
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"nothing":            {nil, "no archive of Vitrine"},
		"text":               {[]byte("site;agency\n1;2\n"), "no archive of Vitrine"},
		"zeros":              {make([]byte, 4096), "no archive of Vitrine"},
		"another tar file":   {in("manifest.json", "vitrine-archive", "another"), "no archive of Vitrine"},
		"a later version":    {in("manifest.json", `"version":1`, `"version":2`), "version 2 of the schema, and this program reads version 1"},
		"another site":       {in("manifest.json", `"site":7`, `"site":8`), "damaged"},
		"a field more":       {in("customers", `{"id"`, `{"shoe_size":43,"id"`), `this program does not know the field "shoe_size"`},
		"a field within":     {in("customers", `"emails":[{"id"`, `"emails":[{"shoe_size":43,"id"`), `does not know the field "shoe_size"`},
		"an altered record":  {in("customers", `Noël`, `Joël`), "damaged"},
		"no JSON":            {in("customers", `{"id"`, `{id`), "damaged"},
		"two values":         {in("customers", "\n", " {}\n"), "damaged"},
		"text for a number":  {in("customers", `"agency":1`, `"agency":"1"`), "damaged"},
		"a secret in clear":  {in("webhooks", `"url":"`, `"url":"https://x`), "damaged"},
		"an altered picture": {in("pictures/", "picture", "Picture"), "damaged"},
		"other counts":       {in("end.json", `"pictures":2`, `"pictures":3`), "damaged"},
	} {
		if _, err := opened(c.content, keys(t, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	renamed := bytes.ReplaceAll(whole, []byte("-customers.jsonl"), []byte("-costumers.jsonl"))
	if _, err := opened(renamed, keys(t, 1)); err == nil {
		t.Error("a kind nobody knows is read")
	}
}

func TestCompressionIsToldByTheContent(t *testing.T) {
	store, blobs := sample(t)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(written(t, store, blobs, false)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	if _, err := opened(b.Bytes(), keys(t, 1)); err != nil {
		t.Error(err)
	}
}

func TestAnEndedContextEndsReading(t *testing.T) {
	store, blobs := sample(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := archive.Open(ctx, bytes.NewReader(written(t, store, blobs, false)), keys(t, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestEveryRecordComesBack: whatever the fields of a record hold, an archive gives
// it back.
func TestEveryRecordComesBack(t *testing.T) {
	for _, k := range core.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			key := keys(t, 1)
			rapid.Check(t, func(t *rapid.T) {
				var records []any
				for range rapid.IntRange(1, 3).Draw(t, "records") {
					v := reflect.New(k.Record).Elem()
					draw(t, v)
					records = append(records, v.Interface())
				}
				var file bytes.Buffer
				w, err := archive.NewWriter(&file, id, key, "", false)
				if err = errors.Join(err, w.Records(k, records), w.Close()); err != nil {
					t.Fatal(err)
				}
				c, err := said(file.Bytes(), key)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff([]any{k.Name, records}, c.Said, cmpopts.EquateEmpty()); d != "" {
					t.Fatalf("(-before +after)\n%s", d)
				}
			})
		})
	}
}

var awkward = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "<&>\u2028\"\\", "\x7f\u0000", "é"}))

// draw fills a value at random, as no rule of the trade would have it.
func draw(t *rapid.T, v reflect.Value) {
	switch into := v.Addr().Interface().(type) {
	case *time.Time:
		if rapid.Bool().Draw(t, "never") {
			return
		}
		*into = time.Unix(rapid.Int64Range(-1e10, 1e11).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond")).UTC()
		return
	case *site.ID:
		*into = id
		return
	case *calendar.Day:
		*into = calendar.Day(rapid.IntRange(0, int(calendar.Last)).Draw(t, "day"))
		return
	case *letting.Quarter:
		*into = letting.Quarter(rapid.IntRange(0, 4*9999+3).Draw(t, "quarter"))
		return
	case *slot.Clock:
		*into = slot.Clock(rapid.IntRange(0, int(slot.EndOfDay)).Draw(t, "clock"))
		return
	case *webhook.State:
		*into = rapid.SampledFrom([]webhook.State{webhook.Active, webhook.Suspended}).Draw(t, "state")
		return
	case *webhook.Status:
		*into = webhook.Status(rapid.IntRange(0, int(webhook.Statuses)-1).Draw(t, "status"))
		return
	case *access.Packs:
		*into = access.Packs(rapid.IntRange(0, int(access.AllPacks)).Draw(t, "packs"))
		return
	case *criteria.Type:
		*into = rapid.SampledFrom(append(criteria.Types(), 0)).Draw(t, "type")
		return
	case *criteria.Operator:
		*into = criteria.Operator(rapid.IntRange(0, int(criteria.NE_COMPREND_PAS)).Draw(t, "operator"))
		return
	case *criteria.Value:
		*into = value(t)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(awkward.Draw(t, "text"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "number"))
	case reflect.Float64:
		v.SetFloat(number(t))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "known") {
			v.Set(reflect.New(v.Type().Elem()))
			draw(t, v.Elem())
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "items")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			draw(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			key, held := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			draw(t, key)
			draw(t, held)
			v.SetMapIndex(key, held)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			draw(t, field)
		}
	default:
		t.Fatalf("say how to draw a %s", v.Type())
	}
}

func number(t *rapid.T) float64 {
	return rapid.Float64().Filter(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) && (f != 0 || !math.Signbit(f)) }).Draw(t, "number")
}

func value(t *rapid.T) criteria.Value {
	day := time.Date(rapid.IntRange(0, 9999).Draw(t, "year"), 2, 29, 0, 0, 0, 0, time.UTC)
	return rapid.SampledFrom([]criteria.Value{
		criteria.Unique(awkward.Draw(t, "code")), criteria.Number(number(t)), criteria.Flag(rapid.Bool().Draw(t, "flag")),
		criteria.Text(awkward.Draw(t, "text")), criteria.Multiple(rapid.SliceOfN(awkward, 0, 3).Draw(t, "codes")),
		criteria.Date{At: day}, criteria.Date{At: day, Timed: true}, criteria.Date{At: day.Add(time.Microsecond), Timed: true},
	}).Draw(t, "value")
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	for name, record := range map[string]any{
		"text that is none":   site.Site{ID: id, Name: "\xff"},
		"a number that is no": product.Product{ID: 1, Criteria: criteria.Values{"Prix": criteria.Number(math.NaN())}},
		"a missing value":     product.Product{ID: 1, Criteria: criteria.Values{"Prix": nil}},
	} {
		kind := "site"
		if reflect.TypeOf(record) == reflect.TypeFor[product.Product]() {
			kind = "products"
		}
		k, _ := core.KindOf(kind)
		w, err := archive.NewWriter(io.Discard, id, keys(t, 1), "", false)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Records(k, []any{record}); err == nil {
			t.Errorf("%s is written", name)
		}
	}
}

// TestTheSchemaIsDescribed: docs/archive.md has a word on every kind.
func TestTheSchemaIsDescribed(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "archive.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range core.Kinds() {
		if !bytes.Contains(page, []byte("`"+k.Name+"`")) {
			t.Errorf("docs/archive.md does not say what %s are", k.Name)
		}
	}
	if !bytes.Contains(page, []byte(fmt.Sprintf(`"version":%d`, archive.Version))) {
		t.Errorf("docs/archive.md describes another version than %d", archive.Version)
	}
}
