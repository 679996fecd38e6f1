package trace

import "time"

// How many requests are kept in a second, by one process.
const (
	// readsPerSecond is from how many reads on that succeed only one in some is kept.
	readsPerSecond = 200
	// mostPerSecond bounds writes and refusals.
	mostPerSecond = 1000
)

// Sampler decides which requests are kept. The zero Sampler is ready for use. It is
// not safe for concurrent use.
type Sampler struct {
	second time.Time
	// kept are the reads that were kept within the second, or would have been with the
	// present oneIn; skipped are those since the last that was kept.
	kept, skipped int
	oneIn         int
	// others are the writes and refusals within the second.
	others int
}

// Take reports for how many requests the one that comes now is kept; 0 when it is
// not kept. Important ones are writes and refusals, of which all are kept unless there
// are a thousand a second. Of others, from the two hundredth of a second on, one in two
// is kept, then one in four and so on; the next second begins with twice as many.
func (s *Sampler) Take(now time.Time, important bool) (oneIn int) {
	if elapsed := now.Sub(s.second); elapsed >= time.Second || elapsed < 0 {
		*s = Sampler{second: now, oneIn: max(1, s.oneIn>>min(uint64(elapsed/time.Second), 32))}
	}
	if important {
		if s.others++; s.others > mostPerSecond {
			return 0
		}
		return 1
	}
	if s.kept == readsPerSecond {
		s.oneIn, s.kept = 2*s.oneIn, s.kept/2
	}
	if s.skipped++; s.skipped < s.oneIn {
		return 0
	}
	s.skipped = 0
	s.kept++
	return s.oneIn
}
