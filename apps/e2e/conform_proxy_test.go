package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// exchange is a request and its answer as they pass a proxy that breaks a rule.
type exchange struct {
	request *http.Request
	// line is the method, the path below {base_url} and the query.
	line  string
	asked object
	// to is the server behind the proxy.
	to string
	// What came; got is its JSON, nil if it is none.
	status int
	header http.Header
	got    any
}

// sabotage breaks one rule of the contract.
type sabotage struct {
	// falls are the checks that must notice, with patterns.
	falls string
	// on is an expression for the lines of requests, or of deliveries, which are called DELIVERY.
	on string
	// ask changes what is asked, instead answers itself if it returns a status, and answer changes what is answered.
	ask, answer func(*exchange)
	instead     func(*exchange) int
	// wide sabotages break what most checks need.
	wide bool
}

// through is the address of a proxy in front of a server, which breaks rules on its way.
func through(t *testing.T, to string, line func(*http.Request) string, s sabotage) string {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	on := regexp.MustCompile(s.on)
	type key struct{}
	var own string
	proxy := &httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0), // of runs that end
		Rewrite:  func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Header.Set("Accept-Encoding", "identity") },
		ModifyResponse: func(r *http.Response) error {
			x := r.Request.Context().Value(key{}).(*exchange)
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			x.status, x.header, x.got = r.StatusCode, r.Header, nil
			_ = json.Unmarshal(body, &x.got)
			if s.answer != nil && on.MatchString(x.line) {
				if s.answer(x); x.got != nil {
					body, _ = json.Marshal(x.got)
				}
			}
			body = bytes.ReplaceAll(body, []byte(to), []byte(own))
			for name, values := range r.Header {
				r.Header.Set(name, strings.ReplaceAll(strings.Join(values, ", "), to, own))
			}
			if r.StatusCode = x.status; r.StatusCode == http.StatusNoContent {
				body = nil
			}
			if r.Request.Method != http.MethodHead {
				r.Header.Set("Content-Length", strconv.Itoa(len(body)))
				r.ContentLength = int64(len(body))
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			return nil
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := read(r.Body)
		x := &exchange{request: r, line: line(r), to: to}
		_ = json.Unmarshal(body, &x.asked)
		if on.MatchString(x.line) {
			if s.instead != nil {
				if status := s.instead(x); status != 0 {
					w.WriteHeader(status)
					if x.got != nil {
						_ = json.NewEncoder(w).Encode(x.got)
					}
					return
				}
			}
			if before, _ := json.Marshal(x.asked); s.ask != nil {
				s.ask(x)
				if after, _ := json.Marshal(x.asked); !bytes.Equal(before, after) {
					body = after
				}
			}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, x)))
	}))
	t.Cleanup(server.Close)
	own = server.URL
	return own
}

// requestLine is the method, the path below {base_url} and the query.
func requestLine(r *http.Request) string {
	return r.Method + " " + strings.TrimPrefix(r.URL.RequestURI(), kernel.BasePath)
}

// What sabotages are made of.

// each calls a function with every object or list that has the last step of a path, in which * is each item of a list and -1 the last one.
func each(value any, path string, do func(parent any, step string)) {
	step, rest, more := strings.Cut(path, ".")
	switch v := value.(type) {
	case object:
		if _, there := v[step]; there && more {
			each(v[step], rest, do)
		} else if !more {
			do(v, step)
		}
	case list:
		for i, item := range v {
			if step == "*" || step == strconv.Itoa(i) || step == "-1" && i == len(v)-1 {
				if more {
					each(item, rest, do)
				} else {
					do(v, strconv.Itoa(i))
				}
			}
		}
	}
}

// renamed gives fields of answers another name.
func renamed(path string) func(*exchange) {
	return func(x *exchange) {
		each(x.got, path, func(parent any, step string) {
			if o, ok := parent.(object); ok {
				if value, there := o[step]; there {
					delete(o, step)
					o[step+"_renamed"] = value
				}
			}
		})
	}
}

// made gives fields of answers another value.
func made(path string, value any) func(*exchange) {
	return func(x *exchange) {
		each(x.got, path, func(parent any, step string) {
			switch p := parent.(type) {
			case object:
				p[step] = value
			case list:
				i, _ := strconv.Atoi(step) // by each
				p[i] = value
			}
		})
	}
}

// items changes the list in data.
func items(change func(list) list) func(*exchange) {
	return func(x *exchange) {
		if o, ok := x.got.(object); ok {
			if data, ok := o["data"].(list); ok {
				o["data"] = change(data)
			}
		}
	}
}

var (
	backwards = items(func(l list) list { l = slices.Clone(l); slices.Reverse(l); return l })
	emptied   = items(func(list) list { return list{} })
	shortened = items(func(l list) list { return l[:max(0, len(l)-1)] })
	doubled   = items(func(l list) list { return append(l, l[0]) })
)

// status answers one status in place of another.
func status(from, to int) func(*exchange) {
	return func(x *exchange) {
		if x.status == from {
			x.status = to
		}
	}
}

// header changes one of an answer; an empty value takes it away.
func header(name, value string) func(*exchange) {
	return func(x *exchange) {
		if x.header.Set(name, value); value == "" {
			x.header.Del(name)
		}
	}
}

// unsent takes fields out of what is asked.
func unsent(names ...string) func(*exchange) {
	return func(x *exchange) {
		for _, name := range names {
			delete(x.asked, name)
		}
	}
}

// operate writes another operator into conditions.
func operate(from, to string) func(*exchange) {
	return func(x *exchange) {
		each(x.asked["criterias"], "*.operator", func(parent any, step string) {
			if o := parent.(object); o[step] == from {
				o[step] = to
			}
		})
	}
}

// unsaid takes a header out of what is asked.
func unsaid(name string) func(*exchange) {
	return func(x *exchange) { x.request.Header.Del(name) }
}

// unasked takes a parameter out of the query.
func unasked(name string) func(*exchange) {
	return func(x *exchange) {
		q := x.request.URL.Query()
		q.Del(name)
		x.request.URL.RawQuery = q.Encode()
	}
}

// when makes a change for some requests.
func when(some func(*exchange) bool, change func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		if some(x) {
			change(x)
		}
	}
}

// asks reports whether a field is asked for, with a value if one is given.
func asks(name string, values ...any) func(*exchange) bool {
	return func(x *exchange) bool {
		value, there := x.asked[name]
		return there && (len(values) == 0 || slices.Contains(values, value))
	}
}

// alone reports whether nothing but some fields is asked for.
func alone(names ...string) func(*exchange) bool {
	return func(x *exchange) bool {
		for name := range x.asked {
			if !slices.Contains(names, name) {
				return false
			}
		}
		return len(x.asked) == len(names)
	}
}

// criterionMade gives a criterion that is read of products another value.
func criterionMade(id string, change func(any) any) func(*exchange) {
	return func(x *exchange) {
		each(x.got, "data.*.id", func(parent any, _ string) {
			if o := parent.(object); id == "" || o["id"] == id {
				o["value"] = change(o["value"])
			}
		})
	}
}

func always(value any) func(any) any { return func(any) any { return value } }

// behind makes a change only from the nth request on.
func behind(n int64, change func(*exchange)) func(*exchange) {
	var seen atomic.Int64
	return func(x *exchange) {
		if seen.Add(1) > n {
			change(x)
		}
	}
}
