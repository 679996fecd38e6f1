package httpapi

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"

	kithttp "github.com/go-kit/kit/transport/http"
	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/fault"
)

// locate is the decoder of an operation, made to say that what the path names is
// absent or out of scope before it finds fault with a body: a client that
// writes to the wrong place should learn that first. It asks the operation that
// reads the same path, or the nearest above it, which changes nothing; a caller
// who may not read is told about the body.
func locate(table []operation, o operation, d *decoder) kithttp.DecodeRequestFunc {
	decode := func(ctx context.Context, r *http.Request) (any, error) { return d.decode(exchangeOf(ctx), r) }
	if len(d.path) == 0 || len(d.body.fields)+len(d.files.fields) == 0 {
		return decode
	}
	for path := o.Path; strings.Contains(path, "{"); path = path[:strings.LastIndexByte(path, '/')] {
		n := slices.IndexFunc(table, func(reader operation) bool { return reader.Method == http.MethodGet && reader.Path == path })
		if n < 0 {
			continue
		}
		reader := table[n]
		named := newDecoder(reader.In, reader.Path)
		return func(ctx context.Context, r *http.Request) (any, error) {
			in, err := decode(ctx, r)
			if err == nil || errors.Is(err, fault.NotFound) {
				return in, err
			}
			place := reflect.New(named.in).Elem()
			if named.bindPath(mux.Vars(r), place) == nil {
				if _, read := reader.call(ctx, exchangeOf(ctx).caller, place.Interface()); misplaced(read) {
					return nil, read
				}
			}
			return nil, err
		}
	}
	return decode
}

func misplaced(err error) bool {
	known, ok := errors.AsType[*fault.Error](err)
	return ok && (known.Kind == fault.NotFound || known.Code == fault.CodeResourceOutOfScope)
}
