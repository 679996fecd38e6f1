package httpapi

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"

	kithttp "github.com/go-kit/kit/transport/http"
	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/fault"
)

// absentFirst is the decoder of an operation, made to say that what the path
// names is absent or out of scope before it finds fault with a body: a client
// that writes to the wrong place should learn that first.
func absentFirst(o operation, d *decoder) kithttp.DecodeRequestFunc {
	decode := func(ctx context.Context, r *http.Request) (any, error) { return d.decode(exchangeOf(ctx), r) }
	if o.Exists == nil || len(d.body.fields)+len(d.files.fields) == 0 {
		return decode
	}
	return func(ctx context.Context, r *http.Request) (any, error) {
		in, err := decode(ctx, r)
		if err == nil || errors.Is(err, fault.NotFound) {
			return in, err
		}
		ids, ok := pathIDs(o.Path, mux.Vars(r))
		if !ok {
			return nil, err
		}
		if exists := o.Exists(ctx, exchangeOf(ctx).caller, ids); misplaced(exists) {
			return nil, exists
		}
		return nil, err
	}
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// pathIDs are the ids in a path, in their order.
func pathIDs(path string, vars map[string]string) (ids []int64, ok bool) {
	for _, name := range pathParameter.FindAllStringSubmatch(path, -1) {
		id, err := strconv.ParseInt(vars[name[1]], 10, 64)
		if err != nil {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

func misplaced(err error) bool {
	known, ok := errors.AsType[*fault.Error](err)
	return ok && (known.Kind == fault.NotFound || known.Code == fault.CodeResourceOutOfScope)
}
