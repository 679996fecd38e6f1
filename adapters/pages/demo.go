package pages

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// requests makes requests of those of a demo, of the examples of a document, and where
// there is neither, of its schemas.
type requests struct {
	*document
	// demo are those of the demo, by the ids of operations.
	demo map[string]given
}

// given is a request of a demo, in its parts.
type given struct {
	inPath map[string]string
	query  url.Values
	body   string
}

// newRequests returns which operations the requests of a demo are for.
func newRequests(ctx context.Context, d *document, operations []*operation, demo *Demo) (requests, error) {
	rs := requests{d, map[string]given{}}
	if demo == nil || demo.Requests == nil {
		return rs, nil
	}
	all, err := demo.Requests(ctx)
	if err != nil {
		return rs, err
	}
	for _, r := range all {
		path, query, _ := strings.Cut(r.Path, "?")
		o, inPath := operationCalled(operations, r.Method, path), map[string]string{}
		found := o != nil
		if found {
			inPath, found = match(o.Path, path)
		}
		if !found {
			return rs, fmt.Errorf("there is no operation %s %s", r.Method, path)
		}
		asked, err := url.ParseQuery(query)
		if err != nil {
			return rs, fmt.Errorf("reading %s: %w", r.Path, err)
		}
		if _, taken := rs.demo[o.ID]; !taken {
			rs.demo[o.ID] = given{inPath, asked, r.Body}
		}
	}
	return rs, nil
}

// match holds a path against one with names in braces, and tells what is in their
// places.
func match(named, path string) (values map[string]string, ok bool) {
	names, words := strings.Split(named, "/"), strings.Split(path, "/")
	if len(names) != len(words) {
		return nil, false
	}
	values = map[string]string{}
	for i, name := range names {
		if inner, opens := strings.CutPrefix(name, "{"); opens {
			value, err := url.PathUnescape(words[i])
			if err != nil {
				return nil, false
			}
			values[strings.TrimSuffix(inner, "}")] = value
		} else if name != words[i] {
			return nil, false
		}
	}
	return values, true
}
