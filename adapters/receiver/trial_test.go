package receiver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/receiver"
	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func TestParseScript(t *testing.T) {
	for text, want := range map[string][]receiver.Answer{
		"200":                           {{Status: 200}},
		"500,500,422,200":               {{Status: 500}, {Status: 500}, {Status: 422}, {Status: 200}},
		" 503 , 200 ":                   {{Status: 503}, {Status: 200}},
		"422:already known,200":         {{Status: 422, Reason: "already known"}, {Status: 200}},
		"422: known, or so: sold, 200,": nil,
		"422:known, or so,200":          {{Status: 422, Reason: "known, or so"}, {Status: 200}},
		"422:a:b":                       {{Status: 422, Reason: "a:b"}},
		"":                              nil,
		"0":                             nil,
		"100":                           nil,
		"600":                           nil,
		"ok":                            nil,
		"200,ok":                        nil,
		"200,":                          nil,
	} {
		got, err := receiver.ParseScript(text)
		if (err != nil) != (want == nil) {
			t.Errorf("%q: %v, %v", text, got, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" && want != nil {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// trial serves until the test ends.
func trial(t *testing.T, o receiver.TrialOptions) (url string, out *lines) {
	t.Helper()
	out = &lines{}
	o.Out = out
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- receiver.NewTrial(o).Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("serving ends with %v", err)
		}
	})
	return "http://" + l.Addr().String(), out
}

type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *lines) split() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(strings.TrimSuffix(l.all.String(), "\n"), "\n")
}

func send(t *testing.T, url string, r webhook.Request) webhook.Answer {
	t.Helper()
	networks, err := webhook.ParseNetworks("127.0.0.0/8:*")
	if err != nil {
		t.Fatal(err)
	}
	s := sender.New(sender.Options{Allowance: webhook.Allowance{HTTP: true, Networks: networks}, Timeout: time.Second})
	defer s.Close()
	r.URL = url
	return s.Send(t.Context(), r)
}

func history(t *testing.T, url string) []receiver.Received {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var shown struct{ Data []receiver.Received }
	if err := json.NewDecoder(response.Body).Decode(&shown); err != nil {
		t.Fatal(err)
	}
	return shown.Data
}

func TestATrialAnswersByItsScript(t *testing.T) {
	script, err := receiver.ParseScript("500,422:already known,204")
	if err != nil {
		t.Fatal(err)
	}
	secret := secretOf("k")
	url, out := trial(t, receiver.TrialOptions{Secret: secret, Script: script})
	sent := delivery(t, webhook.Default, webhook.Signing{Current: secret})
	for i, want := range []webhook.Answer{
		{Verdict: webhook.Failure, Status: 500, Reason: "answered 500"},
		{Verdict: webhook.Refused, Status: 422, Reason: "already known"},
		{Verdict: webhook.Accepted, Status: 204},
		{Verdict: webhook.Accepted, Status: 204},
	} {
		got := send(t, url+"/any/path", sent)
		got.Duration, got.Excerpt = 0, ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("delivery %d: %s", i, diff)
		}
	}
	all := history(t, url)
	if len(all) != 4 {
		t.Fatalf("it remembers %d deliveries", len(all))
	}
	second := all[1]
	if second.At.IsZero() || second.Body != string(sent.Body) {
		t.Errorf("it remembers %+v", second)
	}
	second.At, second.Body = time.Time{}, ""
	want := receiver.Received{
		Path: "/any/path", ID: "msg_1", EventType: "PRODUCT_UPDATE", Resource: "508", Attempt: "1", Signature: "verified", Status: 422,
		Reason: "already known",
	}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Error(diff)
	}
	printed := out.split()
	if len(printed) != 4 || !strings.HasSuffix(printed[1], "  msg_1  PRODUCT_UPDATE 508  attempt 1  verified  -> 422 already known") {
		t.Errorf("it prints %q", printed)
	}
}

func TestATrialTellsWhatItThinksOfSignatures(t *testing.T) {
	url, out := trial(t, receiver.TrialOptions{Secret: secretOf("k")})
	unchecked, _ := trial(t, receiver.TrialOptions{})
	signed := delivery(t, webhook.Default, webhook.Signing{Current: secretOf("x")})
	unsigned := signed
	unsigned.Headers = nil
	for _, r := range []webhook.Request{signed, unsigned} {
		if got := send(t, url, r); got.Verdict != webhook.Accepted {
			t.Errorf("it is %s", got.Verdict)
		}
	}
	send(t, unchecked, signed)
	all := history(t, url)
	if all[0].Signature != "not verified" || all[0].Problem != "no signature matches" || all[1].Signature != "unsigned" {
		t.Errorf("the signatures are %+v", all)
	}
	if got := history(t, unchecked); got[0].Signature != "signed" {
		t.Errorf("without a secret the signature is %q", got[0].Signature)
	}
	if printed := out.split(); !strings.Contains(printed[1], "  -  - 508  attempt -  unsigned  -> 200") {
		t.Errorf("it prints %q", printed)
	}
}

func TestATrialReadsEveryFormat(t *testing.T) {
	url, _ := trial(t, receiver.TrialOptions{})
	for _, format := range webhook.Formats() {
		send(t, url, delivery(t, format, webhook.Signing{Current: secretOf("k")}))
	}
	for i, got := range history(t, url) {
		if got.Resource != "508" || got.EventType != "PRODUCT_UPDATE" {
			t.Errorf("of %s it reads %s %s", webhook.Formats()[i], got.EventType, got.Resource)
		}
	}
}

func TestATrialIsNotUpsetByWhatItGets(t *testing.T) {
	url, out := trial(t, receiver.TrialOptions{})
	for _, body := range []string{"", "not JSON", `{"resource_id":"x"}`, `{"value":[]}`, "\x1b[2J"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header["webhook-id"] = []string{"a\u009b2Jb" + strings.Repeat("x", 500)}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%q is answered %d", body, response.StatusCode)
		}
	}
	for _, line := range out.split() {
		if strings.ContainsAny(line, "\x1b\u009b") || len(line) > 400 {
			t.Errorf("it prints %q", line)
		}
	}
	response, err := http.Get(url + "/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode == http.StatusOK {
		t.Errorf("GET /elsewhere is answered %d", response.StatusCode)
	}
}

func TestATrialRemembersTheLatestThousand(t *testing.T) {
	url, _ := trial(t, receiver.TrialOptions{})
	for i := range 1003 {
		response, err := http.Post(url, "application/json", strings.NewReader(fmt.Sprintf(`{"resource_id":%d}`, i)))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	if all := history(t, url); len(all) != 1000 || all[0].Resource != "3" || all[999].Resource != "1002" {
		t.Errorf("it remembers %d", len(all))
	}
}

func TestATrialAnswersLate(t *testing.T) {
	url, _ := trial(t, receiver.TrialOptions{Delay: 100 * time.Millisecond})
	start := time.Now()
	if got := send(t, url, delivery(t, webhook.Default, webhook.Signing{Current: secretOf("k")})); got.Verdict != webhook.Accepted {
		t.Errorf("it is %s for %q", got.Verdict, got.Reason)
	}
	if took := time.Since(start); took < 100*time.Millisecond {
		t.Errorf("it answers after %s", took)
	}
	slow, _ := trial(t, receiver.TrialOptions{Delay: time.Hour})
	if got := send(t, slow, delivery(t, webhook.Default, webhook.Signing{Current: secretOf("k")})); got.Verdict != webhook.Failure {
		t.Errorf("it is %s", got.Verdict)
	}
}
