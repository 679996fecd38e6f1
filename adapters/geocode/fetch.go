package geocode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

const (
	// maxBody is far more than one place takes.
	maxBody   = 256 << 10
	maxHeader = 64 << 10
	// How long a service that answers 429 is left alone: as it says, within
	// reason.
	defaultQuiet = 5 * time.Second
	maxQuiet     = time.Hour
)

// fetch makes one request and reads its answer.
func (c *Online) fetch(ctx context.Context, query url.Values) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	target := *c.search
	target.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", agent)
	request.Header.Set("Accept", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, unreached(err)
	}
	defer response.Body.Close()
	if err := c.judge(response); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err != nil {
		return nil, unreached(err)
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("the geocoder answers more than %d bytes", maxBody)
	}
	return body, nil
}

// unreached words the failure of a request without its URL, which holds an
// address. A service that cannot be connected to is down for every address; one
// that takes too long may do so because of this one.
func unreached(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var connecting *net.OpError
	if errors.As(err, &connecting) && connecting.Op == "dial" {
		return fmt.Errorf("the geocoder cannot be reached: %w: %w", fault.Unavailable, err)
	}
	return fmt.Errorf("asking the geocoder: %w", err)
}

// judge says what a status means.
func (c *Online) judge(r *http.Response) error {
	switch status := r.StatusCode; status {
	case http.StatusOK:
		return nil
	case http.StatusBadRequest, http.StatusRequestURITooLong, http.StatusUnprocessableEntity:
		return fmt.Errorf("the geocoder refuses the address with status %d: %w", status, fault.Invalid)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		c.quiet.hold(r.Header.Get("Retry-After"))
		return fmt.Errorf("the geocoder wants fewer requests, with status %d: %w", status, fault.Limited)
	default:
		if status < 500 { // the configuration is wrong, not the address
			return fmt.Errorf("the geocoder answers %d: %w", status, fault.Unavailable)
		}
		return fmt.Errorf("the geocoder answers %d", status)
	}
}

// quiet is until when a service wants to be left alone.
type quiet struct {
	mu    sync.Mutex
	until time.Time
}

// hold reads a Retry-After: seconds, or a date.
func (q *quiet) hold(retryAfter string) {
	wait := defaultQuiet
	if seconds, err := strconv.Atoi(retryAfter); err == nil {
		wait = time.Duration(min(max(seconds, 0), int(maxQuiet/time.Second))) * time.Second
	} else if at, err := http.ParseTime(retryAfter); err == nil {
		wait = time.Until(at)
	}
	wait = min(max(wait, time.Second), maxQuiet)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.until = time.Now().Add(wait)
}

func (q *quiet) check() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if left := time.Until(q.until); left > 0 {
		return fmt.Errorf("the geocoder wants to be left alone for %s: %w", left.Round(time.Second), fault.Limited)
	}
	return nil
}
