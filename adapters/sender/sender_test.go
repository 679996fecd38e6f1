package sender_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// allow is what tests let a sender reach.
func allow(t testing.TB, networks string) webhook.Allowance {
	t.Helper()
	parsed, err := webhook.ParseNetworks(networks)
	if err != nil {
		t.Fatal(err)
	}
	return webhook.Allowance{HTTP: true, Networks: parsed}
}

func loopback(t testing.TB, o sender.Options) *sender.Sender {
	t.Helper()
	o.Allowance = allow(t, "127.0.0.0/8:*,::1/128:*")
	return started(t, o)
}

func started(t testing.TB, o sender.Options) *sender.Sender {
	t.Helper()
	s := sender.New(o)
	t.Cleanup(s.Close)
	return s
}

func request(url string, headers ...webhook.Header) webhook.Request {
	return webhook.Request{Site: 1, Hook: 7, Epoch: 1, URL: url, Headers: headers, Body: []byte(`{"event_type":"PRODUCT_UPDATE"}`)}
}

// server reads what it is sent and answers with a handler.
func server(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // only then does a server notice that the client went away
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// listener hands each connection to a function and counts them.
func listener(t testing.TB, address string, serve func(net.Conn)) (string, *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	var count atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			count.Add(1)
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String(), &count
}

// readHead reads until the empty line after the headers.
func readHead(conn net.Conn) []byte {
	var head []byte
	one := make([]byte, 1)
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		if n, err := conn.Read(one); n == 0 || err != nil {
			break
		}
		head = append(head, one[0])
	}
	return head
}

func TestW17_W22_TheStatusDecides(t *testing.T) {
	receiver := server(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscanf(r.URL.Path, "/%d", &status)
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
	})
	s := loopback(t, sender.Options{BreakerTimeout: -1})
	for status := 200; status < 600; status++ {
		want := webhook.Answer{Status: status, Verdict: webhook.Failure, Reason: fmt.Sprintf("answered %d", status)}
		switch {
		case status < 300:
			want.Verdict, want.Reason = webhook.Accepted, ""
		case status == 422:
			want.Verdict, want.Reason = webhook.Refused, "rejected without reason"
		case status == 429, status == 503:
			want.RetryAfter = 7 * time.Second
		}
		got := s.Send(t.Context(), request(fmt.Sprintf("%s/%d", receiver.URL, status)))
		if got.Duration <= 0 {
			t.Errorf("%d took %s", status, got.Duration)
		}
		got.Duration = 0
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d: %s", status, diff)
		}
	}
}

func TestW18_RedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int64
	elsewhere := server(t, func(http.ResponseWriter, *http.Request) { followed.Add(1) })
	receiver := server(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscanf(r.URL.Path, "/%d", &status)
		w.Header().Set("Location", elsewhere.URL)
		w.WriteHeader(status)
	})
	s := loopback(t, sender.Options{})
	for _, status := range []int{301, 302, 303, 307, 308} {
		got := s.Send(t.Context(), request(fmt.Sprintf("%s/%d", receiver.URL, status), webhook.Header{Name: "X-Api-Key", Value: "k"}))
		if got.Verdict != webhook.Failure || got.Status != status {
			t.Errorf("%d is %s with status %d", status, got.Verdict, got.Status)
		}
	}
	if n := followed.Load(); n > 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

func TestW20_TheReasonOfARejection(t *testing.T) {
	var body atomic.Value
	var contentEncoding atomic.Value
	contentEncoding.Store("")
	receiver := server(t, func(w http.ResponseWriter, _ *http.Request) {
		if encoding := contentEncoding.Load().(string); encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		w.WriteHeader(http.StatusUnprocessableEntity)
		io.WriteString(w, body.Load().(string))
	})
	s := loopback(t, sender.Options{})
	const none = "rejected without reason"
	for text, want := range map[string]string{
		`{"error":{"message":"duplicate"},"message":"no","reason":"no"}`: "duplicate",
		`{"message":"duplicate","reason":"no","error":"no"}`:             "duplicate",
		`{"reason":"duplicate","error":"no"}`:                            "duplicate",
		`{"error":"duplicate"}`:                                          "duplicate",
		`{"error":{"message":""},"message":"duplicate"}`:                 "duplicate",
		`{"error":{"message":7},"reason":"duplicate"}`:                   "duplicate",
		`{"error":{"code":"E1"}}`:                                        `{"error":{"code":"E1"}}`,
		`{"Message":"no","MESSAGE":"no"}`:                                `{"Message":"no","MESSAGE":"no"}`,
		`["duplicate"]`:                                                  `["duplicate"]`,
		`"duplicate"`:                                                    `"duplicate"`,
		`{"message":"cut sho`:                                            `{"message":"cut sho`,
		"duplicate":                                                      "duplicate",
		"<html><h1>Doublon</h1></html>":                                  "<html><h1>Doublon</h1></html>",
		"":                                                               none,
		" \r\n\t ":                                                       none,
		"\x00\x01\x1b":                                                   none,
		`{"message":"\u0000\u001b[31mred\u202e"}`:                        "[31mred",
		"two\r\nlines\tand a tab":                                        "two  lines and a tab",
		"bad \xff\xfe bytes":                                             "bad \uFFFD bytes",
		strings.Repeat("é", 1001):                                        strings.Repeat("é", 1000),
		`{"message":"` + strings.Repeat("x", 5000) + `"}`:                strings.Repeat("x", 1000),
		strings.Repeat("[", 60_000):                                      strings.Repeat("[", 1000),
	} {
		body.Store(text)
		got := s.Send(t.Context(), request(receiver.URL))
		if got.Verdict != webhook.Refused || got.Reason != want {
			t.Errorf("%.60q gives %s and the reason %.80q, not %.80q", text, got.Verdict, got.Reason, want)
		}
	}
	body.Store(zipped(t, strings.Repeat("duplicate ", 10)))
	contentEncoding.Store("gzip")
	if got := s.Send(t.Context(), request(receiver.URL)); got.Reason != strings.TrimSpace(strings.Repeat("duplicate ", 10)) {
		t.Errorf("of an encoded body the reason is %q and the excerpt %q", got.Reason, got.Excerpt)
	}
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A receiver that repeats what it was sent does not bring secrets into the log of
// deliveries, however it spells them.
func TestW14_SecretsThatAReceiverRepeatsAreConcealed(t *testing.T) {
	const secret, longer = "a-secret", "a-secret-that-is-longer"
	var body atomic.Value
	receiver := server(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		io.WriteString(w, body.Load().(string))
	})
	s := loopback(t, sender.Options{})
	for text, want := range map[string]string{
		"bad key " + secret:                   "bad key …",
		"bad key " + longer + "!":             "bad key …!",
		`{"message":"bad key a-s\u0065cret"}`: "bad key …",
		strings.Repeat(" ", 2000) + secret:    "…",
		strings.Repeat("x", 996) + secret:     strings.Repeat("x", 996) + "…",
		"nothing of the sort":                 "nothing of the sort",
	} {
		body.Store(text)
		r := request(receiver.URL)
		r.Secrets = []string{secret, longer}
		got := s.Send(t.Context(), r)
		if got.Reason != want || strings.Contains(got.Excerpt, secret) {
			t.Errorf("%.60q gives the reason %.60q, not %.60q, and the excerpt %.60q", text, got.Reason, want, got.Excerpt)
		}
	}
}

func TestW24_RetryAfter(t *testing.T) {
	var value atomic.Value
	receiver := server(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", value.Load().(string))
		if r.URL.Path == "/500" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusTooManyRequests)
	})
	s := loopback(t, sender.Options{BreakerTimeout: -1})
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, " 120 ": 2 * time.Minute, "-1": 0, "+1": 0, "1.5": 0, "soon": 0, "1e3": 0,
		"86401": 24 * time.Hour, "99999999999999999999999": 24 * time.Hour,
		time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat):        0,
		time.Now().Add(1000 * time.Hour).UTC().Format(http.TimeFormat):  24 * time.Hour,
		time.Now().Add(30 * time.Minute).UTC().Format(http.TimeFormat):  30 * time.Minute,
		time.Now().Add(31 * time.Minute).UTC().Format(time.RFC850):      31 * time.Minute,
		time.Now().Add(32*time.Minute).UTC().Format(time.ANSIC) + "":    32 * time.Minute,
		time.Now().Add(33 * time.Minute).UTC().Format(time.RFC3339):     0,
		time.Now().Add(34*time.Minute).UTC().Format("2006-01-02") + "Z": 0,
	} {
		value.Store(text)
		got := s.Send(t.Context(), request(receiver.URL)).RetryAfter
		if off := (got - want).Abs(); off > 3*time.Second {
			t.Errorf("%q asks for %s, not %s", text, got, want)
		}
	}
	value.Store("120")
	if got := s.Send(t.Context(), request(receiver.URL+"/500")); got.RetryAfter != 0 {
		t.Errorf("500 asks for %s", got.RetryAfter)
	}
}

// The receivers of this test are unwilling in every way there is. Each attempt
// must end in time, with the verdict of the contract.
func TestW25_H15_UnwillingReceivers(t *testing.T) {
	const limit = 500 * time.Millisecond
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	drip := func(conn net.Conn, text string) {
		for i := 0; ; i++ {
			if _, err := conn.Write([]byte{text[i%len(text)]}); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	hold := func(conn net.Conn) { io.Copy(io.Discard, conn) }
	for name, c := range map[string]struct {
		serve   func(net.Conn)
		verdict webhook.Verdict
		reason  string
	}{
		"never answers":      {hold, webhook.Failure, "no answer within 500ms"},
		"drips a status":     {func(c net.Conn) { drip(c, "HTTP/1.1 200 OK and so on ") }, webhook.Failure, "no answer within 500ms"},
		"drips headers":      {func(c net.Conn) { io.WriteString(c, head); drip(c, "X-Header: value\r\n") }, webhook.Failure, "no answer within 500ms"},
		"drips continues":    {func(c net.Conn) { drip(c, "HTTP/1.1 100 Continue\r\n\r\n") }, webhook.Failure, "no answer within 500ms"},
		"sends no body":      {func(c net.Conn) { io.WriteString(c, head+"Content-Length: 10\r\n\r\n"); hold(c) }, webhook.Accepted, ""},
		"drips a body":       {func(c net.Conn) { io.WriteString(c, head+"\r\n"); drip(c, "body ") }, webhook.Accepted, ""},
		"breaks off a body":  {func(c net.Conn) { io.WriteString(c, head+"Content-Length: 10\r\n\r\nhalf") }, webhook.Accepted, ""},
		"is late with a 422": {func(c net.Conn) { io.WriteString(c, strings.Replace(head, "200", "422", 1)+"\r\nin time"); hold(c) }, webhook.Refused, "in time"},
		"hangs up":           {func(net.Conn) {}, webhook.Failure, "the connection was closed before an answer"},
		"hangs up midway":    {func(c net.Conn) { io.WriteString(c, head) }, webhook.Failure, "the connection was closed before an answer"},
		"resets": {func(c net.Conn) {
			c.(*net.TCPConn).SetLinger(0)
		}, webhook.Failure, "the connection was closed before an answer"},
		"does not speak HTTP":   {func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH_9.2\r\n"); hold(c) }, webhook.Failure, "the answer was not HTTP"},
		"speaks nonsense":       {func(c net.Conn) { c.Write([]byte{0, 1, 2, 255, '\n', '\r', '\n'}); hold(c) }, webhook.Failure, "the answer was not HTTP"},
		"has a status in words": {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 OK 200\r\n\r\n"); hold(c) }, webhook.Failure, "the answer was not HTTP"},
		"sends a megabyte of headers": {func(c net.Conn) {
			io.WriteString(c, head+"X-Long: "+strings.Repeat("x", 1<<20)+"\r\n\r\n")
			hold(c)
		}, webhook.Failure, "the answer was not HTTP"},
		"continues for ever": {func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
					return
				}
			}
		}, webhook.Failure, "the answer was not HTTP"},
		"switches protocols": {func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
			hold(c)
		}, webhook.Failure, "answered 101"},
		"lies about the length": {func(c net.Conn) { io.WriteString(c, head+"Content-Length: -5\r\n\r\n"); hold(c) }, webhook.Failure, "the answer was not HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, _ := listener(t, "127.0.0.1:0", func(conn net.Conn) { readHead(conn); c.serve(conn) })
			s := loopback(t, sender.Options{Timeout: limit})
			start := time.Now()
			got := s.Send(t.Context(), request("http://"+address))
			if took := time.Since(start); took > limit+5*time.Second {
				t.Errorf("it took %s", took)
			}
			if got.Verdict != c.verdict || got.Reason != c.reason {
				t.Errorf("it is %s for %q, not %s for %q", got.Verdict, got.Reason, c.verdict, c.reason)
			}
		})
	}
}

func TestW25_AnswersInTimeAndOut(t *testing.T) {
	const limit = time.Second
	receiver := server(t, func(w http.ResponseWriter, r *http.Request) {
		wait, _ := time.ParseDuration(r.URL.Query().Get("wait"))
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
		}
	})
	s := loopback(t, sender.Options{Timeout: limit})
	for wait, want := range map[time.Duration]webhook.Verdict{
		limit * 8 / 10:  webhook.Accepted,
		limit * 12 / 10: webhook.Failure,
	} {
		if got := s.Send(t.Context(), request(receiver.URL+"?wait="+wait.String())); got.Verdict != want {
			t.Errorf("an answer after %s is %s for %q", wait, got.Verdict, got.Reason)
		}
	}
}

// Of a body without end no more than 64 KiB are read, and the bytes that the
// network buffers on the way.
func TestH15_NoMoreThan64KiBAreRead(t *testing.T) {
	var sent atomic.Int64
	cut := make(chan struct{})
	address, _ := listener(t, "127.0.0.1:0", func(conn net.Conn) {
		defer close(cut)
		readHead(conn)
		io.WriteString(conn, "HTTP/1.1 422 No\r\n\r\n")
		chunk := bytes.Repeat([]byte("x"), 1<<15)
		for {
			n, err := conn.Write(chunk)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	s := loopback(t, sender.Options{})
	start := time.Now()
	got := s.Send(t.Context(), request("http://"+address))
	if got.Verdict != webhook.Refused || len(got.Reason) != 1000 || len(got.Excerpt) != 1024 {
		t.Errorf("it is %s with a reason of %d and an excerpt of %d bytes", got.Verdict, len(got.Reason), len(got.Excerpt))
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	select {
	case <-cut: // what it could send beyond, is in the buffers of the connection
		if n := sent.Load(); n > 16<<20 {
			t.Errorf("the receiver could send %d bytes", n)
		}
	case <-time.After(10 * time.Second):
		t.Error("the receiver is not cut off")
	}
}

// Of a gzip bomb no more is unpacked than is read of any answer.
func TestH15_NothingIsInflated(t *testing.T) {
	bomb := zipped(t, strings.Repeat("0", 50<<20))
	receiver := server(t, func(w http.ResponseWriter, r *http.Request) {
		if accepted := r.Header.Get("Accept-Encoding"); accepted != "" {
			t.Errorf("the request accepts %q", accepted)
		}
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, bomb)
	})
	s := loopback(t, sender.Options{})
	const rounds = 50
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		if got := s.Send(t.Context(), request(receiver.URL)); got.Verdict != webhook.Accepted || got.Excerpt != strings.Repeat("0", 1<<10) {
			t.Fatalf("it is %s with the excerpt %q", got.Verdict, got.Excerpt)
		}
	}
	runtime.ReadMemStats(&after)
	allocated := (after.TotalAlloc - before.TotalAlloc) / rounds
	if allocated > 1<<20 {
		t.Errorf("reading a bomb of %d bytes allocates %d", len(bomb), allocated)
	}
}

// Receivers that hold on must not hold on to anything of ours.
func TestH15_NothingIsLeftBehind(t *testing.T) {
	address, _ := listener(t, "127.0.0.1:0", func(conn net.Conn) {
		readHead(conn)
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\nand")
		io.Copy(io.Discard, conn)
	})
	silent, _ := listener(t, "127.0.0.1:0", func(conn net.Conn) { io.Copy(io.Discard, conn) })
	s := loopback(t, sender.Options{Timeout: 50 * time.Millisecond, BreakerTimeout: -1})
	before := runtime.NumGoroutine()
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			for _, url := range []string{"http://" + address, "http://" + silent, "https://" + silent} {
				s.Send(t.Context(), request(url))
			}
		})
	}
	wait.Wait()
	s.Close()
	for range 100 {
		if runtime.NumGoroutine() <= before+2 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("there are %d goroutines, and were %d", runtime.NumGoroutine(), before)
}

func TestTheExcerptCanBeStored(t *testing.T) {
	body := "first line\nsecond\x00\x1b[31m\u202e line\r\n" + strings.Repeat("é", 600) + "\xff"
	receiver := server(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
	got := loopback(t, sender.Options{}).Send(t.Context(), request(receiver.URL))
	if !strings.HasPrefix(got.Excerpt, "first line\nsecond[31m line\néé") || len(got.Excerpt) > 1024 || strings.ContainsAny(got.Excerpt, "\x00\x1b\r") {
		t.Errorf("the excerpt is %q", got.Excerpt)
	}
}

func TestHeadersAreWrittenAsTheyAreSpelt(t *testing.T) {
	received := make(chan string, 1)
	address, _ := listener(t, "127.0.0.1:0", func(conn net.Conn) {
		head := readHead(conn)
		body := make([]byte, 31)
		io.ReadFull(conn, body)
		received <- string(head) + string(body)
		io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
	})
	got := loopback(t, sender.Options{}).Send(t.Context(), request("http://"+address+"/hook?key=a%20b",
		webhook.Header{Name: "Content-Type", Value: "application/json"},
		webhook.Header{Name: "User-Agent", Value: "Vitrine/1.2.3"},
		webhook.Header{Name: "webhook-id", Value: "msg_1"},
		webhook.Header{Name: "x-api-KEY", Value: "été"},
		webhook.Header{Name: "X_Portal", Value: "42"},
	))
	if got.Verdict != webhook.Accepted {
		t.Fatalf("it is %s for %q", got.Verdict, got.Reason)
	}
	lines := strings.Split(<-received, "\r\n")
	headers := lines[1 : len(lines)-2]
	slices.Sort(headers)
	want := []string{
		"Content-Length: 31", "Content-Type: application/json", "Host: " + address, "User-Agent: Vitrine/1.2.3", "X_Portal: 42",
		"webhook-id: msg_1", "x-api-KEY: été",
	}
	if diff := cmp.Diff(want, headers); diff != "" {
		t.Errorf("the headers on the wire are not those that were given: %s", diff)
	}
	if lines[0] != "POST /hook?key=a%20b HTTP/1.1" || lines[len(lines)-1] != `{"event_type":"PRODUCT_UPDATE"}` {
		t.Errorf("the request is %q … %q", lines[0], lines[len(lines)-1])
	}
}

func TestWithoutAUserAgentNoneIsMadeUp(t *testing.T) {
	var agent atomic.Value
	receiver := server(t, func(_ http.ResponseWriter, r *http.Request) { agent.Store(r.Header.Values("User-Agent")) })
	loopback(t, sender.Options{}).Send(t.Context(), request(receiver.URL))
	if got := agent.Load().([]string); len(got) > 0 {
		t.Errorf("the user agent is %q", got)
	}
}

func TestConnectionsAreKept(t *testing.T) {
	var opened atomic.Int64
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "thanks") }))
	receiver.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	receiver.Start()
	defer receiver.Close()
	s := loopback(t, sender.Options{})
	for range 50 {
		if got := s.Send(t.Context(), request(receiver.URL)); got.Verdict != webhook.Accepted || got.Excerpt != "thanks" {
			t.Fatalf("it is %s for %q, with the excerpt %q", got.Verdict, got.Reason, got.Excerpt)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("50 requests took %d connections", n)
	}
}

func TestARefusedConnectionIsAFailure(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	got := loopback(t, sender.Options{}).Send(t.Context(), request("http://"+l.Addr().String()))
	if got.Verdict != webhook.Failure || got.Reason != "the connection was refused" || got.Status != 0 {
		t.Errorf("it is %s for %q with status %d", got.Verdict, got.Reason, got.Status)
	}
}

func TestAStoppedAttemptIsPutOff(t *testing.T) {
	begun := make(chan struct{})
	receiver := server(t, func(_ http.ResponseWriter, r *http.Request) { close(begun); <-r.Context().Done() })
	s := loopback(t, sender.Options{})
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-begun; stop() }()
	if got := s.Send(ctx, request(receiver.URL)); got.Verdict != webhook.Deferred {
		t.Errorf("it is %s for %q", got.Verdict, got.Reason)
	}
	if got := s.Send(ctx, request(receiver.URL)); got.Verdict != webhook.Deferred {
		t.Errorf("afterwards it is %s for %q", got.Verdict, got.Reason)
	}
	// Impatience is not the same: a receiver that never answers must come to its
	// end.
	silent, _ := listener(t, "127.0.0.1:0", func(c net.Conn) { io.Copy(io.Discard, c) })
	ctx, stop = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if got := s.Send(ctx, request("http://"+silent)); got.Verdict != webhook.Failure {
		t.Errorf("at the caller's deadline it is %s for %q", got.Verdict, got.Reason)
	}
}

func TestRootCAsAreReadFromAFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := sender.ReadRootCAs(dir + "/none.pem"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(dir+"/empty.pem", []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sender.ReadRootCAs(dir + "/empty.pem"); err == nil {
		t.Error("a file without certificates is accepted")
	}
}

// reasons of failures must not tell what our network looks like.
func TestReasonsNameNoAddress(t *testing.T) {
	s := started(t, sender.Options{Timeout: 300 * time.Millisecond})
	for _, url := range []string{"https://127.0.0.1/", "https://10.0.0.1/", "https://localhost/", "https://[::1]/", "http://portal.example/"} {
		got := s.Send(t.Context(), request(url))
		if got.Verdict != webhook.Failure || got.Reason != "the address is not permitted" {
			t.Errorf("%s is %s for %q", url, got.Verdict, got.Reason)
		}
	}
}
