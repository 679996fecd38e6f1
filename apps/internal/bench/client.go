package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// clientMode is the argument that makes this program the client.
const clientMode = "client-process"

// job is what the client does with one server: it sends the requests in turn,
// over so many connections, each of which waits for its answer.
type job struct {
	Address     string
	Requests    [][]byte
	Status      int
	Connections int
	For         time.Duration
	// Once sends each request one time, however long it takes.
	Once bool
	// Pace is how far apart the requests of a connection are due; 0 is at once. A
	// request that is sent late because the one before took long counts from when
	// it was due: its client waited that long.
	Pace time.Duration
	// Within bounds how long the job takes, whether it is answered or not; 0 is
	// jobLimit.
	Within time.Duration
	// Beside is done at the same time, for as long; only how often is told of it.
	Beside *job
}

// outcome is what came of a job.
type outcome struct {
	Times   []time.Duration
	Bytes   int
	Elapsed time.Duration
	Failure string
	// Beside is how many requests of the other job were answered.
	Beside int
	// spent is by how much some meters went on meanwhile.
	spent []float64
}

// rate returns how many requests were answered in a second.
func (o outcome) rate() float64 { return float64(len(o.Times)) / o.Elapsed.Seconds() }

// size returns how large the average body was.
func (o outcome) size() int { return o.Bytes / len(o.Times) }

// client is the child process as its parent sees it.
type client struct{ *child }

func startClient() (*client, error) {
	c, err := startChild(clientMode)
	if err != nil {
		return nil, err
	}
	return &client{c}, nil
}

func (c *client) do(ctx context.Context, j job) (outcome, error) {
	var o outcome
	if err := c.ask(ctx, j, &o); err != nil {
		return o, err
	}
	if o.Failure != "" {
		return o, errors.New(o.Failure)
	}
	if len(o.Times) == 0 {
		return o, errors.New("nothing was answered")
	}
	return o, nil
}

// serveJobs is the child process.
func serveJobs(ctx context.Context, _ []string) error {
	serve(ctx, job.run)
	return nil
}

func (j job) run() outcome {
	if j.Beside == nil {
		return j.alone()
	}
	var other outcome
	var work sync.WaitGroup
	beside := *j.Beside
	beside.For, beside.Within = j.For, j.Within
	work.Go(func() { other = beside.alone() })
	o := j.alone()
	work.Wait()
	o.Beside = len(other.Times)
	o.Failure = cmp.Or(o.Failure, other.Failure)
	return o
}

// alone does the job by itself.
func (j job) alone() outcome {
	var (
		total   outcome
		mu      sync.Mutex
		clients sync.WaitGroup
		started = time.Now()
		end     = started.Add(cmp.Or(j.Within, jobLimit))
	)
	for n := range j.Connections {
		clients.Go(func() {
			first, last := n*len(j.Requests)/j.Connections, (n+1)*len(j.Requests)/j.Connections
			one, err := j.converse(end, first, func(next int, now time.Time) bool {
				if j.Once {
					return next < last
				}
				return now.Sub(started) < j.For
			})
			mu.Lock()
			defer mu.Unlock()
			total.Times = append(total.Times, one.Times...)
			total.Bytes += one.Bytes
			if err != nil {
				total.Failure = err.Error()
			}
		})
	}
	clients.Wait()
	total.Elapsed = time.Since(started)
	return total
}

// converse sends requests over one connection while there are more, beginning
// with the one given, and fails at the deadline. What it does per request is the
// least a client can do.
func (j job) converse(deadline time.Time, next int, more func(next int, now time.Time) bool) (outcome, error) {
	var o outcome
	dialer := net.Dialer{Deadline: deadline}
	conn, err := dialer.Dial("tcp", j.Address)
	if err != nil {
		return o, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(deadline); err != nil {
		return o, err
	}
	answers := bufio.NewReaderSize(conn, 64<<10)
	for sent := time.Now(); more(next, sent); next++ {
		if j.Pace > 0 {
			due := sent.Add(j.Pace)
			time.Sleep(time.Until(due))
			sent = due
		}
		request := j.Requests[next%len(j.Requests)]
		if _, err := conn.Write(request); err != nil {
			return o, err
		}
		size, err := j.answer(answers)
		if err != nil {
			line, _, _ := bytes.Cut(request, []byte("\r\n"))
			return o, fmt.Errorf("%s: %w", line, err)
		}
		now := time.Now()
		o.Times = append(o.Times, now.Sub(sent))
		o.Bytes += size
		if j.Pace == 0 {
			sent = now
		}
	}
	return o, nil
}

// answer reads one answer, whose length the server must tell, and drops its body.
func (j job) answer(from *bufio.Reader) (size int, err error) {
	first, err := from.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	status := 0
	if len(first) > 12 {
		status, _ = strconv.Atoi(string(first[9:12]))
	}
	if size = -1; status == http.StatusNoContent {
		size = 0
	}
	for {
		header, err := from.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(header) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(header, []byte("Content-Length: ")); ok {
			if size, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
	}
	if size < 0 {
		return 0, fmt.Errorf("status %d without a length", status)
	}
	if status != j.Status {
		body, _ := io.ReadAll(io.LimitReader(from, int64(min(size, 1000))))
		return 0, fmt.Errorf("status %d instead of %d: %s", status, j.Status, body)
	}
	_, err = from.Discard(size)
	return size, err
}
