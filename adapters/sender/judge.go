package sender

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const (
	maxReason  = 1000 // characters
	maxExcerpt = 1 << 10
	// maxRetryAfter bounds what is taken from a header; the policy has a bound
	// of its own.
	maxRetryAfter = 24 * time.Hour
)

// judge reads an answer as the contract does. The status and the headers have
// decided; the body only explains, as far as it arrived in time. What conceal
// replaces is not kept.
func judge(r response, now time.Time, conceal *strings.Replacer) result {
	body := readable(r)
	if len(body) > 0 {
		body = []byte(conceal.Replace(string(body)))
	}
	answer := webhook.Answer{Status: r.status, Excerpt: excerpt(body)}
	about := alive
	switch {
	case r.status >= 200 && r.status < 300:
		answer.Verdict = webhook.Accepted
	case r.status == http.StatusUnprocessableEntity:
		answer.Verdict, answer.Reason = webhook.Refused, reason(body, conceal)
	default:
		answer.Verdict, answer.Reason = webhook.Failure, said("answered %d", r.status)
		if r.status >= 500 {
			about = receiver
		}
	}
	if r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable {
		answer.RetryAfter = retryAfter(r.header.Get("Retry-After"), now)
	}
	return result{answer: answer, about: about}
}

// readable returns the body of an answer as UTF-8 without a byte order mark, as far as it arrived and
// up to the limit: a small answer must not become a large one. Receivers compress although the
// request did not allow it. Of an encoding that is not known nothing can be read.
func readable(r response) []byte {
	body := r.body
	var unpacked io.Reader
	var err error
	switch encoding := strings.ToLower(strings.TrimSpace(r.header.Get("Content-Encoding"))); {
	case bytes.HasPrefix(body, []byte{0x1f, 0x8b}) && (encoding == "" || encoding == "identity"), encoding == "gzip", encoding == "x-gzip":
		unpacked, err = gzip.NewReader(bytes.NewReader(body))
	case encoding == "deflate":
		unpacked, err = zlib.NewReader(bytes.NewReader(body))
	case encoding != "" && encoding != "identity":
		return nil
	}
	if err != nil {
		return nil
	}
	if unpacked != nil {
		body, _ = io.ReadAll(io.LimitReader(unpacked, maxBody))
	}
	body, _, _ = transform.Bytes(utf.BOMOverride(transform.Nop), body)
	return body
}

// concealing replaces secrets by an ellipsis, the longest first.
func concealing(secrets []string) *strings.Replacer {
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, secret := range secrets {
		if secret != "" {
			pairs = append(pairs, secret, "…")
		}
	}
	return strings.NewReplacer(pairs...)
}

// retryAfter reads a number of seconds or a date; 0 when it is neither, or past.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if text != "" && strings.Trim(text, "0123456789") == "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter
		}
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return min(maxRetryAfter, max(0, at.Sub(now)))
}

// reason finds why a receiver rejected an event: error.message, message, reason
// or error of a JSON object, else the text as it is.
func reason(body []byte, conceal *strings.Replacer) string {
	for _, candidate := range append(candidates(body), string(body)) {
		// Again, because escapes in the JSON may have hidden a secret.
		if clean := shorten(tidy(conceal.Replace(candidate)), maxReason); clean != "" {
			return clean
		}
	}
	return said("rejected without reason")
}

// candidates returns the places of a JSON object where a reason can be, best first.
func candidates(body []byte) []string {
	// Into maps, because a struct would also match Message and MESSAGE.
	var object, inner map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil {
		return nil
	}
	_ = json.Unmarshal(object["error"], &inner) // not an object: no candidate
	var found []string
	for _, raw := range []json.RawMessage{inner["message"], object["message"], object["reason"], object["error"]} {
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			found = append(found, text)
		}
	}
	return found
}

// tidy leaves text that can be shown, logged and stored anywhere: valid UTF-8
// in one line without control characters.
func tidy(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsGraphic(r):
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.TrimSpace(text)
}

// excerpt returns the beginning of a body, lines and all.
func excerpt(body []byte) string {
	if len(body) > maxExcerpt {
		body = body[:maxExcerpt]
	}
	text := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(string(body), ""))
	return strings.TrimSpace(text)
}

// shorten keeps the first n characters.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	count := 0
	for at := range text {
		if count == n {
			return strings.TrimSpace(text[:at])
		}
		count++
	}
	return text
}
