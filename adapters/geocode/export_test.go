package geocode

import "time"

// QuietAfter is how long a Retry-After keeps requests back.
func QuietAfter(retryAfter string) time.Duration {
	var q quiet
	q.hold(retryAfter)
	return time.Until(q.until)
}
