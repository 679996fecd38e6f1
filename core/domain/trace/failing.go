package trace

import (
	"cmp"
	"slices"

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
