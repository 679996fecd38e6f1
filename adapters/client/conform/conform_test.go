package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestEachSentenceIsCheckedOrHasAReason(t *testing.T) {
	named, sentences, reasons := map[int]bool{}, Sentences(), Untested()
	for i, s := range sentences {
		if first := strings.SplitN(strings.Split(contract, "\n")[i], "\t", 2)[0]; first != fmt.Sprint(s.Number) || s.Clause == "" || s.Text == "" {
			t.Errorf("line %d is numbered %s: %+v", i+1, first, s)
		}
	}
	for _, c := range Checks() {
		if named[c.Number] = true; reasons[c.Number] != "" {
			t.Errorf("%s checks sentence %d, which is said not to be tested", c.ID, c.Number)
		}
	}
	for _, s := range sentences {
		if !named[s.Number] && reasons[s.Number] == "" {
			t.Errorf("no check names sentence %d, and it has no reason: %s", s.Number, s.Text)
		}
	}
}

func TestChecksAreWhole(t *testing.T) {
	seen, levels, numbers := map[string]bool{}, map[Level]int{}, map[int]bool{}
	for _, c := range Checks() {
		if seen[c.ID] || c.ID == "" || c.Sentence == "" || c.Run == nil || c.Level == Extensions && c.Clause != "" {
			t.Errorf("%s is there twice, or not whole", c.ID)
		}
		if c.Needs&Slow != 0 && c.Needs&Write == 0 || c.Needs&Receiver != 0 && c.Needs&Write == 0 {
			t.Errorf("%s waits for what only writes cause, and does not say that it writes", c.ID)
		}
		seen[c.ID], numbers[c.Number] = true, true
		levels[c.Level]++
	}
	if levels[Contract] < 120 || len(numbers) < 80 {
		t.Errorf("%d checks of %d sentences", levels[Contract], len(numbers))
	}
}

// against runs checks against a handler.
func against(t *testing.T, handler http.HandlerFunc, o Options) Report {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	o.Patience, o.Silence = 50*time.Millisecond, time.Millisecond
	report, err := Run(t.Context(), Target{URL: server.URL, Credential: Credential{"me", "my secret", 1}, Second: Credential{"them", "their secret", 2}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// granting answers token calls, and anything else with {}.
func granting(w http.ResponseWriter, r *http.Request) {
	if _, _, known := r.BasicAuth(); known && strings.HasPrefix(r.URL.Path, "/api/client/token/") {
		fmt.Fprintf(w, `{"domain":"http://%s","access_token":"a token of %s","refresh_token":"a refresh token"}`, r.Host, r.Host)
		return
	}
	_, _ = w.Write([]byte("{}"))
}

func TestAServerThatAnswersNothingFalls(t *testing.T) {
	report := against(t, granting, Options{Write: true, Slow: true})
	if judged := report.Summary.Held + report.Summary.Fell; judged < 120 || report.Summary.Fell*10 < judged*9 {
		t.Errorf("%+v", report.Summary)
		for _, r := range report.Checks {
			if r.Outcome == Held {
				t.Log(r.ID)
			}
		}
	}
}

func TestWithoutConsentNothingIsWritten(t *testing.T) {
	report := against(t, func(w http.ResponseWriter, r *http.Request) {
		reads := []string{searchPath, countPath, "/customers/search", "/products/search/facets"}
		path := strings.TrimPrefix(r.URL.Path, basePath)
		if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions && !slices.Contains(reads, path) && !strings.HasPrefix(path, "/api/client/token/") {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		granting(w, r)
	}, Options{Slow: true})
	for _, r := range report.Checks {
		if r.Outcome == Skipped && r.Reason == "" {
			t.Errorf("%s is skipped without a reason", r.ID)
		}
	}
}

func TestARunIsBounded(t *testing.T) {
	var now, most, all atomic.Int64
	report := against(t, func(w http.ResponseWriter, r *http.Request) {
		all.Add(1)
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		time.Sleep(time.Millisecond)
		granting(w, r)
	}, Options{Requests: 60})
	if all.Load() > 60 || most.Load() > atOnce || report.Requests != int(all.Load()) {
		t.Errorf("%d requests of %d, %d at once", all.Load(), report.Requests, most.Load())
	}
	if !slices.ContainsFunc(report.Checks, func(r Result) bool { return r.Reason == tooMany }) {
		t.Error("no check says that it could not ask")
	}
}

func TestWhatWasMadeIsDeletedWithinTheBound(t *testing.T) {
	for _, stops := range []int64{1 << 30, 40} { // the second time it is told to end
		ctx, stop := context.WithCancel(t.Context())
		var requests, made, deleted atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests.Add(1) == stops {
				stop()
			}
			switch path := strings.TrimPrefix(r.URL.Path, basePath); {
			case path == "/discovery":
				_, _ = w.Write([]byte(`{"data":[{"agency_id":1}]}`))
			case r.Method == http.MethodPost && path == "/products":
				w.WriteHeader(http.StatusCreated)
				fmt.Fprintf(w, `{"data":{"id":%d}}`, made.Add(1))
			case r.Method == http.MethodDelete:
				deleted.Add(1)
				w.WriteHeader(http.StatusNoContent)
			default:
				granting(w, r)
			}
		}))
		report, err := Run(ctx, Target{URL: server.URL, Credential: Credential{"me", "my secret", 1}}, Options{
			Write: true, Only: []string{"create.*", "update.*", "value.*"}, Requests: 80, Patience: time.Millisecond, Silence: time.Millisecond,
		})
		server.Close()
		stop()
		// Where it is told to end, what is on its way is not known to be made.
		if (err != nil) != (stops == 40) || requests.Load() > 80 || made.Load() == 0 || deleted.Load() < made.Load()-atOnce || stops != 40 && deleted.Load() != made.Load() || len(report.Left) > 0 {
			t.Errorf("%v: %d made and %d deleted in %d requests, %v left", err, made.Load(), deleted.Load(), requests.Load(), report.Left)
		}
	}
}

func TestTooManyRequestsAreObeyed(t *testing.T) {
	for text, want := range map[string]time.Duration{"": time.Second, "3": 3 * time.Second, "-1": 0, "99999": 99999 * time.Second, "nonsense": time.Second} {
		if got := retryAfter(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	var refused atomic.Bool
	var until atomic.Int64
	report := against(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/discovery") && !refused.Swap(true) {
			until.Store(time.Now().Add(time.Second).UnixNano())
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		if refused.Load() && time.Now().Add(5*time.Millisecond).UnixNano() < until.Load() {
			t.Error("it asks before it may")
		}
		granting(w, r)
	}, Options{Only: []string{"discovery.answer"}})
	if report.Checks[0].Exchanges[0].Status != 200 {
		t.Errorf("%+v", report.Checks)
	}
}

func TestAServerThatTakesNoMoreIsLeftAlone(t *testing.T) {
	var asked atomic.Int64
	report := against(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/discovery") {
			asked.Add(1)
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		granting(w, r)
	}, Options{Only: []string{"discovery.answer"}})
	if r := report.Checks[0]; asked.Load() != 1 || r.Outcome != Skipped || r.Reason == "" {
		t.Errorf("%d requests, and %+v", asked.Load(), r)
	}
}

func TestNoReportHasASecret(t *testing.T) {
	report := against(t, func(w http.ResponseWriter, r *http.Request) {
		if id, secret, known := r.BasicAuth(); known {
			w.Header().Set("X-Request-Id", r.Header.Get("Authorization"))
			fmt.Fprintf(w, `{"domain":"http://%s","access_token":"a token of %s","refresh_token":"rrrrrrrrrr","secret":"whsec_c2VjcmV0"}`, r.Host, id+secret)
			return
		}
		fmt.Fprintf(w, `{"said":%q,"secret":"whsec_c2VjcmV0","raw":"c2VjcmV0"}`, r.Header.Get("Authorization"))
	}, Options{Write: true})
	for _, format := range append([]string{""}, Reports...) {
		var b bytes.Buffer
		if err := report.Write(&b, format); err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"my secret", "their secret", "a token of", "rrrrrrrrrr", "c2VjcmV0", "bWU6bXkgc2VjcmV0"} {
			if strings.Contains(b.String(), secret) {
				t.Errorf("%q says %s", format, secret)
			}
		}
	}
}

func TestASeedRepeatsARun(t *testing.T) {
	asked := func(seed uint64) string {
		report, all := against(t, shop, Options{Seed: seed}), ""
		for _, r := range report.Checks {
			for _, e := range r.Exchanges {
				all += e.Method + " " + e.Path + "\n"
			}
		}
		return strings.ReplaceAll(all, report.Target, "")
	}
	if one := asked(7); one != asked(7) || one == asked(8) {
		t.Error("the same seed asks something else, or another seed the same")
	}
}

// shop has fifty products, and nothing else.
func shop(w http.ResponseWriter, r *http.Request) {
	switch path := strings.TrimPrefix(r.URL.Path, basePath); {
	case path == searchPath:
		ids := ""
		for id := 1; id <= 50; id++ {
			ids += fmt.Sprintf(`,{"id":%d}`, id)
		}
		fmt.Fprintf(w, `{"data":[%s],"next_cursor":null,"has_more":false}`, ids[1:])
	case strings.HasSuffix(path, "/criteria"):
		_, _ = w.Write([]byte(`{"data":[]}`))
	case strings.HasPrefix(path, "/products/"):
		fmt.Fprintf(w, `{"data":{"id":%s,"web_status":true}}`, strings.Split(path, "/")[2])
	default:
		granting(w, r)
	}
}

func TestReportsCanBeRead(t *testing.T) {
	report := against(t, granting, Options{Only: []string{"discovery.*"}, Seed: 3})
	report.Checks[0].Got = "<b>\nnot this</b>"
	report.Left = []string{"/products/3"}
	written := map[string]string{}
	for _, format := range append([]string{""}, Reports...) {
		var b bytes.Buffer
		if err := report.Write(&b, format); err != nil {
			t.Fatal(err)
		}
		written[format] = b.String()
	}
	var again Report
	if err := json.Unmarshal([]byte(written["json"]), &again); err != nil || len(again.Checks) != len(report.Checks) || again.Seed != 3 {
		t.Errorf("%v in %s", err, written["json"])
	}
	var suite junitSuite
	if err := xml.Unmarshal([]byte(written["junit"]), &suite); err != nil || suite.Failures != report.Summary.Fell || len(suite.Cases) != len(report.Checks) {
		t.Errorf("%v in %s", err, written["junit"])
	}
	if strings.Contains(written["html"], "<b>") || !strings.Contains(written["html"], "&lt;b&gt;") {
		t.Error("what a server says is no HTML of ours")
	}
	if lines := strings.Count(written["tap"], "\nnot ok ") + strings.Count(written["tap"], "\nok "); lines != len(report.Checks) {
		t.Errorf("%d of %d checks in %s", lines, len(report.Checks), written["tap"])
	}
	for _, word := range []string{"request_id", report.Target + basePath + "/discovery", "left behind: /products/3", "--seed 3"} {
		if !strings.Contains(written[""], word) {
			t.Errorf("no %s in %s", word, written[""])
		}
	}
	if err := report.Write(&bytes.Buffer{}, "pdf"); err == nil {
		t.Error("there is a report pdf")
	}
}

func TestDiffSaysWhatChanged(t *testing.T) {
	was := Report{Checks: []Result{{ID: "a", Outcome: Held}, {ID: "b", Outcome: Fell}, {ID: "c", Outcome: Fell}, {ID: "d", Outcome: Skipped}}}
	is := Report{Checks: []Result{{ID: "a", Outcome: Fell, Expected: "one", Got: "two"}, {ID: "b", Outcome: Held}, {ID: "c", Outcome: Fell}, {ID: "d", Outcome: Skipped}}}
	var b bytes.Buffer
	fell, err := Diff(&b, was, is)
	if want := "fell anew: a: expected one; got two\nholds anew: b\n"; err != nil || !fell || b.String() != want {
		t.Errorf("%v %v %q", fell, err, b.String())
	}
	if fell, _ := Diff(&b, is, is); fell {
		t.Error("nothing fell anew")
	}
}

func TestWhatCannotBeRun(t *testing.T) {
	for _, o := range []Options{{Only: []string{"["}}, {Only: []string{"discovery.*", "no.such"}}, {Level: "other"}} {
		if _, err := Run(t.Context(), Target{}, o); err == nil {
			t.Errorf("%+v runs", o)
		}
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := Run(t.Context(), Target{URL: server.URL, Credential: Credential{"me", "my secret", 1}}, Options{}); err == nil || strings.Contains(err.Error(), "my secret") {
		t.Error(err)
	}
}
