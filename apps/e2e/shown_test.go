package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/transcript"
)

// Pages show calls with their answers. They are as they say, on a sandbox that has just
// started.
func TestShown_OneSession(t *testing.T) {
	shows(t, "README.md", "One session", 5, deliveringTo("127.0.0.0/8:*"))
}

func TestShown_FromALeadToAFollowUp(t *testing.T) {
	shows(t, "docs/contract/customers.md", "From a lead to a follow-up", 9)
}

func TestShown_ASaleFromTheOfferToTheDeed(t *testing.T) {
	shows(t, "docs/contract/transactions.md", "A sale, from the offer to the deed", 10)
}

func TestShown_AVisitThatComesAgain(t *testing.T) {
	shows(t, "docs/agenda.md", "A visit that comes again, and when its agent is free", 5)
}

func TestTheREADMECountsTheOperationsOfTheDocument(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/reference/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	operations := 0
	for _, methods := range document.Paths {
		for _, operation := range methods {
			if operation.OperationID != "" {
				operations++
			}
		}
	}
	if said := fmt.Sprintf("of %d operations", operations); !strings.Contains(string(readme), said) {
		t.Errorf("the README does not say %q", said)
	}
}

// shownReceiver is where the README says that a receiver listens.
const shownReceiver = "http://127.0.0.1:9000"

// shows tries the calls of a section of a page, at least so many. What is read may take a
// moment to be as it says.
func shows(t *testing.T, page, section string, atLeast int, picked ...choice) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	text, err := os.ReadFile(filepath.Join("..", "..", page))
	if err != nil {
		t.Fatal(err)
	}
	session, err := callsOf(string(text), section)
	if err != nil || len(session) < atLeast {
		t.Fatalf("%d calls, %v", len(session), err)
	}
	onStores(t, func(t *testing.T, engine string) {
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
	}, picked...)
}

// isShownAs reports whether a page abbreviates an answer.
func (a answer) isShownAs(shown any) bool {
	var got any
	return json.Unmarshal(a.body, &got) == nil && transcript.Abbreviates(shown, got)
}

// shownCall is a call that a page shows with its answer.
type shownCall struct {
	method, path string
	body         any // text, or nil
	answer       any // JSON, where dots stand for more; 204 is an answer without a body
}

var (
	apiCall  = regexp.MustCompile(`(?s)^api ("?)\$API(/\S*?)("?)(?: -X ([A-Z]+))?(?: -d '([^']*)')?( -w '%\{http_code\}\\n')?\s*$`)
	nextCall = regexp.MustCompile(`(?m)^api `)
)

// callsOf reads the calls of one section of a page. What it cannot read is an
// error: nothing is shown that nobody tries.
func callsOf(page, section string) (calls []shownCall, err error) {
	text, err := transcript.Section(page, section)
	if err != nil {
		return nil, err
	}
	answers := 0
	for _, block := range transcript.Blocks(text) {
		if block.Answer == "" && !strings.HasPrefix(block.Commands, "api ") {
			continue
		}
		shown, err := transcript.Values(block.Answer)
		if err != nil {
			return nil, fmt.Errorf("the answers to %s: %w", block.Commands, err)
		}
		answers++
		starts := append(nextCall.FindAllStringIndex(block.Commands, -1), []int{len(block.Commands)})
		if starts[0][0] != 0 {
			return nil, fmt.Errorf("this does not begin with a call: %s", block.Commands)
		}
		for i := range starts[1:] {
			text := block.Commands[starts[i][0]:starts[i+1][0]]
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
			if i >= len(shown) {
				return nil, fmt.Errorf("there is no answer to %s", text)
			}
			call.answer = shown[i]
			if asked, shown := words[6] != "", call.answer == 204.0; asked != shown {
				return nil, fmt.Errorf("a status is printed where -w asks for it: %s", text)
			}
			calls = append(calls, call)
		}
		if len(shown) >= len(starts) {
			return nil, errors.New("there are more answers than calls")
		}
	}
	if all := strings.Count(text, "```json\n"); all != answers {
		return nil, fmt.Errorf("%d of %d blocks of answers follow calls", answers, all)
	}
	return calls, nil
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
		if calls, err := callsOf(page, "It"); err == nil {
			t.Errorf("%s: %+v", name, calls)
		}
	}
	calls, err := callsOf("\n## It\n"+call+answer+"\n## Other\n```sh\n```\n", "It")
	if err != nil || len(calls) != 1 || calls[0].method != "POST" || calls[0].path != "/x" || calls[0].body != "{}" {
		t.Errorf("%+v, %v", calls, err)
	}
}
