// Package s3 keeps blobs in a bucket of Amazon S3, or of another service with
// the same protocol.
package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Bucket is a port.Blobs: a bucket, or what is below a prefix in one.
//
// It has functions instead of the client: templates call methods by their names, so the
// linker keeps every exported method of each type that an interface leads to. Those of the
// client, for policies, replication and more, are 1 MB that nothing calls.
type Bucket struct {
	put    func(ctx context.Context, key string, content []byte) error
	open   func(ctx context.Context, key string) (io.ReadSeekCloser, error)
	remove func(ctx context.Context, key string) error
	all    func(ctx context.Context) iter.Seq2[port.Blob, error]
}

var _ port.Blobs = (*Bucket)(nil)

// Put implements port.Blobs.
func (b *Bucket) Put(ctx context.Context, key string, content []byte) error {
	return b.put(ctx, key, content)
}

// Open implements port.Blobs.
func (b *Bucket) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	return b.open(ctx, key)
}

// Delete implements port.Blobs.
func (b *Bucket) Delete(ctx context.Context, key string) error { return b.remove(ctx, key) }

// All implements port.Blobs.
func (b *Bucket) All(ctx context.Context) iter.Seq2[port.Blob, error] { return b.all(ctx) }

// bucket is what a Bucket does, by a client.
type bucket struct {
	client *minio.Client
	name   string
	prefix string // empty, or with a slash at its end
}

// Open finds the bucket that a URL names:
//
//	s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-west-3
//
// Without an endpoint it is Amazon's. Credentials come from AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN in the environment, or from the
// machine it runs on. The bucket must exist.
func Open(ctx context.Context, address string) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return nil, errors.New("a bucket is named as in s3://bucket/prefix")
	}
	endpoint, err := url.Parse(u.Query().Get("endpoint"))
	if err != nil || endpoint.Host == "" && u.Query().Has("endpoint") {
		return nil, errors.New("the endpoint of a bucket is a URL, such as https://s3.example.org")
	}
	if endpoint.Host == "" {
		endpoint = &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:  credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.IAM{}}),
		Secure: endpoint.Scheme == "https", Region: u.Query().Get("region"),
	})
	if err != nil {
		return nil, err
	}
	b := &bucket{client: client, name: u.Host}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		b.prefix = prefix + "/"
	}
	switch exists, err := client.BucketExists(ctx, b.name); {
	case err != nil:
		return nil, fmt.Errorf("looking for the bucket %s: %w", b.name, err)
	case !exists:
		return nil, fmt.Errorf("there is no bucket %s at %s", b.name, endpoint.Host)
	}
	return &Bucket{put: b.put, open: b.open, remove: b.remove, all: b.all}, nil
}

func (b *bucket) put(ctx context.Context, key string, content []byte) error {
	_, err := b.client.PutObject(ctx, b.name, b.prefix+key, bytes.NewReader(content), int64(len(content)),
		minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true})
	return failed(ctx, err)
}

func (b *bucket) open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	object, err := b.client.GetObject(ctx, b.name, b.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, failed(ctx, err)
	}
	if _, err := object.Stat(); err != nil {
		return nil, errors.Join(failed(ctx, err), object.Close())
	}
	return object, nil
}

func (b *bucket) remove(ctx context.Context, key string) error {
	err := failed(ctx, b.client.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{}))
	if errors.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

func (b *bucket) all(ctx context.Context) iter.Seq2[port.Blob, error] {
	return func(yield func(port.Blob, error) bool) {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		for object := range b.client.ListObjectsIter(inner, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
			if object.Err != nil {
				yield(port.Blob{}, failed(ctx, object.Err))
				return
			}
			if !yield(port.Blob{Key: strings.TrimPrefix(object.Key, b.prefix), Size: object.Size, Modified: object.LastModified}, nil) {
				return
			}
		}
		if ctx.Err() != nil {
			yield(port.Blob{}, ctx.Err())
		}
	}
}

// failed puts an error of the bucket into the terms of the port.
func failed(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case minio.ToErrorResponse(err).StatusCode == http.StatusNotFound:
		return fmt.Errorf("%w: %w", fault.NotFound, err)
	}
	return fmt.Errorf("%w: %w", fault.Unavailable, err)
}
