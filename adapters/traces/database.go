package traces

import (
	"context"
	"errors"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Database makes spans of units of work and of statements that belong to something else
// that is traced, such as a request. Others have none: a server asks its database all
// the time, for nobody.
type Database struct {
	tracer trace.Tracer
	system attribute.KeyValue
}

// Database makes spans of what is done in a database, of PostgreSQL or else of SQLite.
func (p *Provider) Database(postgres bool) Database {
	system := semconv.DBSystemNameSQLite
	if postgres {
		system = semconv.DBSystemNamePostgreSQL
	}
	return Database{p.tracer, system}
}

// againKey says that a unit of work was undone because of another one, and is tried anew.
const againKey = attribute.Key("vitrine.unit.again")

// Begin begins the span of a unit of work.
func (d Database) Begin(ctx context.Context, writes bool) (within context.Context, end func(again bool, err error)) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, func(bool, error) {}
	}
	name := "store.view"
	if writes {
		name = "store.update"
	}
	within, span := d.tracer.Start(ctx, name, trace.WithAttributes(d.system))
	return within, func(again bool, err error) {
		span.SetAttributes(againKey.Bool(again))
		if kind := kindOf(err); err != nil && !again && !isOver(err) && (kind == fault.Internal || kind == fault.Unavailable) {
			span.SetStatus(codes.Error, kind.Error())
		}
		span.End()
	}
}

// Statement begins the span of a statement, of which it shows the text: parameters
// stand in it for values.
func (d Database) Statement(ctx context.Context, text string) (end func(error)) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return func(error) {}
	}
	operation, table := summary(text)
	_, span := d.tracer.Start(ctx, strings.TrimSpace(operation+" "+table), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(d.system, semconv.DBQueryText(text), semconv.DBOperationName(operation)))
	if table != "" {
		span.SetAttributes(semconv.DBCollectionName(table))
	}
	return func(err error) {
		if err != nil && !isOver(err) {
			span.SetStatus(codes.Error, "") // what the engine says may quote values
			if state, ok := errors.AsType[interface {
				error
				SQLState() string
			}](err); ok {
				span.SetAttributes(semconv.DBResponseStatusCode(state.SQLState()))
			}
			span.SetAttributes(semconv.ErrorType(err))
		}
		span.End()
	}
}

// kindOf returns the kind of a fault; what nobody foresaw is internal.
func kindOf(err error) fault.Kind {
	kind, _ := errors.AsType[fault.Kind](err)
	return kind
}

// isOver reports whether an error only says that nobody waits any more.
func isOver(err error) bool { return errors.Is(err, context.Canceled) }

// summary returns what a statement does and to which table, as far as it is easily seen.
func summary(text string) (operation, table string) {
	before := ""
	for word := range strings.FieldsSeq(text) {
		if operation == "" {
			operation = strings.ToUpper(word)
		}
		switch before {
		case "FROM", "INTO", "UPDATE":
			return operation, nameIn(word)
		}
		before = strings.ToUpper(word)
	}
	return operation, ""
}

// nameIn returns the name that a word of a statement begins with.
func nameIn(word string) string {
	end := strings.IndexFunc(word, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	if end < 0 {
		return word
	}
	return word[:end]
}
