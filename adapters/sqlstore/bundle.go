package sqlstore

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// Nearly all deliveries get through at the first attempt, and are seldom looked at again.
// Such deliveries leave the table of deliveries, and those of one webhook that are settled
// together are kept in one row, with their attempts: a bundle. What a bundle holds is neither in
// the table of deliveries nor, for its one attempt, in that of attempts.

const (
	// leastBundled is from how many deliveries on a bundle is smaller than they are.
	leastBundled = 2
	// mostBundled is how many deliveries a bundle holds at most, so that nearly all bundles fit
	// the page of their row.
	mostBundled = 64
	// bundleSpan bounds how far apart the ids of a bundle are. It is how far whoever looks for
	// an id has to look.
	bundleSpan = 1 << 14
)

// bundle is a row of deliveries that got through at the first attempt.
type bundle struct {
	site        site.ID
	hook        webhook.ID
	last, first webhook.DeliveryID
	size        int
	// url is that of all attempts.
	url string
	// firstAdded and lastAdded are zero when no delivery says when it was added.
	firstAdded, lastAdded time.Time
	firstEvent, lastEvent int64
	body                  string
}

func (s *Store) bundles() mapping[bundle] {
	const table = "delivery_bundle"
	return mapping[bundle]{
		table: table,
		keys:  []string{"site_id", "hook_id", "last_id"},
		row: func(p *bundle) row {
			sealed := sealing{s.keyring, table, &p.site, func() string { return fmt.Sprintf("%d %d", p.hook, p.last) }}
			return row{
				{"site_id", whole(&p.site)}, {"hook_id", whole(&p.hook)}, {"last_id", whole(&p.last)}, {"first_id", whole(&p.first)},
				{"size", whole(&p.size)}, sealed.column("url", secret[string]{&p.url}), {"first_added", instant(&p.firstAdded)},
				{"last_added", instant(&p.lastAdded)}, {"first_event", whole(&p.firstEvent)}, {"last_event", whole(&p.lastEvent)},
				{"body", text(&p.body)},
			}
		},
	}
}

// isBundlable reports whether a delivery got through at the first attempt, and is about
// nobody: what receivers say of people is looked for, and forgotten, one by one.
func isBundlable(s webhook.Settled) bool {
	return s.Status == webhook.Succeeded && s.Number == 1 && s.Failures == 0 && s.Reason == "" &&
		s.Attempt != nil && s.Attempt.Number == 1 && s.Attempt.Error == "" && !isAboutPeople(s.Type.Resource())
}

// isAboutPeople reports whether events of a kind may be about a person. An action is about a
// product or a customer, which its event does not tell.
func isAboutPeople(kind string) bool {
	return event.IsPersonal(kind) || kind == event.ActionCreate.Resource()
}

// bundlable parts what can be kept in bundles, each of its own, from the rest.
func bundlable(settled []webhook.Settled) (together [][]webhook.Settled, rest []webhook.Settled) {
	type group struct {
		site site.ID
		hook webhook.ID
		day  int64
		url  string
	}
	groups := map[group][]webhook.Settled{}
	var order []group
	for _, s := range settled {
		if !isBundlable(s) {
			rest = append(rest, s)
			continue
		}
		g := group{s.Site, s.Hook, int64(s.ID) / idsOfDay, s.Attempt.URL}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], s)
	}
	for _, g := range order {
		for _, some := range divide(groups[g]) {
			if len(some) < leastBundled {
				rest = append(rest, some...)
			} else {
				together = append(together, some)
			}
		}
	}
	return together, rest
}

// divide puts deliveries in the order of their ids, and parts them into what fits a bundle.
func divide(settled []webhook.Settled) (parts [][]webhook.Settled) {
	slices.SortFunc(settled, func(a, b webhook.Settled) int { return int(a.ID - b.ID) })
	begin := 0
	for i, s := range settled {
		if i-begin == mostBundled || s.ID-settled[begin].ID >= bundleSpan {
			parts, begin = append(parts, settled[begin:i]), i
		}
	}
	return append(parts, settled[begin:])
}

// bundleOf bundles deliveries that belong together, in the order of their ids.
func bundleOf(settled []webhook.Settled) (bundle, error) {
	first, last := settled[0], settled[len(settled)-1]
	p := bundle{
		site: first.Site, hook: first.Hook, first: first.ID, last: last.ID, size: len(settled), url: first.Attempt.URL,
		firstEvent: first.Event, lastEvent: first.Event,
	}
	var w bundleWriter
	for _, s := range settled {
		if !s.Added.IsZero() && (p.firstAdded.IsZero() || s.Added.Before(p.firstAdded)) {
			p.firstAdded = s.Added
		}
		if s.Added.After(p.lastAdded) {
			p.lastAdded = s.Added
		}
		p.firstEvent, p.lastEvent = min(p.firstEvent, s.Event), max(p.lastEvent, s.Event)
		w.add(s)
	}
	p.body = base64.RawStdEncoding.EncodeToString(w.out)
	return p, w.err
}

// open reads what is in a bundle, in the order of ids.
func (p bundle) open() ([]webhook.Settled, error) {
	raw, err := base64.RawStdEncoding.DecodeString(p.body)
	if err != nil {
		return nil, fmt.Errorf("a bundle of deliveries of webhook %d: %w", p.hook, err)
	}
	r := bundleReader{in: raw}
	held := make([]webhook.Settled, 0, p.size)
	for range p.size {
		s := webhook.Settled{
			Delivery: webhook.Delivery{Site: p.site, Hook: p.hook, Status: webhook.Succeeded, Number: 1},
			Attempt:  &webhook.Attempt{Number: 1, URL: p.url},
		}
		r.read(&s)
		held = append(held, s)
	}
	if r.err != nil || len(r.in) > 0 {
		return nil, fmt.Errorf("a bundle of deliveries of webhook %d cannot be read: %d bytes are left, %w", p.hook, len(r.in), errors.Join(errBundle, r.err))
	}
	return held, nil
}

var errBundle = errors.New("it is damaged")

// bundleCode is what is known from the deliveries before, while a bundle is written or read: a
// number is written as how much more it is than the one before it, and a text that was
// there before as its place among the texts so far.
type bundleCode struct {
	before [bundleNumbers]int64
	texts  []string
}

// bundleNumbers is how many numbers there are of a delivery.
const bundleNumbers = 10

// numbersOf are the numbers of a delivery and of its attempt. Nearly always the moments that
// a delivery was added and due at are as far from that of its event as those of the one
// before.
func numbersOf(s webhook.Settled) [bundleNumbers]int64 {
	at := momentOf(s.At)
	return [bundleNumbers]int64{
		int64(s.ID), s.Event, s.Resource, at, momentOf(s.Added) - at, momentOf(s.Due) - at, s.Epoch,
		momentOf(s.Attempt.At), int64(s.Attempt.Status), int64(s.Attempt.Duration),
	}
}

func setNumbers(s *webhook.Settled, n [bundleNumbers]int64) {
	s.ID, s.Event, s.Resource = webhook.DeliveryID(n[0]), n[1], n[2]
	s.At, s.Added, s.Due, s.Epoch = momentAt(n[3]), momentAt(n[3]+n[4]), momentAt(n[3]+n[5]), n[6]
	s.Attempt.At, s.Attempt.Status, s.Attempt.Duration = momentAt(n[7]), int(n[8]), time.Duration(n[9])
}

// noMoment is the zero time. Sums that overflow come back as they were.
const noMoment = math.MinInt64

func momentOf(t time.Time) int64 {
	if t.IsZero() {
		return noMoment
	}
	return t.UnixMicro()
}

func momentAt(n int64) time.Time {
	if n == noMoment {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// usualMessage is what the message of nearly every delivery is called.
func usualMessage(s *webhook.Settled) string {
	return "evt_" + strconv.FormatInt(int64(s.Site), 10) + "_" + strconv.FormatInt(s.Event, 10)
}

type bundleWriter struct {
	bundleCode
	out []byte
	err error
}

func (w *bundleWriter) add(s webhook.Settled) {
	numbers := numbersOf(s)
	for i, n := range numbers {
		w.out = binary.AppendVarint(w.out, n-w.before[i])
	}
	w.before = numbers
	if s.Message == usualMessage(&s) {
		w.text("")
	} else {
		w.text("=" + s.Message)
	}
	w.text(string(s.Type))
	w.text(s.Subject)
	w.text(s.Attempt.Excerpt)
}

// text writes the place of a text, or a new text behind the first place that none has.
func (w *bundleWriter) text(s string) {
	at := slices.Index(w.texts, s)
	if at >= 0 {
		w.out = binary.AppendUvarint(w.out, uint64(at))
		return
	}
	if _, err := text(&s).Value(); err != nil {
		w.err = errors.Join(w.err, err)
	}
	w.out = binary.AppendUvarint(w.out, uint64(len(w.texts)))
	w.out = binary.AppendUvarint(w.out, uint64(len(s)))
	w.out = append(w.out, s...)
	w.texts = append(w.texts, s)
}

type bundleReader struct {
	bundleCode
	in  []byte
	err error
}

func (r *bundleReader) read(s *webhook.Settled) {
	for i := range r.before {
		n, size := binary.Varint(r.in)
		r.before[i] += n
		r.skip(size)
	}
	setNumbers(s, r.before)
	if message := r.text(); message == "" {
		s.Message = usualMessage(s)
	} else {
		s.Message = message[1:]
	}
	s.Type, s.Subject, s.Attempt.Excerpt = event.Type(r.text()), r.text(), r.text()
}

func (r *bundleReader) text() string {
	at := r.size()
	switch {
	case at < len(r.texts):
		return r.texts[at]
	case at > len(r.texts):
		r.skip(0)
		return ""
	}
	length := r.size()
	if length > len(r.in) {
		r.skip(0)
		return ""
	}
	s := string(r.in[:length])
	r.in = r.in[length:]
	r.texts = append(r.texts, s)
	return s
}

// size reads a number that is not negative.
func (r *bundleReader) size() int {
	n, size := binary.Uvarint(r.in)
	r.skip(size)
	if n > math.MaxInt32 {
		r.skip(0)
		return 0
	}
	return int(n) //nolint:gosec // it is small enough
}

// skip goes on behind so many bytes. Without any the bundle is damaged.
func (r *bundleReader) skip(n int) {
	if n <= 0 || r.err != nil {
		r.err, r.in = errBundle, nil
		return
	}
	r.in = r.in[n:]
}
