package sqlstore

import (
	"database/sql/driver"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/access"
)

var credentials = mapping[access.Credential]{
	table: "credential",
	keys:  []string{"id"},
	row: func(c *access.Credential) row {
		return row{
			{"id", text(&c.ID)}, {"name", text(&c.Name)}, {"secret", text(&c.Secret)}, {"sites", document(&c.Sites)},
			{"packs", packNames{&c.Packs}}, {"permissions", document(&c.Permissions)}, {"rights", document(&c.Rights)},
			{"disabled", &c.Disabled}, {"added_at", instant(&c.Added)}, {"revoked_at", instant(&c.RevokedAt)},
		}
	},
}

// packNames is a column of packs by their names, which outlive their bits.
type packNames struct{ p *access.Packs }

func (c packNames) Value() (driver.Value, error) {
	b, err := json.Marshal(c.p.Names())
	return string(b), err
}

func (c packNames) Scan(src any) error {
	var names []string
	if err := document(&names).Scan(src); err != nil {
		return err
	}
	*c.p = 0
	for _, name := range names {
		pack, err := access.ParsePack(name)
		if err != nil {
			return err
		}
		*c.p |= pack
	}
	return nil
}

type credentialRole struct{ *tx }

func (r credentialRole) Get(id access.CredentialID) (access.Credential, error) {
	return one(r.tx, credentials, r.store.text(credentials.find("id = ?")), string(id))
}

// All sorts in Go: engines sort text by rules of their own.
func (r credentialRole) All() ([]access.Credential, error) {
	found, err := list(r.tx, credentials, r.store.text(credentials.find("1 = 1")))
	slices.SortFunc(found, func(a, b access.Credential) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return found, err
}

func (r credentialRole) Put(c access.Credential) error { return put(r.tx, credentials, c) }

var tokens = mapping[access.Token]{
	table: "token",
	keys:  []string{"hash"},
	row: func(t *access.Token) row {
		return row{
			{"hash", text(&t.Hash)}, {"family_id", whole(&t.Family)}, {"credential_id", text(&t.Credential)},
			{"site_id", whole(&t.Site)}, {"refresh", &t.Refresh}, {"parent_hash", text(&t.Parent)},
			{"issued_at", instant(&t.Issued)}, {"expires_at", instant(&t.Expires)}, {"rotated_at", instant(&t.Rotated)},
			{"pairs", whole(&t.Pairs)}, {"succeeded", &t.Succeeded}, {"revoked", &t.Revoked},
		}
	},
}

var families = mapping[access.Family]{
	table: "token_family",
	keys:  []string{"id"},
	row: func(f *access.Family) row {
		return row{
			{"id", whole(&f.ID)}, {"credential_id", text(&f.Credential)}, {"site_id", whole(&f.Site)},
			{"started_at", instant(&f.Started)}, {"revoked", &f.Revoked},
		}
	},
}

type tokenRole struct{ *tx }

func (r tokenRole) Get(hash access.Hash) (access.Token, error) {
	return one(r.tx, tokens, r.store.hot.tokenGet, string(hash))
}

func (r tokenRole) Put(t access.Token) error {
	_, err := write(r.tx, tokens, r.store.hot.tokenPut, t)
	return err
}

func (r tokenRole) Family(id access.FamilyID) (access.Family, error) {
	statement := r.store.hot.familyGet
	if r.writes {
		statement = r.store.hot.familyHeld
	}
	return one(r.tx, families, statement, int64(id))
}

func (r tokenRole) PutFamily(f access.Family) error {
	_, err := write(r.tx, families, r.store.hot.familyPut, f)
	return err
}

func (r tokenRole) Purge(before time.Time, n int) (int, error) {
	left, err := r.numbers(r.store.text(squirrel.Delete("token").
		Where("hash IN (SELECT hash FROM token WHERE expires_at < ? ORDER BY expires_at, hash LIMIT ?)").
		Suffix("RETURNING family_id")), micros(before), max(n, 0))
	if err != nil || len(left) == 0 {
		return 0, err
	}
	_, err = r.exec(r.store.text(squirrel.Delete("token_family").Where("id "+r.store.dialect.Among).
		Where("NOT EXISTS (SELECT 1 FROM token WHERE token.family_id = token_family.id)")), r.store.dialect.Numbers(left))
	return len(left), err
}
