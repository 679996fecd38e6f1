package transcript_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/apps/internal/transcript"
)

func TestWhatAPageShowsIsHeldAgainstTheAnswer(t *testing.T) {
	const answer = `{"data":[{"id":1,"name":"Léa"},{"id":2,"name":null}],"has_more":false}`
	for shown, want := range map[string]bool{
		answer: true, `{…}`: true, `{"data":[…], …}`: true, `{"data":[{"id":1, …}, …],"has_more":false}`: true,
		`{"data":[{"id":1,"name":"Léa"},{"id":2, …}, …],"has_more":false}`: true,
		`{"data":[{"id":1,"name":"L…"}, …], …}`:                            true,
		`{"data":[{"id":1,"name":"…"}, …], …}`:                             true,
		`{"data":[{"id":1,"name":"M…"}, …], …}`:                            false,
		`{"data":[{"id":"…", …}, …], …}`:                                   false,
		`{"data":[{"id":2, …}, …], …}`:                                     false,
		`{"data":[{"id":1}, …], …}`:                                        false,
		`{"data":[{"id":1, …}], …}`:                                        false,
		`{"data":[{"id":1, …},{"id":2, …},{…}], …}`:                        false,
		`{"data":[{"id":1,"age":null, …}, …], …}`:                          false,
		`{"data":[…]}`:                  false,
		`{"data":{…},"has_more":false}`: false,
		`[…]`:                           false,
		`{…} {…}`:                       false,
		`{`:                             false,
	} {
		if err := transcript.Holds(shown, answer); (err == nil) != want {
			t.Errorf("%s: %v", shown, err)
		}
	}
}

func TestBlocksAreCommandsWithTheAnswerBehindThem(t *testing.T) {
	page := strings.ReplaceAll(`# Page

## One
'''sh
a
'''
'''json
{…}
'''

Text.

'''sh
b
c
'''

'''json
{"not": "behind"}
'''
'''
plain
'''
## Two
'''sh
d
'''`, "'''", "```")
	for heading, want := range map[string][]transcript.Block{
		"One": {{Commands: "a\n", Answer: "{…}\n"}, {Commands: "b\nc\n"}},
		"Two": {{Commands: "d\n"}},
	} {
		text, err := transcript.Section(page, heading)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, transcript.Blocks(text)); diff != "" {
			t.Errorf("%s: %s", heading, diff)
		}
	}
	if _, err := transcript.Section(page, "Three"); err == nil {
		t.Error("a section that is not there was found")
	}
}
