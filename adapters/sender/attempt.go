package sender

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// subject is whom the end of an attempt says something about. Breakers go by
// it; the verdict does not.
type subject uint8

const (
	// nobody: the attempt was stopped, or its target is not permitted.
	nobody subject = iota
	// alive: the receiver answered, and not with a 5xx.
	alive
	// receiver: the receiver could be reached, or refused to be, and did not
	// answer as it should.
	receiver
	// network: nobody could be reached, which can be the receiver's fault or
	// that of our own network.
	network
	// ourselves: it is our own fault for certain.
	ourselves
)

// result is how an attempt ended.
type result struct {
	answer webhook.Answer
	about  subject
	host   string
}

// attempt makes one request, and those for a token that it takes.
func (s *Sender) attempt(ctx context.Context, r webhook.Request) result {
	until := time.Now().Add(s.timeout)
	if limit, limited := ctx.Deadline(); limited && limit.Before(until) {
		until = limit
	}
	var ended result
	if r.OAuth2 == nil {
		ended = s.post(ctx, until, r, "")
	} else {
		ended = s.postWithToken(ctx, until, r)
	}
	// When a deadline of the caller has passed, the receiver failed: one that
	// never answers would be tried for ever otherwise. When the caller cancels,
	// nobody did.
	if ended.answer.Status == 0 && errors.Is(ctx.Err(), context.Canceled) {
		return result{answer: deferred(said("the attempt was stopped"), 0), about: nobody}
	}
	return ended
}

// post sends the request, with a bearer token unless that is empty.
func (s *Sender) post(ctx context.Context, until time.Time, r webhook.Request, token string) result {
	headers := make([]webhook.Header, 0, len(r.Headers)+1)
	for _, h := range r.Headers {
		if token == "" || !strings.EqualFold(h.Name, "Authorization") {
			headers = append(headers, h)
		}
	}
	if token != "" {
		headers = append(headers, webhook.Header{Name: "Authorization", Value: "Bearer " + token})
	}
	start := time.Now()
	answer, host, failed := s.do(ctx, until, r.URL, headers, r.Body)
	took := time.Since(start)
	if failed != nil {
		failed.answer.Duration = took
		return *failed
	}
	ended := judge(answer, time.Now(), concealing(append(slices.Clone(r.Secrets), token)))
	ended.answer.Duration = took
	ended.host = host
	return ended
}

// do makes a POST and reports its answer and who gave it, or how it failed.
func (s *Sender) do(
	ctx context.Context, until time.Time, target string, headers []webhook.Header, body []byte,
) (answer response, host string, failed *result) {
	// Again, because rules may have become stricter since it was subscribed; and
	// behind a proxy this is the only check.
	if s.allowance.CheckURL(target) != nil {
		return answer, "", &result{answer: failure(errNotPermitted.Error()), about: nobody}
	}
	u, err := url.Parse(target)
	if err != nil {
		return answer, "", &result{answer: failure(said("the request could not be made")), about: nobody}
	}
	answer, err = s.exchange(ctx, request{target, headers, body, until})
	if err != nil {
		reason, about := s.explain(err)
		return answer, u.Host, &result{answer: failure(reason), about: about, host: u.Host}
	}
	return answer, u.Host, nil
}

func failure(reason string) webhook.Answer {
	return webhook.Answer{Verdict: webhook.Failure, Reason: reason}
}
