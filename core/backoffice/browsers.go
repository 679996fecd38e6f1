package backoffice

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// A browser in which an operator has signed in keeps a proof of that. The proof lets
// nobody in: who shows it fails by a count of their own, so that somebody who guesses at an
// account from elsewhere does not keep its owner out. It is the operator's id, a name
// that was drawn for the browser, and the hash of both.

// browser returns the operator who signed in before in the browser that shows a proof, and
// its name; 0 when it shows none.
func (s *Service) browser(proof string) (of operator.ID, name string) {
	end := strings.LastIndexByte(proof, '.')
	if end < 0 {
		return 0, ""
	}
	named, mark := proof[:end], proof[end+1:]
	id, _, _ := strings.Cut(named, ".")
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil || !s.browserMark(named).Matches(access.Hash(mark)) {
		return 0, ""
	}
	return operator.ID(number), named
}

func (s *Service) browserMark(named string) access.Hash {
	return s.k.Options.Pepper.Hash("browser " + named)
}

// proofFor returns the proof of a browser in which an operator has signed in: the one it has
// if that is theirs.
func (s *Service) proofFor(of operator.ID, had string) (string, error) {
	if known, _ := s.browser(had); known == of {
		return had, nil
	}
	drawn, err := access.NewSecret(s.k.Rand)
	named := fmt.Sprintf("%d.%s", of, drawn)
	return named + "." + string(s.browserMark(named)), err
}

// passwordBounds returns what an attempt to sign in as an operator counts for: the browser
// alone where they signed in before, or else the address, the account from there, and
// the account.
func (s *Service) passwordBounds(claimed operator.ID, email, peer, proof string) []operator.Bound {
	if of, name := s.browser(proof); of != 0 && of == claimed {
		return []operator.Bound{{Name: "browser " + name, Most: operator.MaxFailures}}
	}
	network := access.PeerNetwork(peer)
	return []operator.Bound{
		{Name: "peer " + network, Most: operator.MaxFailures},
		{Name: "account " + email + " from " + network, Most: operator.MaxFailures},
		{Name: "account " + email, Most: operator.MaxAccountFailures},
	}
}

// passkeyBound returns what an attempt to sign in with a passkey counts for: the browser
// where somebody signed in before, or else the address.
func (s *Service) passkeyBound(peer, proof string) operator.Bound {
	name := "peer " + access.PeerNetwork(peer)
	if of, known := s.browser(proof); of != 0 {
		name = "browser " + known
	}
	return operator.Bound{Name: name, Most: operator.MaxFailures}
}

// sessionBound returns what an operator who has signed in counts for when they show again
// who they are.
func sessionBound(a Actor) operator.Bound {
	return operator.Bound{Name: "session " + string(a.Session.Hash), Most: operator.MaxFailures}
}
