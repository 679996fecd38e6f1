package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The README shows calls with their answers. They are as it says, on a sandbox
// that has just started.
func TestReadme_FromALeadToAFollowUp(t *testing.T) { shows(t, "From a lead to a follow-up", 8) }

func TestReadme_WebhooksInThreeCommands(t *testing.T) {
	shows(t, "Webhooks in three commands", 3, deliveringTo("127.0.0.0/8:*"))
}

func TestReadme_ASaleFromTheOfferToTheDeed(t *testing.T) {
	shows(t, "A sale, from the offer to the deed", 10)
}

func TestReadme_AVisitThatComesAgain(t *testing.T) {
	shows(t, "A visit that comes again, and when its agent is free", 5)
}

// shownReceiver is where the README says that a receiver listens.
const shownReceiver = "http://127.0.0.1:9000"

// shows tries the calls of a section of the README, at least so many. What is read may
// take a moment to be as it says.
func shows(t *testing.T, section string, atLeast int, picked ...choice) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	session, err := transcript(string(text), section)
	if err != nil || len(session) < atLeast {
		t.Fatalf("%d calls, %v", len(session), err)
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			mustHave(t, engine)
			w := startedSandbox(t, engine, picked...)
			for _, shown := range session {
				if body, is := shown.body.(string); is {
					shown.body = strings.ReplaceAll(body, shownReceiver, receiver.URL)
				}
				got := w.network(t).send(shown.method, shown.path, shown.body)
				if shown.answer == 204.0 {
					got.is(204)
					continue
				}
				for end := time.Now().Add(patience); shown.method == http.MethodGet && !got.isShownAs(shown.answer) && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
					got = w.network(t).send(shown.method, shown.path, nil)
				}
				if !got.isShownAs(shown.answer) {
					t.Errorf("%s\nbut the README shows %v", got, shown.answer)
				}
			}
		})
	}
}

// isShownAs reports whether a page abbreviates an answer.
func (a answer) isShownAs(shown any) bool {
	var got any
	return json.Unmarshal(a.body, &got) == nil && abbreviates(shown, got)
}

// shownCall is a call that a page shows with its answer.
type shownCall struct {
	method, path string
	body         any // text, or nil
	answer       any // JSON, where dots stand for more; 204 is an answer without a body
}

var (
	fenced   = regexp.MustCompile("```sh\n([^`]*)```\n```json\n([^`]*)```")
	apiCall  = regexp.MustCompile(`(?s)^api ("?)\$API(/\S*?)("?)(?: -X ([A-Z]+))?(?: -d '([^']*)')?( -w '%\{http_code\}\\n')?\s*$`)
	nextCall = regexp.MustCompile(`(?m)^api `)
)

// transcript reads the calls of one section of a page. What it cannot read is an
// error: nothing is shown that nobody tries.
func transcript(page, section string) (calls []shownCall, err error) {
	_, page, found := strings.Cut(page, "\n## "+section+"\n")
	if !found {
		return nil, fmt.Errorf("there is no section %q", section)
	}
	page, _, _ = strings.Cut(page, "\n## ")
	blocks := fenced.FindAllStringSubmatch(page, -1)
	if calls, answers := strings.Count(page, "```sh\napi "), strings.Count(page, "```json\n"); max(calls, answers) > len(blocks) {
		return nil, fmt.Errorf("%d blocks of calls and %d of answers are not %d pairs", calls, answers, len(blocks))
	}
	for _, block := range blocks {
		answers := json.NewDecoder(strings.NewReader(spelledOut(block[2])))
		starts := append(nextCall.FindAllStringIndex(block[1], -1), []int{len(block[1])})
		if starts[0][0] != 0 {
			return nil, fmt.Errorf("this does not begin with a call: %s", block[1])
		}
		for i := range starts[1:] {
			text := block[1][starts[i][0]:starts[i+1][0]]
			words := apiCall.FindStringSubmatch(text)
			if words == nil || words[1] != words[3] {
				return nil, fmt.Errorf("this is no call: %s", text)
			}
			call := shownCall{method: "GET", path: words[2]}
			if words[5] != "" {
				call.method, call.body = "POST", words[5]
			}
			if words[4] != "" {
				call.method = words[4]
			}
			if err := answers.Decode(&call.answer); err != nil {
				return nil, fmt.Errorf("the answer to %s: %w", text, err)
			}
			if asked, shown := words[6] != "", call.answer == 204.0; asked != shown {
				return nil, fmt.Errorf("a status is printed where -w asks for it: %s", text)
			}
			calls = append(calls, call)
		}
		if answers.Decode(new(any)) != io.EOF {
			return nil, errors.New("there are more answers than calls")
		}
	}
	return calls, nil
}

// dots stand for what a page leaves out.
const dots = "…"

// spelledOut is JSON with dots made JSON: they become a member of their object or
// an item of their list.
func spelledOut(text string) string {
	var out strings.Builder
	var inside []rune
	quoted := false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '{', r == '[':
			inside = append(inside, r)
		case (r == '}' || r == ']') && len(inside) > 0:
			inside = inside[:len(inside)-1]
		case string(r) == dots && len(inside) > 0:
			out.WriteString(`"` + dots + `"`)
			if inside[len(inside)-1] == '{' {
				out.WriteString(`:null`)
			}
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// abbreviates reports whether what is shown is the value, but for what dots leave
// out: members of an object, the last items of a list.
func abbreviates(shown, value any) bool {
	switch shown := shown.(type) {
	case object:
		value, ok := value.(object)
		_, more := shown[dots]
		if !ok || !more && len(shown) != len(value) {
			return false
		}
		for key, member := range shown {
			if got, found := value[key]; key != dots && (!found || !abbreviates(member, got)) {
				return false
			}
		}
		return true
	case list:
		value, ok := value.(list)
		more := len(shown) > 0 && shown[len(shown)-1] == dots
		if more {
			shown = shown[:len(shown)-1]
		}
		if !ok || len(shown) > len(value) || !more && len(shown) != len(value) {
			return false
		}
		for i, item := range shown {
			if !abbreviates(item, value[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(shown, value)
}

func TestWhatAPageShowsIsHeldAgainstTheAnswer(t *testing.T) {
	const answer = `{"data":[{"id":1,"name":"Léa"},{"id":2,"name":null}],"has_more":false}`
	for shown, want := range map[string]bool{
		answer: true, `{…}`: true, `{"data":[…], …}`: true, `{"data":[{"id":1, …}, …],"has_more":false}`: true,
		`{"data":[{"id":1,"name":"Léa"},{"id":2, …}, …],"has_more":false}`: true,
		`{"data":[{"id":2, …}, …], …}`:                                     false,
		`{"data":[{"id":1}, …], …}`:                                        false,
		`{"data":[{"id":1, …}], …}`:                                        false,
		`{"data":[{"id":1, …},{"id":2, …},{…}], …}`:                        false,
		`{"data":[{"id":1,"age":null, …}, …], …}`:                          false,
		`{"data":[…]}`:                  false,
		`{"data":{…},"has_more":false}`: false,
		`[…]`:                           false,
	} {
		calls, err := transcript("\n## It\n```sh\napi $API/x\n```\n```json\n"+shown+"\n```\n", "It")
		var value any
		if err := errors.Join(err, json.Unmarshal([]byte(answer), &value)); err != nil {
			t.Fatal(err)
		}
		if got := abbreviates(calls[0].answer, value); got != want {
			t.Errorf("%s: %t", shown, got)
		}
	}
}

func TestAPageThatCannotBeTriedIsNoTranscript(t *testing.T) {
	const call, answer = "```sh\napi $API/x -d '{}'\n```\n", "```json\n{…}\n```\n"
	for name, page := range map[string]string{
		"another section":         "\n## That\n" + call + answer,
		"a call without answers":  "\n## It\n" + call,
		"an answer too few":       "\n## It\n```sh\napi $API/x\napi $API/y\n```\n" + answer,
		"an answer too many":      "\n## It\n" + call + "```json\n{…}\n{…}\n```\n",
		"an answer that is none":  "\n## It\n" + call + "```json\n{\n```\n",
		"a command":               "\n## It\n```sh\nls\n```\n" + answer,
		"a command behind a call": "\n## It\n```sh\napi $API/x | jq .\n```\n" + answer,
	} {
		if calls, err := transcript(page, "It"); err == nil {
			t.Errorf("%s: %+v", name, calls)
		}
	}
	calls, err := transcript("\n## It\n"+call+answer+"\n## Other\n```sh\n```\n", "It")
	if err != nil || len(calls) != 1 || calls[0].method != "POST" || calls[0].path != "/x" || calls[0].body != "{}" {
		t.Errorf("%+v, %v", calls, err)
	}
}
