package siteapi

import (
	"context"
	"fmt"
	"reflect"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/fault"
)

// Operation is one line of the published contract: all that a route, a gate, a
// document or a test needs to know. It is data and imports no transport.
//
// Struct tags on the fields of In say where each comes from: `path:"name"`,
// `query:"name"`, `json:"name"`, `form:"name"`, `file:"name"`, `basic:"user"`
// and `basic:"password"`; `alias:"a,b"` adds spellings that are accepted beside the
// name, `doc:"…"` describes the field, `raw:"true"` marks a value that is taken
// as it is. A field of type IfMatch comes from the header of that name. Out is
// encoded as JSON, unless Status is 204, which has no body; its fields with
// `header:"name"` go into headers.
type Operation struct {
	// ID is the operationId, the metric label and the log field, such as
	// "product.search".
	ID     string
	Method string
	// Path is relative to {base_url}, or to {auth_url} for token operations,
	// with parameters in braces.
	Path string
	// Status is the HTTP status of success.
	Status int
	// Rule is what the token must carry. It does not apply to Public
	// operations, which have no token yet.
	Rule access.Rule
	// Public operations authenticate by themselves.
	Public  bool
	Summary string
	In, Out reflect.Type

	call func(context.Context, Caller, any) (any, error)
}

// Admit checks the caller against the rule, before anything of the request is
// read.
func (o Operation) Admit(c Caller) error {
	if o.Public {
		return nil
	}
	return o.Rule.Check(c.Grant)
}

// Writes reports whether the operation can have an effect: whoever may only read
// has none.
func (o Operation) Writes() bool { return o.Method != get && !o.Public && o.Rule.Permission.Writes() }

// Repeatable reports whether the operation takes an idempotency key. Only a POST
// needs one: the other methods have no further effect when they are repeated.
func (o Operation) Repeatable() bool { return o.Method == post && o.Writes() }

// Call admits the caller and runs the operation; in must be of type o.In, the
// result is of type o.Out.
func (o Operation) Call(ctx context.Context, c Caller, in any) (any, error) {
	if !o.Public && c.settings == nil {
		return nil, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "callers come from Identify or Admit")
	}
	if err := o.Admit(c); err != nil {
		return nil, err
	}
	if reflect.TypeOf(in) != o.In {
		return nil, fmt.Errorf("operation %s takes %s, not %T", o.ID, o.In, in)
	}
	return o.call(ctx, c, in)
}

// method is the one shape of every use case.
type method[In, Out any] func(context.Context, Caller, In) (Out, error)

func op[In, Out any](id, verb, path string, status int, rule access.Rule, summary string, use method[In, Out]) Operation {
	return Operation{
		ID: id, Method: verb, Path: path, Status: status, Rule: rule, Summary: summary,
		In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](),
		call: func(ctx context.Context, c Caller, in any) (any, error) { return use(ctx, c, in.(In)) },
	}
}

// public turns an operation into one that needs no token.
func public(o Operation) Operation {
	o.Public = true
	return o
}

// Data is the {"data": …} envelope.
type Data[T any] struct {
	Data T `json:"data"`
}

// data wraps what a use case answers into the envelope.
func data[In, Out any](use method[In, Out]) method[In, Data[Out]] {
	return func(ctx context.Context, c Caller, in In) (Data[Out], error) {
		if c.claim != nil {
			c.claim = c.claim.wrapping(func(answer any) any { return Data[Out]{answer.(Out)} })
		}
		out, err := use(ctx, c, in)
		return Data[Out]{out}, err
	}
}

// None is the answer of an operation that answers without a body.
type None struct{}

// Nothing is the request of an operation that takes none.
type Nothing struct{}

func needs(packs access.Packs, p access.Permission, r access.Right) access.Rule {
	return access.Rule{Packs: packs, Permission: p, Right: r}
}
