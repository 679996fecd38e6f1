package porttest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func clientExamples() []example {
	return []example{
		{"KeysAreFoundByHashAndCredential", keysAreFound},
		{"TheLastUseIsKept", lastUseIsKept},
		{"TokensOfACredentialAreCountedAndRevoked", tokensTogether},
	}
}

func clientRaces() []example {
	return []example{{"ACredentialIsHeld", credentialIsHeld}}
}

func keysAreFound(t *testing.T, w *world) {
	one, other := w.site(t), w.site(t)
	second, third := sampleKey(one, 9), sampleKey(other, 1)
	third.Credential = second.Credential
	stranger := sampleKey(other, 2)
	w.update(t, func(tx port.Tx) error { return each(tx.Keys().Put, third, second, stranger, sampleKey(one, 2)) })
	check := func(tx port.Tx) error {
		found, err := tx.Keys().ByHash(third.Hash)
		same(t, "by hash", third, found)
		all, err2 := tx.Keys().OfCredential(second.Credential)
		same(t, "of the credential", []access.Key{sampleKey(one, 2), second, third}, all)
		none, err3 := tx.Keys().OfCredential("nobody")
		same(t, "of nobody", 0, len(none))
		return errors.Join(err, err2, err3)
	}
	w.view(t, check)
	w.update(t, check)
	replaced := third
	replaced.Hash = "another"
	w.update(t, func(tx port.Tx) error { return tx.Keys().Put(replaced) })
	w.notFound(t, "a hash that was replaced", func(tx port.Tx) error { _, err := tx.Keys().ByHash(third.Hash); return err })
}

// usesOf are the uses of one credential among all.
func usesOf(tx port.Tx, of access.CredentialID) (mine []access.Use, err error) {
	every, err := tx.Usage().LastUses()
	for _, u := range every {
		if u.Credential == of {
			mine = append(mine, u)
		}
	}
	return mine, err
}

func lastUseIsKept(t *testing.T, w *world) {
	of := keyHolder(w.site(t))
	longer := of + "-B"
	use := func(c access.CredentialID, k access.KeyID, at int) access.Use {
		return access.Use{Credential: c, Key: k, At: instant(at)}
	}
	for _, u := range []access.Use{use(longer, 0, 1), use(of, 10, 5), use(of, 0, 4), use(of, 9, 3), use(of, 0, 3), use(of, 9, 6)} {
		w.update(t, func(tx port.Tx) error { return tx.Usage().Used(u) })
	}
	w.view(t, func(tx port.Tx) error {
		mine, err := usesOf(tx, of)
		same(t, "uses", []access.Use{use(of, 0, 4), use(of, 9, 6), use(of, 10, 5)}, mine)
		every, err2 := tx.Usage().LastUses()
		for i := range every[1:] {
			if every[i].Credential > every[i+1].Credential {
				t.Errorf("%s stands before %s", every[i].Credential, every[i+1].Credential)
			}
		}
		return errors.Join(err, err2)
	})
}

func tokensTogether(t *testing.T, w *world) {
	s := w.site(t)
	mine, theirs := keyHolder(s), keyHolder(s)+"-other"
	put := func(of access.CredentialID, family int64, hash string, expires int, change func(*access.Token)) func(port.Tx) error {
		token := access.Token{
			Hash: access.Hash(fmt.Sprint(hash, s)), Family: familyID(s, family), Credential: of, Site: s, Expires: instant(expires),
		}
		change(&token)
		return func(tx port.Tx) error {
			return errors.Join(tx.Tokens().PutFamily(access.Family{ID: token.Family, Credential: of, Site: s}), tx.Tokens().Put(token))
		}
	}
	asItIs := func(*access.Token) {}
	for _, write := range []func(port.Tx) error{
		put(mine, 1, "good", 5, asItIs), put(mine, 1, "good too", 9, asItIs), put(mine, 2, "good as well", 5, asItIs),
		put(mine, 1, "expired", 4, asItIs), put(mine, 1, "refresh", 9, func(k *access.Token) { k.Refresh = true }),
		put(mine, 1, "revoked", 9, func(k *access.Token) { k.Revoked = true }), put(theirs, 3, "theirs", 9, asItIs),
	} {
		w.update(t, write)
	}
	live := func(of access.CredentialID, want int) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			n, err := tx.Tokens().Live(of, instant(4))
			same(t, fmt.Sprint("live tokens of ", of), want, n)
			return err
		})
	}
	revoke := func(of access.CredentialID, want int) {
		t.Helper()
		w.update(t, func(tx port.Tx) error {
			n, err := tx.Tokens().Revoke(of)
			same(t, "families that were revoked", want, n)
			return err
		})
	}
	live(mine, 3)
	live(theirs, 1)
	live("nobody", 0)
	revoke(mine, 2)
	revoke(mine, 0)
	live(mine, 0)
	live(theirs, 1)
	w.view(t, func(tx port.Tx) error {
		for n, want := range map[int64]bool{1: true, 2: true, 3: false} {
			f, err := tx.Tokens().Family(familyID(s, n))
			if err != nil || f.Revoked != want {
				t.Errorf("family %d: %+v, %v", n, f, err)
			}
		}
		return nil
	})
}

// credentialIsHeld has units add a site each to the same credential.
func credentialIsHeld(t *testing.T, w *world) {
	id := keyHolder(w.site(t))
	w.update(t, func(tx port.Tx) error { return tx.Credentials().Put(access.Credential{ID: id}) })
	together(t, workers, func(ctx context.Context, _ int) error {
		for range rounds {
			if err := w.Update(ctx, func(tx port.Tx) error {
				c, err := tx.Credentials().Held(id)
				if err != nil {
					return err
				}
				c.Sites = append(c.Sites, site.ID(len(c.Sites)))
				return tx.Credentials().Put(c)
			}); err != nil {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		c, err := tx.Credentials().Get(id)
		same(t, "sites that were added", workers*rounds, len(c.Sites))
		return err
	})
}
