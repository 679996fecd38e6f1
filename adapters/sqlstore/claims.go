package sqlstore

import (
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Claims() port.Claims { return claimRole{t} }

type claimRole struct{ tx *tx }

// claims are what Claim is answered with. The key is not read back.
var claims = mapping[demand.Claim]{
	table: "lead_claim",
	row:   func(c *demand.Claim) row { return row{{"lead_id", whole(&c.Lead)}, {"claimed_at", instant(&c.At)}} },
}

// Claim writes the keys even where they are another lead's, which holds them, and
// in their order, so that units of work that claim several do not wait for each
// other in a circle.
func (r claimRole) Claim(of site.ID, keys []string, id demand.LeadID, now, since time.Time) (demand.LeadID, error) {
	if err := r.tx.writing(); err != nil {
		return 0, err
	}
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	mine := demand.Claim{Lead: id, At: now}
	var free []string
	var others []demand.Claim
	for _, key := range keys {
		held, err := one(r.tx, claims, "INSERT INTO lead_claim (site_id, claim_key, lead_id, claimed_at) VALUES ($1, $2, $3, $4) "+
			"ON CONFLICT (site_id, claim_key) DO UPDATE SET "+
			"lead_id = CASE WHEN lead_claim.claimed_at >= $5 THEN lead_claim.lead_id ELSE excluded.lead_id END, "+
			"claimed_at = CASE WHEN lead_claim.claimed_at >= $5 THEN lead_claim.claimed_at ELSE excluded.claimed_at END "+
			"RETURNING lead_id, claimed_at", int64(of), key, int64(id), micros(now), micros(since))
		if err != nil {
			return 0, err
		}
		if held.Compare(mine) == 0 {
			free = append(free, key)
		} else {
			others = append(others, held)
		}
	}
	if len(others) == 0 {
		return id, nil
	}
	holder := slices.MinFunc(others, demand.Claim.Compare)
	for _, key := range free {
		if _, err := r.tx.exec("UPDATE lead_claim SET lead_id = $1, claimed_at = $2 WHERE site_id = $3 AND claim_key = $4",
			int64(holder.Lead), micros(holder.At), int64(of), key); err != nil {
			return 0, err
		}
	}
	return holder.Lead, nil
}

// Release takes hold of the keys in the order in which Claim does. What it waited
// for may have added some: only when nothing is found that was not held is it sure
// to have them all, for who adds a key to a lead holds another one of it.
func (r claimRole) Release(of site.ID, ids []demand.LeadID) error {
	if err := r.tx.writing(); err != nil {
		return err
	}
	site, wanted := int64(of), r.tx.store.dialect.Numbers(plain(ids))
	theirs := "site_id = ? AND lead_id " + r.tx.store.dialect.Among
	find := squirrel.Select("claim_key").From(claims.table).Where(theirs).OrderBy("claim_key")
	if held := r.tx.store.dialect.Held; held != "" {
		find = find.Suffix(held)
	}
	for known := 0; ; {
		found, err := list(r.tx, claimKeys, r.tx.store.text(find), site, wanted)
		if err != nil {
			return err
		}
		if len(found) <= known {
			break
		}
		known = len(found)
	}
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete(claims.table).Where(theirs)), site, wanted)
	return err
}

// claimKeys reads keys of claims.
var claimKeys = mapping[string]{table: claims.table, row: func(key *string) row { return row{{"claim_key", text(key)}} }}
