package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// resource is one path with all its methods. The router only finds paths: its
// own answers to a wrong method lack Allow, the request id and, below a
// sub-router, even the right status.
type resource struct {
	server   *server
	path     string
	byMethod map[string]target
	allow    string
}

// target is what a method of a path leads to, under the name logs and metrics
// know.
type target struct {
	op      string
	handler http.Handler
}

// routes collects the resources while the tables are mounted.
type routes map[string]*resource

func (rs routes) add(s *server, method, path, op string, handler http.Handler) {
	if rs[path] == nil {
		rs[path] = &resource{server: s, path: path, byMethod: map[string]target{}}
	}
	if _, taken := rs[path].byMethod[method]; taken {
		panic("two operations answer to " + method + " " + path)
	}
	rs[path].byMethod[method] = target{op, handler}
}

// router makes a flat router of the resources. Sorted by path a word comes
// before a parameter in its place, so that it wins.
func (rs routes) router(s *server) *mux.Router {
	router := mux.NewRouter().SkipClean(true)
	for _, path := range slices.Sorted(maps.Keys(rs)) {
		res := rs[path]
		methods := slices.Collect(maps.Keys(res.byMethod))
		if _, ok := res.byMethod[http.MethodGet]; ok {
			methods = append(methods, http.MethodHead)
		}
		methods = append(methods, http.MethodOptions)
		slices.Sort(methods)
		res.allow = strings.Join(methods, ", ")
		router.Path(path).Handler(res)
	}
	router.NotFoundHandler = http.HandlerFunc(s.unknownRoute)
	return router
}

// ServeHTTP implements http.Handler.
func (res *resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := exchangeOf(r.Context())
	x.path, x.vars = res.path, mux.Vars(r)
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if to, ok := res.byMethod[method]; ok {
		x.op = to.op
		to.handler.ServeHTTP(w, r)
		return
	}
	if method == http.MethodOptions {
		w.Header().Set("Allow", res.allow)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if res.server.turnAway(w, r) {
		return
	}
	w.Header().Set("Allow", res.allow)
	res.server.fail(r.Context(), fault.New(fault.NotAllowed, fault.CodeMethodNotAllowed, "this path takes %s", res.allow), w)
}

func (s *server) unknownRoute(w http.ResponseWriter, r *http.Request) {
	if !s.front(w, r) && !s.turnAway(w, r) {
		s.fail(r.Context(), fault.New(fault.NotFound, fault.CodeUnknownRoute, "no operation has this path"), w)
	}
}

// turnAway refuses requests to the API without a token, whether the path and
// method exist or not: strangers learn nothing about them either.
func (s *server) turnAway(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path != kernel.BasePath && !strings.HasPrefix(r.URL.Path, kernel.BasePath+"/") {
		return false
	}
	err := s.identify(r.Context(), exchangeOf(r.Context()), r)
	if err != nil {
		s.fail(r.Context(), err, w)
	}
	return err != nil
}

// unslashed returns the request without the slash at the end of its path. Sending
// the client there instead would lose the body of a POST.
func unslashed(r *http.Request) *http.Request {
	path := r.URL.Path
	if len(path) < 2 || path[len(path)-1] != '/' {
		return r
	}
	clean := *r
	address := *r.URL
	address.Path, address.RawPath = path[:len(path)-1], ""
	clean.URL = &address
	return &clean
}
