package httpapi

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"

	"github.com/go-kit/kit/endpoint"
	kithttp "github.com/go-kit/kit/transport/http"
	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// absentFirst says that what the path of an operation names is absent, or out of
// scope, before anything else is found wrong with a request: a client that writes
// to the wrong place should learn that first. It stands before everything that
// reads a request, as decoding does, and everything that judges it, as the use
// case does.
type absentFirst struct {
	operation
	// parameters are those of the path, in their order.
	parameters []string
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

func newAbsentFirst(o operation) absentFirst {
	a := absentFirst{operation: o}
	for _, name := range pathParameter.FindAllStringSubmatch(o.Path, -1) {
		a.parameters = append(a.parameters, name[1])
	}
	return a
}

// decoding returns the decoder of the operation.
func (a absentFirst) decoding(d *decoder) kithttp.DecodeRequestFunc {
	return func(ctx context.Context, r *http.Request) (any, error) {
		x, vars := exchangeOf(ctx), mux.Vars(r)
		for _, name := range a.parameters {
			x.names = append(x.names, vars[name])
		}
		if a.Proof != "" {
			x.names = append(x.names, r.Header.Get(a.Proof))
		}
		in, err := d.decode(x, r)
		if err == nil {
			return in, nil
		}
		return nil, a.orAbsent(ctx, err)
	}
}

// judging returns the endpoint of the operation.
func (a absentFirst) judging(next endpoint.Endpoint) endpoint.Endpoint {
	return func(ctx context.Context, in any) (any, error) {
		out, err := next(ctx, in)
		return out, a.orAbsent(ctx, err)
	}
}

// orAbsent is the error, or what is wrong with the path before it.
func (a absentFirst) orAbsent(ctx context.Context, err error) error {
	x := exchangeOf(ctx)
	if a.Exists == nil || !blames(err) {
		return err
	}
	if exists := a.Exists(ctx, x.caller, x.names); misplaced(exists) {
		return exists
	}
	return err
}

// blames reports whether an error says that something is wrong with the request.
func blames(err error) bool {
	known, ok := errors.AsType[*fault.Error](err)
	return ok && slices.Contains([]fault.Kind{
		fault.Unrecognised, fault.Forbidden, fault.Conflict, fault.Stale, fault.TooLarge, fault.Unsupported, fault.Invalid,
	}, known.Kind)
}

func misplaced(err error) bool {
	known, ok := errors.AsType[*fault.Error](err)
	return ok && (known.Kind == fault.NotFound || known.Kind == fault.Gone || known.Code == fault.CodeResourceOutOfScope)
}
