package sender_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// ownSender is a port.Sender. Of what Sender does it leaves out tokens, reasons and RetryAfter.
type ownSender struct{ transport *http.Transport }

func newOwnSender(allowed webhook.Allowance) ownSender {
	dialer := net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address) // what the name was resolved to
		if err == nil && !allowed.Permits(to) {
			err = errors.New("the address is not permitted")
		}
		return err
	}}
	return ownSender{&http.Transport{DialContext: dialer.DialContext}}
}

func (s ownSender) Send(ctx context.Context, r webhook.Request) webhook.Answer {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return webhook.Answer{Verdict: webhook.Failure, Reason: "the request could not be made"}
	}
	for _, h := range r.Headers { // signed and authorised already
		post.Header[h.Name] = []string{h.Value} // spelt exactly so
	}
	begun := time.Now()
	response, err := s.transport.RoundTrip(post) // a transport follows no redirect
	answer := webhook.Answer{Duration: time.Since(begun)}
	if err != nil {
		answer.Verdict, answer.Reason = webhook.Failure, "the receiver could not be reached"
		return answer
	}
	defer response.Body.Close()
	answer.Status = response.StatusCode
	switch {
	case answer.Status >= 200 && answer.Status < 300:
		answer.Verdict = webhook.Accepted
	case answer.Status == http.StatusUnprocessableEntity:
		answer.Verdict, answer.Reason = webhook.Refused, "refused"
	default:
		answer.Verdict, answer.Reason = webhook.Failure, "answered "+strconv.Itoa(answer.Status)
	}
	return answer
}

// A sender of your own is given to service.Deliver.Run in place of one of this package.
func Example_ownSender() {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer receiver.Close()
	request := webhook.Request{URL: receiver.URL, Body: []byte("{}")}
	for _, allowed := range []webhook.Allowance{{}, {Networks: []webhook.Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}}} {
		var own port.Sender = newOwnSender(allowed)
		fmt.Println(own.Send(context.Background(), request).Verdict == webhook.Accepted)
	}

	// Output:
	// false
	// true
}
