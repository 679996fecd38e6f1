package sqlstore

import (
	"cmp"
	"database/sql/driver"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

var credentials = mapping[access.Credential]{
	table: "credential",
	keys:  []string{"id"},
	row: func(c *access.Credential) row {
		return row{
			{"id", text(&c.ID)}, {"name", text(&c.Name)}, {"secret", text(&c.Secret)}, {"sites", document(&c.Sites)},
			{"former_secret", text(&c.Former.Hash)}, {"former_until", instant(&c.Former.Until)},
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

// holding is the statement of a read, which in a unit that writes holds what it finds.
func (t *tx) holding(find squirrel.SelectBuilder) string {
	if t.writes {
		find = find.Suffix(t.store.dialect.Held)
	}
	return t.store.text(find)
}

type credentialRole struct{ tx *tx }

func (r credentialRole) Get(id access.CredentialID) (access.Credential, error) {
	if r.tx.plan != nil && r.tx.plan.AssumesWebhooks() {
		if found, known := r.tx.plan.Credential(r.tx.ctx, id); known {
			return found, nil
		}
	}
	return one(r.tx, credentials, r.tx.store.hot.credential, string(id))
}

func (r credentialRole) Held(id access.CredentialID) (access.Credential, error) {
	return one(r.tx, credentials, r.tx.holding(credentials.find("id = ?")), string(id))
}

// All sorts in Go: engines sort text by rules of their own.
func (r credentialRole) All() ([]access.Credential, error) {
	found, err := list(r.tx, credentials, r.tx.store.text(credentials.find("1 = 1")))
	slices.SortFunc(found, func(a, b access.Credential) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return found, err
}

func (r credentialRole) Put(c access.Credential) error { return put(r.tx, credentials, c) }

var uses = mapping[access.Use]{
	table: "credential_use",
	keys:  []string{"credential_id", "key_id"},
	row: func(u *access.Use) row {
		return row{{"credential_id", text(&u.Credential)}, {"key_id", whole(&u.Key)}, {"used_at", instant(&u.At)}}
	},
}

func (r credentialRole) Used(u access.Use) error {
	_, err := write(r.tx, uses, r.tx.store.text(uses.upsert().Suffix("WHERE excluded.used_at > credential_use.used_at")), u)
	return err
}

// LastUses sorts in Go, as All does.
func (r credentialRole) LastUses() ([]access.Use, error) {
	found, err := list(r.tx, uses, r.tx.store.text(uses.find("1 = 1")))
	slices.SortFunc(found, func(a, b access.Use) int {
		return cmp.Or(strings.Compare(string(a.Credential), string(b.Credential)), cmp.Compare(a.Key, b.Key))
	})
	return found, err
}

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

type tokenRole struct{ tx *tx }

func (r tokenRole) Get(hash access.Hash) (access.Token, error) {
	return one(r.tx, tokens, r.tx.store.hot.tokenGet, string(hash))
}

func (r tokenRole) Put(t access.Token) error {
	_, err := write(r.tx, tokens, r.tx.store.hot.tokenPut, t)
	return err
}

func (r tokenRole) Family(id access.FamilyID) (access.Family, error) {
	statement := r.tx.store.hot.familyGet
	if r.tx.writes {
		statement = r.tx.store.hot.familyHeld
	}
	return one(r.tx, families, statement, int64(id))
}

func (r tokenRole) PutFamily(f access.Family) error {
	_, err := write(r.tx, families, r.tx.store.hot.familyPut, f)
	return err
}

func (r tokenRole) Purge(before time.Time, n int) (int, error) {
	left, err := r.tx.numbers(r.tx.store.text(squirrel.Delete("token").
		Where("hash IN (SELECT hash FROM token WHERE expires_at < ? ORDER BY expires_at, hash LIMIT ?)").
		Suffix("RETURNING family_id")), micros(before), max(n, 0))
	if err != nil || len(left) == 0 {
		return 0, err
	}
	_, err = r.tx.exec(r.tx.store.text(squirrel.Delete("token_family").Where("id "+r.tx.store.dialect.Among).
		Where("NOT EXISTS (SELECT 1 FROM token WHERE token.family_id = token_family.id)")), r.tx.store.dialect.Numbers(left))
	return len(left), err
}

func (r tokenRole) Live(of access.CredentialID, at time.Time) (int, error) {
	n, err := one(r.tx, numberColumn, r.tx.store.text(squirrel.Select("COUNT(*)").From("token_family").
		Join("token ON token.family_id = token_family.id").
		Where("token_family.credential_id = ? AND NOT token_family.revoked").
		Where("token.credential_id = ? AND NOT token.refresh AND NOT token.revoked AND token.expires_at > ?")),
		string(of), string(of), micros(at))
	return int(n), err
}

func (r tokenRole) Revoke(of access.CredentialID) (int, error) {
	n, err := r.tx.exec(r.tx.store.text(squirrel.Update("token_family").Set("revoked", squirrel.Expr("TRUE")).
		Where("credential_id = ? AND NOT revoked")), string(of))
	return int(n), err
}
