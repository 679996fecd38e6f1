package apitest

import (
	"fmt"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// Basic is how a client of Network authenticates.
func Basic(client string) tokens.Basic {
	return tokens.Basic{ClientID: client, ClientSecret: client + "-secret"}
}

// Token obtains a pair of tokens of a client for a site.
func (w *World) Token(client string, id site.ID) tokens.TokenResponse {
	w.T.Helper()
	answer, err := w.Tokens.IssueToken(w.T.Context(), kernel.Caller{}, tokens.IssueToken{
		Basic: Basic(client), SiteID: opt.Of(strconv.FormatInt(int64(id), 10)),
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return answer
}

// As is a caller with a fresh token of a client for a site.
func (w *World) As(client string, id site.ID) kernel.Caller {
	w.T.Helper()
	return w.Bearer(w.Token(client, id).AccessToken)
}

// Bearer is the caller with an access token.
func (w *World) Bearer(token string) kernel.Caller {
	w.T.Helper()
	caller, err := w.Identify(w.T.Context(), token)
	if err != nil {
		w.T.Fatal(err)
	}
	return caller
}

// Again is the caller at its next request, when it sees what has happened since.
func (w *World) Again(c kernel.Caller) kernel.Caller {
	w.T.Helper()
	caller, err := w.Admit(w.T.Context(), c.Grant)
	if err != nil {
		w.T.Fatal(err)
	}
	return caller
}

// Key is an idempotency key of a request to create a product.
func Key(name string) kernel.IdempotencyKey {
	return kernel.IdempotencyKey{
		Operation: "product.create", Key: name, Fingerprint: "f",
		Encode: func(answer any) (string, error) { return fmt.Sprintf("%+v", answer), nil },
	}
}
