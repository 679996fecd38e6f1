//go:build unix

package sender

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// BenchmarkSend is one attempt after the other to a receiver that does little.
func BenchmarkSend(b *testing.B) {
	networks, err := webhook.ParseNetworks("127.0.0.0/8:*")
	if err != nil {
		b.Fatal(err)
	}
	options := Options{Allowance: webhook.Allowance{HTTP: true, Networks: networks}}
	r := webhook.Request{Site: 1, Hook: 1, Epoch: 1, URL: "http://" + thankful(b), Body: []byte(`{"event_type":"PRODUCT_UPDATE","resource_id":1}`), Headers: []webhook.Header{
		{Name: "Content-Type", Value: "application/json"}, {Name: "User-Agent", Value: "Vitrine"}, {Name: "webhook-id", Value: "evt_1_1"},
		{Name: "webhook-timestamp", Value: "1700000000"}, {Name: "webhook-signature", Value: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="},
		{Name: "X-Event-Type", Value: "PRODUCT_UPDATE"}, {Name: "X-Delivery-Attempt", Value: "1"},
	}}
	s := New(options)
	defer s.Close()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.ReportAllocs()
	before := processor(b)
	for b.Loop() {
		if got := s.Send(ctx, r); got.Verdict != webhook.Accepted {
			b.Fatal(got.Reason)
		}
	}
	b.ReportMetric(float64(processor(b)-before)/float64(b.N), "cpu-ns/op")
}

// processor is the processor time of this process, which the load of others hardly
// changes.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// thankful answers whatever comes, and hardly looks at it.
func thankful(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					io.Copy(io.Discard, r.Body)
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				}
			}()
		}
	}()
	return l.Addr().String()
}
