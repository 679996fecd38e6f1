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

// UseCase is the one shape of every use case.
type UseCase[In, Out any] func(context.Context, Caller, In) (Out, error)

// Operation is one line of the published contract: all that a route, a gate, a
// document or a test needs to know. It is data and imports no transport.
//
// Struct tags on the fields of In say where each comes from: `path:"name"`,
// `query:"name"`, `json:"name"`, `form:"name"`, `file:"name"`, `basic:"user"`
// and `basic:"password"`; `alias:"a,b"` adds spellings that are accepted beside the
// name, `doc:"…"` describes the field, `raw:"true"` marks a value that is taken
// as it is; `trace:"keep"` on a field of Out lets the log of requests keep it, though
// it is a text. A field of type IfMatch comes from the header of that name. Out is
// encoded as JSON, unless Status is 204, which has no body; its fields with
// `header:"name"` go into headers.
type Operation struct {
	// ID is the metric label and the log field, such as "product.search".
	ID string
	// Name is what the use case is called in the API of its area, such as
	// "SearchProducts". No two operations of the table have the same.
	Name   string
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
	// Polling is how the operation is misused instead of webhooks.
	Polling Polling
	// First tells that newcomers may begin with the operation: it shows something
	// to whoever knows nothing yet, and changes nothing.
	First bool
	// Weight is how much work a request to the operation is at most.
	Weight Weight
	// Compressed tells that answers may be compressed: nobody but the site's own
	// people chose what is in them, or they hold no secret and nothing personal.
	// How long compressed text is tells whoever can have some of it chosen, and
	// listens, what the rest is.
	Compressed bool
	// Faults are the kinds of fault the operation can answer with beyond those
	// that follow from its parameters.
	Faults []fault.Kind
	// Exists reports whether what the path names is there, and in scope, by the
	// errors that the operation would give: NotFound, or Forbidden. It is told
	// the path parameters in their order, and nil where the path names nothing. It
	// is for callers whom the operation admits: they would learn the same from a
	// request without fault.
	Exists func(context.Context, Caller, []string) error
	// Proof is the header by which a caller proves that they may know of what the
	// path names; empty where none is needed. Exists is told what it says, which may
	// be nothing, after the path parameters.
	Proof string

	call func(context.Context, Caller, any) (any, error)
	// envelope puts an answer into Data; wrap is that of an operation whose
	// answers may be put there, data their type then.
	envelope, wrap func(any) any
	data           reflect.Type
	// field points to the use case in the API, and guard puts the checked one there.
	field any
	guard func(Operation)
}

// Polling is how an operation may be misused instead of webhooks.
type Polling uint8

const (
	// NotPolled operations are not watched.
	NotPolled Polling = iota
	// PolledSearch is a search: sending the same one over and over is polling.
	PolledSearch
	// PolledLedger is the ledger: asking again soon after there was nothing new
	// is polling. Its answer is Emptiable.
	PolledLedger
)

// Weight is how much work a request is, for whoever shares out the work of a
// process.
type Weight uint8

const (
	// Light requests are answered at once.
	Light Weight = iota
	// Heavy requests read and write many records, so that only some of them are
	// worked on at a time.
	Heavy
	// Hydrated requests are Heavy, and a credential may only have some under way.
	Hydrated
)

// Weighed is a request that can be lighter than its operation.
type Weighed interface{ Weight() Weight }

// WeightOf is the weight of a request to the operation.
func (o Operation) WeightOf(in any) Weight {
	if request, ok := in.(Weighed); ok {
		return min(o.Weight, request.Weight())
	}
	return o.Weight
}

// Emptiable is an answer that tells whether there was anything new.
type Emptiable interface{ Empty() bool }

// Op makes an operation of a use case, which it also puts into the field of an
// area's API. The field is unchecked until NewArea has seen the
// whole table.
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

// Ruled is a use case that is no operation of the contract, and checks the caller
// against a rule first, as operations do.
func Ruled[In, Out any](rule access.Rule, use UseCase[In, Out]) UseCase[In, Out] {
	return func(ctx context.Context, c Caller, in In) (out Out, err error) {
		if err := (Operation{Rule: rule}).check(c); err != nil {
			return out, err
		}
		return use(ctx, c, in)
	}
}

// AsPublic is the operation as one that needs no token.
func (o Operation) AsPublic() Operation {
	o.Public = true
	return o
}

// InData is the operation with its answer in the {"data": …} envelope.
func (o Operation) InData() Operation {
	o.Out, o.envelope = o.data, o.wrap
	return o
}

// Weighs is the operation, whose requests have a weight.
func (o Operation) Weighs(w Weight) Operation {
	o.Weight = w
	return o
}

// IsCompressed is the operation, whose answers may be compressed.
func (o Operation) IsCompressed() Operation {
	o.Compressed = true
	return o
}

// IsPolled is the operation, watched for polling.
func (o Operation) IsPolled(how Polling) Operation {
	o.Polling = how
	return o
}

// IsFirst is the operation, with which newcomers may begin.
func (o Operation) IsFirst() Operation {
	o.First = true
	return o
}

// Fails is the operation with further kinds of fault.
func (o Operation) Fails(kinds ...fault.Kind) Operation {
	o.Faults = kinds
	return o
}

// Area is what every area of use cases has besides its API.
type Area[API any] struct {
	operations []Operation
	unchecked  API
}

// NewArea fills in the API of an area from its table. The use cases in it check
// pack, permission and right of the caller first, as Operation.Call does.
func NewArea[API any](of *API, table func(*API) []Operation) Area[API] {
	a := Area[API]{operations: table(of)}
	a.unchecked = *of
	name(a.operations, of)
	Check(a.operations)
	return a
}

// name gives each operation the name of its field in the API.
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

// Check makes the fields of an API that operations were made with check the
// caller before the use case runs, as Call does.
func Check(operations []Operation) {
	for _, o := range operations {
		o.guard(o)
	}
}

// Operations are the area's lines in the table of operations.
func (a Area[API]) Operations() []Operation { return a.operations }

// Unchecked are the use cases without the check of pack, permission and right,
// for those who have made sure themselves.
func (a Area[API]) Unchecked() API { return a.unchecked }

// Place is something that paths name: a resource, and how to find out whether it
// is there.
type Place struct {
	// Path ends with the parameter that names it.
	Path   string
	Exists func(context.Context, Caller, []string) error
	// Proof is that of Operation.
	Proof string
}

// AddExists gives each operation the Exists of the place its path is at or below.
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

// Admit checks the caller against the rule, before anything of the request is
// read.
func (o Operation) Admit(c Caller) error {
	if o.Public {
		return nil
	}
	return o.Rule.Check(c.Grant)
}

// check is Admit for callers who need not have come from Identify or Admit.
func (o Operation) check(c Caller) error {
	if !o.Public && c.Site.SiteView == nil {
		return madeUp()
	}
	return o.Admit(c)
}

// madeUp is the error of a caller who was neither identified nor admitted.
func madeUp() error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "callers come from Identify or Admit")
}

// Writes reports whether the operation can have an effect: whoever may only read
// has none.
func (o Operation) Writes() bool { return o.Method != GET && !o.Public && o.Rule.Permission.Writes() }

// Searches reports whether the operation searches or counts by what is in the body:
// a field that means nothing there is refused, as leaving it out would find more.
func (o Operation) Searches() bool {
	return o.Method == POST && strings.HasSuffix(string(o.Rule.Right), "_SEARCH")
}

// Repeatable reports whether the operation takes an idempotency key. Only a POST
// needs one: the other methods have no further effect when they are repeated.
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

// Needs is a rule: one of some packs, a permission and a right.
func Needs(packs access.Packs, p access.Permission, r access.Right) access.Rule {
	return access.Rule{Packs: packs, Permission: p, Right: r}
}

// Exists is the Exists of a place that is named by ids, made of a function that
// finds it in a unit of an area.
func Exists[U any](k *Kernel, of func(Unit) U, find func(U, []int64) error) func(context.Context, Caller, []string) error {
	return ByID(func(ctx context.Context, c Caller, ids []int64) error {
		return View(ctx, k, c, func(u Unit) error { return find(of(u), ids) })
	})
}

// ByID is the Exists of a place that is named by ids. Nothing has an id that is no
// positive integer.
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
