package trace

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

// oftenRefused is how often a client is refused in an hour at least that fails.
const oftenRefused = 20

// Balance is how often a client was answered and refused in an hour.
type Balance struct {
	Credential        access.CredentialID
	Answered, Refused int64
}

// Failing reports whether the client fails: it was refused often, and more often than it was answered.
// Who is not known is nobody in particular, and does not fail.
func (b Balance) Failing() bool {
	return b.Credential != "" && b.Refused >= oftenRefused && b.Refused > b.Answered
}

// Balances adds up counts of an hour by client, in the order of their ids.
func Balances(counts []Count) []Balance {
	var all []Balance
	for _, c := range counts {
		i, known := slices.BinarySearchFunc(all, c.Credential, func(b Balance, id access.CredentialID) int { return cmp.Compare(b.Credential, id) })
		if !known {
			all = slices.Insert(all, i, Balance{Credential: c.Credential})
		}
		if c.Class > 3 {
			all[i].Refused += c.N
		} else {
			all[i].Answered += c.N
		}
	}
	return all
}

// A client fails to sign in when it did at least failedOften times within an hour and was not
// answered since, or in failingMinutes minutes whether it was or not: a token that has expired and is
// refreshed is no failure.
const (
	failedOften    = 3
	failingMinutes = 5
)

// FailedSignIns are those of a client, or of access.UnknownClient for all that are unknown.
type FailedSignIns struct {
	Credential access.CredentialID
	N          int64
	// Since is the first minute.
	Since time.Time
}

// FailingSignIns returns the clients that fail to sign in, by their ids. The counts are those of an hour
// by minute of requests that reached no site; answered is when a site answered each client last.
func FailingSignIns(counts []Count, answered map[access.CredentialID]time.Time) []FailedSignIns {
	signedIn, failed := maps.Clone(answered), map[access.CredentialID]map[time.Time]int64{}
	for _, c := range counts {
		switch {
		case c.N == 0:
		case c.Class == 4:
			if failed[c.Credential] == nil {
				failed[c.Credential] = map[time.Time]int64{}
			}
			failed[c.Credential][c.Start] += c.N
		case c.Class == 2 && c.Start.After(signedIn[c.Credential]):
			signedIn[c.Credential] = c.Start
		}
	}
	var list []FailedSignIns
	for _, id := range slices.Sorted(maps.Keys(failed)) {
		minutes := slices.SortedFunc(maps.Keys(failed[id]), time.Time.Compare)
		f := FailedSignIns{Credential: id, Since: minutes[0]}
		for _, n := range failed[id] {
			f.N += n
		}
		if f.N >= failedOften && (len(minutes) >= failingMinutes || !signedIn[id].After(minutes[len(minutes)-1])) {
			list = append(list, f)
		}
	}
	return list
}

// LastAnswered adds to answered when each client was answered last in counts of a site.
func LastAnswered(answered map[access.CredentialID]time.Time, counts []Count) {
	for _, c := range counts {
		if c.N > 0 && c.Class <= 3 && c.Start.After(answered[c.Credential]) {
			answered[c.Credential] = c.Start
		}
	}
}
