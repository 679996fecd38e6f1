package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkFromTheAnswerToThePage measures how long after the server answered a change the page of
// the mirror shows it.
func BenchmarkFromTheAnswerToThePage(b *testing.B) {
	s := newStand(b, false)
	a := s.author()
	s.settle()
	path := s.page(a.ids[0])
	took := make([]time.Duration, 0, b.N)
	for i := range b.N {
		price := 100_000 + i
		if err := a.price(a.ids[0], float64(price)); err != nil {
			b.Fatal(err)
		}
		begin, want := time.Now(), fmt.Sprintf(`value="%d"`, price)
		for {
			if _, text := s.get(path); strings.Contains(text, want) {
				break
			}
			if time.Since(begin) > 10*time.Second {
				b.Fatal("the page does not show the change")
			}
			time.Sleep(time.Millisecond)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	at := func(share float64) float64 {
		return float64(took[int(share*float64(len(took)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(.5), "p50-ms")
	b.ReportMetric(at(.99), "p99-ms")
	b.ReportMetric(0, "ns/op")
}
