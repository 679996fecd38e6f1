package criteria

import (
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// MaxConditions is the most clauses a search can have.
const MaxConditions = 200

// MaxValues is the most values that the clauses of a search can have in all: each is
// looked for among the products.
const MaxValues = 1000

// ConditionInput is one clause on a criterion, as a request writes it.
type ConditionInput struct {
	ID       string            `json:"id" required:"true" doc:"key, or numeric id" coerce:"string"`
	Operator opt.Field[string] `json:"operator" required:"true" enum:"EGAL,DIFFERENT,SUPERIEUR,INFERIEUR,CONTIENT,COMPREND,NE_COMPREND_PAS"`
	Value    Raw               `json:"value" required:"true" type:"string,number,strings" doc:"a string or a number, or an array of strings for CONTIENT and COMPREND"`
}

// Conditions reads the clauses of a search, which stand in a field of the
// request, and reports those that say nothing.
func (d *Dictionary) Conditions(field string, inputs []ConditionInput, how Reading, problems *fault.Problems) []Condition {
	if len(inputs) > MaxConditions {
		problems.Add(field, fault.CodeOutOfRange, "a search can have at most %d criterias", MaxConditions)
		return nil
	}
	values := 0
	for _, in := range inputs {
		items, _ := in.Value.V.([]any)
		values += max(len(items), 1)
	}
	if values > MaxValues {
		problems.Add(field, fault.CodeOutOfRange, "the criterias of a search can have at most %d values in all", MaxValues)
		return nil
	}
	var conditions []Condition
	for i, in := range inputs {
		at := func(part string) string { return fmt.Sprintf("%s[%d].%s", field, i, part) }
		def, found := d.Sought(at("id"), in.ID, how, problems)
		if !found {
			continue
		}
		if in.Operator.Or("") == "" {
			problems.Add(at("operator"), fault.CodeRequired, "an operator is required")
			continue
		}
		operator, known := ParseOperator(in.Operator.Value)
		if !known {
			problems.Append(fault.Detail{
				Field: at("operator"), Code: fault.CodeInvalidFormat, Message: fault.Textf("no operator has this name"),
				Value: in.Operator.Value, Accepted: OperatorNames(),
			})
			continue
		}
		condition, problem := def.Condition(operator, in.Value, how)
		if problem != nil {
			problem.Field = at(problem.Field)
			problems.Append(*problem)
			continue
		}
		conditions = append(conditions, condition)
	}
	return conditions
}

// Sought finds a criterion that a field of a search names by key or id, and
// reports one that is not there.
func (d *Dictionary) Sought(field, name string, how Reading, problems *fault.Problems) (Definition, bool) {
	def, found := d.Find(name)
	if name == "" || !found || def.IsPrivate() && how.Public {
		problems.Wrong(field, fault.CodeUnknownCriterion, name, "no criterion has this key or id")
		return def, false
	}
	return def, true
}
