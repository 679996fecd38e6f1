package kernel

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Methods of operations.
const (
	GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
)

// UseCase is the signature of every use case.
type UseCase[In, Out any] func(context.Context, Caller, In) (Out, error)

// Operation is one line of the published contract: all that a route, an access check,
// the OpenAPI document or a test needs. It is data and imports no transport.
//
// Struct tags on the fields of In name the source of each: `path:"name"`,
// `query:"name"`, `json:"name"`, `form:"name"`, `file:"name"`, `basic:"user"`
// and `basic:"password"`. `alias:"a,b"` adds names that are also accepted, `doc:"…"`
// describes the field, `raw:"true"` takes a value unchanged. `trace:"keep"` on a field
// of Out lets the log of requests keep it, though it is a text. A field of type IfMatch
// comes from the header of that name. Out is encoded as JSON, unless Status is 204, which
// has no body; its fields with `header:"name"` become headers.
type Operation struct {
	// ID is the metric label and the log field, such as "product.search".
	ID string
	// Name is the field of the use case in the API of its area, such as
	// "SearchProducts". It is unique in the table.
	Name   string
	Method string
	// Path is relative to {base_url}, or to {auth_url} for token operations,
	// with parameters in braces.
	Path string
	// Status is the HTTP status of success.
	Status int
	// Rule is what the token must grant. It does not apply to Public operations, which
	// have no token yet.
	Rule access.Rule
	// Public operations authenticate by themselves.
	Public  bool
	Summary string
	In, Out reflect.Type
	// Polling is how the operation can be misused instead of webhooks.
	Polling Polling
	// First marks an operation that newcomers can begin with: it returns something without
	// any parameter, and changes nothing.
	First bool
	// Weight is the largest amount of work of a request to the operation.
	Weight Weight
	// Compressed allows compressing answers: only the site's own people choose what is in
	// them, or they contain no secret and nothing personal. An attacker who can choose a
	// part of a compressed text and observe its length can find out the rest.
	Compressed bool
	// Faults are the kinds of fault the operation can fail with in addition to those that
	// follow from its parameters.
	Faults []fault.Kind
	// Exists returns the error of the operation if the resource in the path does not exist
	// or is out of scope: NotFound, or Forbidden. Its argument is the path parameters in
	// their order. It is nil where the path names nothing. Only callers whom the operation
	// admits may call it: they would learn the same from a request without fault.
	Exists func(context.Context, Caller, []string) error
	// Proof is the header by which a caller proves that they may know of the resource in
	// the path; empty where none is needed. Its value, which may be empty, follows the
	// path parameters in the argument of Exists.
	Proof string

	call func(context.Context, Caller, any) (any, error)
	// envelope puts an answer into Data, nil for operations that do not. wrap and data are
	// the function and the type for InData.
	envelope, wrap func(any) any
	data           reflect.Type
	// field points to the use case in the API, and guard stores the checked one there.
	field any
	guard func(Operation)
}

// Polling is how an operation can be misused instead of webhooks.
type Polling uint8

const (
	// NotPolled operations are not watched.
	NotPolled Polling = iota
	// PolledSearch is a search: sending the same one repeatedly is polling.
	PolledSearch
	// PolledLedger is the ledger: repeating a request soon after an empty answer is
	// polling. Its answer is Emptiable.
	PolledLedger
)

// Weight is the amount of work of a request, for limits on concurrent requests.
type Weight uint8

const (
	// Light requests are answered at once.
	Light Weight = iota
	// Heavy requests read and write many records, so that their number at a time is
	// limited.
	Heavy
	// Hydrated requests are Heavy, and their number is also limited for each credential.
	Hydrated
)

// Weighed is a request that can be lighter than its operation.
type Weighed interface{ Weight() Weight }

// WeightOf returns the weight of a request to the operation.
func (o Operation) WeightOf(in any) Weight {
	if request, ok := in.(Weighed); ok {
		return min(o.Weight, request.Weight())
	}
	return o.Weight
}

// Emptiable is an answer that reports whether there was nothing new.
type Emptiable interface{ Empty() bool }

// Op returns the operation of a use case, and stores the use case in the field of an
// area's API. NewArea replaces it by one that checks the caller.
func Op[In, Out any](
	field *UseCase[In, Out], id, verb, path string, status int, rule access.Rule, summary string, use UseCase[In, Out],
) Operation {
	*field = use
	o := Operation{
		ID: id, Method: verb, Path: path, Status: status, Rule: rule, Summary: summary,
		In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](), data: reflect.TypeFor[Data[Out]](), field: field,
		call: func(ctx context.Context, c Caller, in any) (any, error) { return use(ctx, c, in.(In)) },
		wrap: func(answer any) any { return Data[Out]{answer.(Out)} },
	}
	o.guard = func(o Operation) {
		*field = func(ctx context.Context, c Caller, in In) (out Out, err error) {
			if err := o.check(c); err != nil {
				return out, err
			}
			return use(ctx, c, in)
		}
	}
	return o
}

// Ruled returns a use case that checks the caller against a rule first. It is for use
// cases that are no operations of the contract.
func Ruled[In, Out any](rule access.Rule, use UseCase[In, Out]) UseCase[In, Out] {
	return func(ctx context.Context, c Caller, in In) (out Out, err error) {
		if err := (Operation{Rule: rule}).check(c); err != nil {
			return out, err
		}
		return use(ctx, c, in)
	}
}

// AsPublic returns the operation as one that needs no token.
func (o Operation) AsPublic() Operation {
	o.Public = true
	return o
}

// InData returns the operation with its answer in the {"data": …} envelope.
func (o Operation) InData() Operation {
	o.Out, o.envelope = o.data, o.wrap
	return o
}

// Weighs returns the operation with a weight.
func (o Operation) Weighs(w Weight) Operation {
	o.Weight = w
	return o
}

// IsCompressed returns the operation with answers that may be compressed.
func (o Operation) IsCompressed() Operation {
	o.Compressed = true
	return o
}

// IsPolled returns the operation with a kind of polling to watch for.
func (o Operation) IsPolled(how Polling) Operation {
	o.Polling = how
	return o
}

// IsFirst returns the operation as one that newcomers can begin with.
func (o Operation) IsFirst() Operation {
	o.First = true
	return o
}

// Fails returns the operation with further kinds of fault.
func (o Operation) Fails(kinds ...fault.Kind) Operation {
	o.Faults = kinds
	return o
}

// Area is the table of an area of use cases, and its API without checks.
type Area[API any] struct {
	operations []Operation
	unchecked  API
}

// NewArea stores the use cases of a table in the API of an area. They check pack,
// permission and right of the caller first, as Operation.Call does.
func NewArea[API any](of *API, table func(*API) []Operation) Area[API] {
	a := Area[API]{operations: table(of)}
	a.unchecked = *of
	name(a.operations, of)
	Check(a.operations)
	return a
}

// name sets the name of each operation to that of its field in the API.
func name(operations []Operation, of any) {
	fields, names := reflect.ValueOf(of).Elem(), map[any]string{}
	for i := range fields.NumField() {
		if f := fields.Type().Field(i); f.IsExported() {
			names[fields.Field(i).Addr().Interface()] = f.Name
		}
	}
	for i := range operations {
		operations[i].Name = names[operations[i].field]
	}
}

// Check replaces the use cases in the fields that operations were made with by ones that
// check the caller first, as Call does.
func Check(operations []Operation) {
	for _, o := range operations {
		o.guard(o)
	}
}

// Operations returns the area's lines of the table of operations.
func (a Area[API]) Operations() []Operation { return a.operations }

// Unchecked returns the use cases without the check of pack, permission and right, for
// callers that have checked them already.
func (a Area[API]) Unchecked() API { return a.unchecked }

// Place is the path of a resource, with a function that checks whether it exists.
type Place struct {
	// Path ends with the parameter of the resource.
	Path   string
	Exists func(context.Context, Caller, []string) error
	// Proof is that of Operation.
	Proof string
}

// AddExists sets Exists and Proof of each operation to those of the place that its path
// begins with.
func AddExists(operations []Operation, places []Place) {
	for i, o := range operations {
		longest := ""
		for _, p := range places {
			if (o.Path == p.Path || strings.HasPrefix(o.Path, p.Path+"/")) && len(p.Path) > len(longest) {
				longest, operations[i].Exists, operations[i].Proof = p.Path, p.Exists, p.Proof
			}
		}
	}
}

// Admit checks the caller against the rule, before the request is read.
func (o Operation) Admit(c Caller) error {
	if o.Public {
		return nil
	}
	return o.Rule.Check(c.Grant)
}

// check is Admit for callers that may be made up. Only Identify and Admit make others.
func (o Operation) check(c Caller) error {
	if !o.Public && c.Site.SiteView == nil {
		return madeUp()
	}
	return o.Admit(c)
}

// madeUp returns the error for a caller that was neither identified nor admitted.
func madeUp() error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "callers come from Identify or Admit")
}

// Writes reports whether the operation can have an effect.
func (o Operation) Writes() bool { return o.Method != GET && !o.Public && o.Rule.Permission.Writes() }

// Searches reports whether the operation searches or counts by its body. An unknown field
// there is refused, because ignoring it would find more.
func (o Operation) Searches() bool {
	return o.Method == POST && strings.HasSuffix(string(o.Rule.Right), "_SEARCH")
}

// Repeatable reports whether the operation accepts an idempotency key. Only a POST needs
// one: the other methods have no further effect when they are repeated.
func (o Operation) Repeatable() bool { return o.Method == POST && o.Writes() }

// Call admits the caller and runs the operation; in must be of type o.In, the
// result is of type o.Out.
func (o Operation) Call(ctx context.Context, c Caller, in any) (any, error) {
	if err := o.check(c); err != nil {
		return nil, err
	}
	if reflect.TypeOf(in) != o.In {
		return nil, fmt.Errorf("operation %s takes %s, not %T", o.ID, o.In, in)
	}
	c.claim = c.claim.through(o.envelope)
	out, err := o.call(ctx, c, in)
	if o.envelope == nil {
		return out, err
	}
	return o.envelope(out), err
}

// Data is the {"data": …} envelope.
type Data[T any] struct {
	Data T `json:"data"`
}

// None is the answer of an operation that answers without a body.
type None struct{}

// Nothing is the request of an operation that takes none.
type Nothing struct{}

// Needs returns a rule: one of some packs, a permission and a right.
func Needs(packs access.Packs, p access.Permission, r access.Right) access.Rule {
	return access.Rule{Packs: packs, Permission: p, Right: r}
}

// Exists returns the Exists of a place that is named by ids. find looks it up in a unit of
// an area.
func Exists[U any](k *Kernel, of func(Unit) U, find func(U, []int64) error) func(context.Context, Caller, []string) error {
	return ByID(func(ctx context.Context, c Caller, ids []int64) error {
		return View(ctx, k, c, func(u Unit) error { return find(of(u), ids) })
	})
}

// ByID returns the Exists of a place that is named by ids. Only positive integers are ids.
func ByID(find func(context.Context, Caller, []int64) error) func(context.Context, Caller, []string) error {
	return func(ctx context.Context, c Caller, names []string) error {
		ids := make([]int64, len(names))
		for i, name := range names {
			id, err := strconv.ParseUint(name, 10, 63)
			if err != nil || id == 0 {
				return Unknown("there is no such resource")
			}
			ids[i] = int64(id)
		}
		return find(ctx, c, ids)
	}
}
