package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// meter reads something that grows while requests are answered.
type meter struct {
	name string
	unit unit
	goal goal
	read func(context.Context) (float64, error)
	// parts is how many parts an answer has. The figure is then what each of them
	// took, and otherwise the ratio of what requests took.
	parts int
}

// readAll reads some meters.
func readAll(ctx context.Context, meters []meter) ([]float64, error) {
	read := make([]float64, len(meters))
	for i, m := range meters {
		var err error
		if read[i], err = m.read(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return read, nil
}

// reportSpent adds what a contest showed on its n-th meter.
func (b *bench) reportSpent(name string, m meter, n int, ours, theirs []outcome) {
	each := func(o outcome) float64 { return o.spent[n] / float64(len(o.Times)*max(1, m.parts)) }
	value, u := medianOf(ours, each), m.unit
	remark := m.unit(value) + " against " + m.unit(medianOf(theirs, each))
	if m.parts == 0 {
		var ratios []float64
		for i := range ours {
			ratios = append(ratios, each(ours[i])/each(theirs[i]))
		}
		value, u = rig.Median(ratios), ratio
	}
	b.report.add(name+": "+m.name, value, u, m.goal, remark)
}

// allocations counts the objects that this process allocates, both servers in it, for
// each part of an answer.
func allocations(of string, parts int, g goal) meter {
	return meter{"objects allocated " + of, plain, g, func(context.Context) (float64, error) {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return float64(stats.Mallocs), nil
	}, parts}
}

// journalled meters what a database writes to its journal, if it tells.
func (w *world) journalled(g goal) []meter {
	p, tells := w.engine.(*postgresEngine)
	if !tells {
		return nil
	}
	return []meter{{name: "journal", unit: octets, goal: g, read: func(ctx context.Context) (float64, error) {
		written, err := p.journal(ctx)
		return float64(written), err
	}}}
}

// processed meters the time that the processes of a database spend on a processor, if
// there are such on this machine.
func (w *world) processed(ctx context.Context, g goal) []meter {
	p, ok := w.engine.(*postgresEngine)
	if !ok {
		return nil
	}
	if _, err := p.processorTime(ctx); errors.Is(err, errElsewhere) {
		return nil
	}
	return []meter{{name: "processor time of the database", unit: microseconds, goal: g, read: p.processorTime}}
}

// errElsewhere says that a database does not run on this machine, or that this is not
// Linux.
var errElsewhere = errors.New("its processes are not to be seen here")

// processorTime returns how long the processes of PostgreSQL have been on a processor, in
// microseconds, without the one that is asked for their numbers.
func (e *postgresEngine) processorTime(ctx context.Context) (total float64, err error) {
	rows, err := e.watching.QueryContext(ctx, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var process int
		if err := rows.Scan(&process); err != nil {
			return 0, err
		}
		took, err := onProcessor(process)
		if err != nil {
			return 0, err
		}
		total += took
	}
	return total, rows.Err()
}

// onProcessor returns how long a process of PostgreSQL has been on a processor, in
// microseconds; one that has ended since has not been on any.
func onProcessor(process int) (float64, error) {
	folder := "/proc/" + strconv.Itoa(process)
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat("/proc/self/schedstat"); err == nil {
			return 0, nil
		}
		return 0, errElsewhere
	}
	name, err := os.ReadFile(folder + "/comm")
	if err != nil || !strings.HasPrefix(string(name), "postgres") {
		return 0, errElsewhere
	}
	text, err := os.ReadFile(folder + "/schedstat")
	if err != nil {
		return 0, errElsewhere
	}
	nanoseconds, _, _ := strings.Cut(string(text), " ")
	took, err := strconv.ParseFloat(nanoseconds, 64)
	return took / 1000, err
}
