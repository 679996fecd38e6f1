package wire

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// photosFact names the owner of a database's pictures; ownerKey is where a place of
// pictures names its owner.
const (
	photosFact = "photos"
	ownerKey   = "owner"
)

// standing is whose a place of pictures is, as an owner of pictures sees it.
type standing uint8

const (
	// free: it names nobody.
	free standing = iota
	// ours: it is the owner's.
	ours
	// ofSandbox: one sandbox left it behind, and another one asks.
	ofSandbox
	// foreign: it belongs to another database.
	foreign
)

var errForeignPlace = errors.New("the pictures there belong to another database")

// standingOf returns whose a place is.
func standingOf(ctx context.Context, place port.Blobs, owner string) (standing, error) {
	named, err := readOwner(ctx, place)
	switch {
	case errors.Is(err, fault.NotFound):
		return free, nil
	case err != nil:
		return foreign, err
	case named == owner:
		return ours, nil
	case isSandbox(named) && isSandbox(owner):
		return ofSandbox, nil
	}
	return foreign, nil
}

// claim makes a place that is nobody's the database's own. A place that a
// sandbox left behind is emptied for the next sandbox.
func claim(ctx context.Context, place port.Blobs, store *sqlstore.Store) error {
	owner, err := photosOwner(ctx, store)
	if err != nil {
		return err
	}
	whose, err := standingOf(ctx, place, owner)
	if err != nil || whose == ours {
		return err
	}
	if whose == foreign {
		return errForeignPlace
	}
	if whose == ofSandbox {
		if err := empty(ctx, place); err != nil {
			return err
		}
	}
	return place.Put(ctx, ownerKey, []byte(owner))
}

// checkOwner reports a place that belongs to another database. It changes nothing.
func checkOwner(ctx context.Context, place port.Blobs, store *sqlstore.Store) error {
	owner, err := store.Meta(ctx, photosFact)
	if err != nil && !errors.Is(err, fault.NotFound) {
		return err
	}
	whose, err := standingOf(ctx, place, owner)
	if err == nil && whose == foreign {
		err = errForeignPlace
	}
	return err
}

// vacate marks a place that is empty, or was the owner's, for what is restored into it.
func vacate(ctx context.Context, place port.Blobs, owner string) error {
	whose, err := standingOf(ctx, place, owner)
	if err != nil || whose == ours {
		return err
	}
	if whose != free {
		return errForeignPlace
	}
	for _, err := range place.All(ctx) {
		if err == nil {
			err = errors.New("there are files that do not belong to the backup")
		}
		return err
	}
	return place.Put(ctx, ownerKey, []byte(owner))
}

// empty removes everything.
func empty(ctx context.Context, place port.Blobs) error {
	for blob, err := range place.All(ctx) {
		if err != nil {
			return err
		}
		if err := place.Delete(ctx, blob.Key); err != nil {
			return err
		}
	}
	return nil
}

func isSandbox(owner string) bool { return strings.HasPrefix(owner, SandboxEnvironment+" ") }

// photosOwner returns what the places of a database say: its environment, and a name
// it was given once.
func photosOwner(ctx context.Context, store *sqlstore.Store) (string, error) {
	fresh, err := access.NewSecret(rand.Reader)
	if err != nil {
		return "", err
	}
	environment, err := Environment(ctx, store)
	if err != nil {
		return "", err
	}
	return store.EnsureMeta(ctx, photosFact, environment+" "+fresh)
}

func readOwner(ctx context.Context, place port.Blobs) (string, error) {
	r, err := place.Open(ctx, ownerKey)
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, 1024))
	return string(text), err
}
