package sqlstore

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

// requests are how many a credential sent on a day.
type requests struct {
	day   time.Time
	of    access.CredentialID
	count int64
}

var usages = mapping[requests]{
	table: "credential_usage",
	keys:  []string{"day", "credential_id"},
	row: func(r *requests) row {
		return row{{"day", instant(&r.day)}, {"credential_id", text(&r.of)}, {"requests", whole(&r.count)}}
	},
}

func (r credentialRole) CountRequests(day time.Time, of access.CredentialID, n int64) error {
	add := usages.insert().Suffix("ON CONFLICT (day, credential_id) DO UPDATE SET requests = credential_usage.requests + excluded.requests")
	_, err := write(r.tx, usages, r.tx.store.text(add), requests{day, of, n})
	return err
}

func (r credentialRole) Requests(day time.Time) (map[access.CredentialID]int64, error) {
	found, err := list(r.tx, usages, r.tx.store.text(usages.find("day = ?")), micros(day))
	counts := make(map[access.CredentialID]int64, len(found))
	for _, c := range found {
		counts[c.of] = c.count
	}
	return counts, err
}

func (r credentialRole) PurgeRequests(before time.Time, n int) (int, error) {
	return purge(r.tx, usages, "day", before, n)
}
