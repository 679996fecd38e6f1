package memstore

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

func usageKey(day time.Time, of access.CredentialID) string { return key(day.UnixMicro()) + string(of) }

func (r credentials) CountRequests(day time.Time, of access.CredentialID, n int64) error {
	counted, _ := r.state.usage.get(usageKey(day, of))
	return put(r.unit, &r.state.usage, usageKey(day, of), requests{day, of, counted.count + n}, same)
}

func (r credentials) Requests(day time.Time) (map[access.CredentialID]int64, error) {
	if err := r.reading(); err != nil {
		return nil, err
	}
	counts := map[access.CredentialID]int64{}
	for _, c := range r.state.usage.from(usageKey(day, "")) {
		if !c.day.Equal(day) {
			break
		}
		counts[c.of] = c.count
	}
	return counts, nil
}

func (r credentials) PurgeRequests(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.usage, before, n, func(c requests) time.Time { return c.day })
	return len(gone), err
}
