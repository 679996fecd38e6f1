package s3_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/vitrine-crm/vitrine/adapters/s3"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// server is an S3 server in this process with one bucket, "photos".
func server(t testing.TB) (endpoint string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("photos"); err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(listening.Close)
	return listening.URL
}

func withKeys(t *testing.T) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
}

func open(t testing.TB, address string) *s3.Bucket {
	t.Helper()
	b, err := s3.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBlobs(t *testing.T) {
	withKeys(t)
	for _, prefix := range []string{"", "/a/prefix/"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			porttest.Blobs(t, time.Now, func(t testing.TB) port.Blobs {
				return open(t, "s3://photos"+prefix+"?region=us-east-1&endpoint="+server(t))
			})
		})
	}
}

func TestPrefixesAreApart(t *testing.T) {
	withKeys(t)
	address := "?region=us-east-1&endpoint=" + server(t)
	one, another := open(t, "s3://photos/one"+address), open(t, "s3://photos/one-more"+address)
	if err := one.Put(t.Context(), "1/2/3", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for found, err := range another.All(t.Context()) {
		t.Errorf("a bucket below another prefix has %s (%v)", found.Key, err)
	}
	if _, err := another.Open(t.Context(), "1/2/3"); err == nil {
		t.Error("a bucket below another prefix opens it")
	}
}

func TestABucketThatCannotBeIsRefused(t *testing.T) {
	withKeys(t)
	for address, want := range map[string]string{
		"file:///x": "named as in", "s3://": "named as in", "s3://photos?endpoint=s3.example.org": "the endpoint",
		"s3://other?region=us-east-1&endpoint=" + server(t): "there is no bucket other",
	} {
		if _, err := s3.Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
