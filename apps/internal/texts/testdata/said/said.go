// Package said makes texts in every way that the finder knows, and in those that it
// refuses.
package said

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

const suffix = " constant"

func handsOn(format string, args ...any) fault.Text { return fault.Textf(format, args...) }

func handsOnAgain(code fault.Code, format string) error {
	return fault.New(fault.Invalid, code, format)
}

func all(field string) []any {
	chosen := strings.ToUpper(field)
	closure := func(format string, args ...any) fault.Text { return handsOn(format, args...) }
	var problems fault.Problems
	problems.Add(field, fault.CodeRequired, "%s is found", field)
	return []any{
		fault.Textf("direct"), fault.Textf("a" + suffix), handsOn("handed on"), handsOnAgain(fault.CodeRequired, "handed on twice"), closure("by a closure"),
		fault.Textf("%s", handsOn("a part")), fault.Textf("the code %s", "SITE_PRODUCT:READ"),
		fault.Textf(chosen),            // not a constant
		fault.Textf("%s", chosen),      // not a text
		fault.Textf("%s is", "a word"), // a word
	}
}
