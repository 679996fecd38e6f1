package main

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

func TestMetersAreReadForEachRequest(t *testing.T) {
	of := func(spent float64, requests int) outcome {
		return outcome{Times: make([]time.Duration, requests), Elapsed: time.Second, spent: []float64{7, spent}}
	}
	ours, theirs := []outcome{of(400, 10), of(900, 10), of(600, 10)}, []outcome{of(100, 10), of(300, 10), of(600, 20)}
	var b bench
	b.reportSpent("create", meter{name: "journal", unit: octets, goal: atMost(3)}, 1, ours, theirs)
	b.reportSpent("page", meter{name: "objects", unit: plain, goal: atMost(10), parts: 2}, 1, ours, theirs)
	for i, want := range []line{
		{name: "create: journal", value: 3, remark: "60.0 B against 30.0 B"},
		{name: "page: objects", value: 30, remark: "30.0 against 15.0"},
	} {
		if got := b.report.lines[i]; got.name != want.name || got.value != want.value || got.remark != want.remark {
			t.Errorf("%s is %g, %s", got.name, got.value, got.remark)
		}
	}
	if got := b.report.lines[0].unit(3); got != "3.00 ×" {
		t.Errorf("a ratio is written %q", got)
	}
}

func TestObjectsAreCounted(t *testing.T) {
	m := allocations("a product", 1, goal{})
	before, err := m.read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	kept := make([]*[64]byte, 10_000)
	for i := range kept {
		kept[i] = new([64]byte)
	}
	after, err := m.read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if counted := after - before; counted < float64(len(kept)) {
		t.Errorf("%d objects are counted as %g", len(kept), counted)
	}
}

func TestProcessesThatAreNotOfADatabaseAreNotMetered(t *testing.T) {
	if _, err := onProcessor(os.Getpid()); !errors.Is(err, errElsewhere) {
		t.Errorf("this process is metered: %v", err)
	}
}
