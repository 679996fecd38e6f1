package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// entityTag is what tells one state of a record from another (RFC 9110, section
// 8.8.3): the version, the hash of what is shown, or both with a hyphen between
// them. The version is what writes are compared by, and is the same whatever was
// fetched; the whole is what reads are compared by.
type entityTag struct {
	weak   bool
	opaque string
}

// tagOf makes the tag of a record at a version, 0 where it has none, that is
// shown as body; an empty body shows nothing.
func tagOf(version kernel.Version, body []byte) string {
	var parts []string
	if version != 0 {
		parts = append(parts, strconv.FormatInt(int64(version), 10))
	}
	if len(body) > 0 {
		sum := sha256.Sum256(body)
		parts = append(parts, hex.EncodeToString(sum[:16]))
	}
	return `"` + strings.Join(parts, "-") + `"`
}

// readTags reads a list of tags; all reports a "*". What is no tag is
// left out: it matches nothing.
func readTags(lines []string) (tags []entityTag, all bool) {
	rest := strings.Trim(strings.Join(lines, ","), " \t")
	if rest == "*" {
		return nil, true
	}
	for rest != "" {
		var tag entityTag
		rest = strings.TrimLeft(rest, " \t,")
		rest, tag.weak = strings.CutPrefix(rest, "W/")
		opened, quoted := strings.CutPrefix(rest, `"`)
		opaque, after, closed := strings.Cut(opened, `"`)
		if !quoted || !closed {
			_, rest, _ = strings.Cut(rest, ",")
			continue
		}
		tag.opaque, rest = opaque, after
		tags = append(tags, tag)
	}
	return tags, false
}

// ifMatch reads the condition of a write. Weak tags cannot meet it.
func ifMatch(header http.Header) kernel.IfMatch {
	lines := header.Values("If-Match")
	if len(lines) == 0 {
		return kernel.IfMatch{}
	}
	tags, all := readTags(lines)
	condition := kernel.IfMatch{Given: true, Any: all}
	for _, tag := range tags {
		version, _, _ := strings.Cut(tag.opaque, "-")
		if n, err := strconv.ParseInt(version, 10, 64); err == nil && !tag.weak {
			condition.Versions = append(condition.Versions, kernel.Version(n))
		}
	}
	return condition
}

// known finds what the client has of what it would be sent: the first of the tags
// that its If-None-Match names.
func known(noneMatch, tags []string) (tag string, ok bool) {
	given, all := readTags(noneMatch)
	for _, tag := range tags {
		if all || slices.ContainsFunc(given, func(t entityTag) bool { return `"`+t.opaque+`"` == tag }) {
			return tag, true
		}
	}
	return "", false
}
