package console

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// requestPages returns the pages about the requests of clients.
func requestPages() []page {
	return []page{
		{
			path: "/requests", title: "Requests", template: "requests", show: showRequests, powers: operator.SeeRequests,
			menu: &menu{section: integrations, label: "Requests", icon: "lines"},
		},
		{path: "/requests/readiness", title: "Deprecated names", template: "readiness", show: showReadiness, under: "/requests", powers: operator.SeeRequests},
		{path: "/requests/readiness.csv", file: readinessCSV, powers: operator.SeeRequests},
		{path: "/requests/{id}", title: "Request", template: "request", show: showRequest, under: "/requests", powers: operator.SeeRequests},
	}
}

// requestsPage is a list of requests.
type requestsPage struct {
	Form     *form
	Filters  []field
	Filtered bool
	// Live reports that the page shows the latest requests and is to be read again.
	Live  bool
	Here  string
	Rows  []requestRow
	Empty empty
	Older string
}

type requestRow struct {
	ID, Operation, Took string
	Credential          ref
	Method              string
	// Path is split where a line may end, and relative to {base_url} if it is below that.
	Path         []string
	At           moment
	State, Names state
	Deprecated   bool
}

// requestFilters are the names of the parameters of the address that narrow the list.
var requestFilters = [...]string{"credential", "operation", "status", "code", "from", "until", "deprecated"}

func showRequests(v *pageRequest) (any, error) {
	asked := v.r.URL.Query()
	if !v.Site.Requests.Kept() {
		return requestsPage{Form: v.form(), Empty: noRequests()}, nil
	}
	clients, err := v.clientField(asked)
	if err != nil {
		return nil, err
	}
	filter, refused := requestFilter(asked)
	f := newForm(asked, refused)
	p := requestsPage{
		Form: &f, Here: v.r.URL.RequestURI(), Live: asked.Get("cursor") == "" && len(f.wrong) == 0,
		Filters: []field{
			clients,
			f.one("operation", "Operation", "", "", anyOf(v.operationNames())),
			f.one("status", "Answer", "", "", []choice{{Label: "any"}, {Value: "2", Label: "2xx"}, {Value: "4", Label: "4xx"}, {Value: "5", Label: "5xx"}}),
			f.text("code", "Error code", "", ""),
			f.text("from", "From, UTC", "", "").as("datetime-local"),
			f.text("until", "Until, UTC", "", "").as("datetime-local"),
			f.one("deprecated", "Names", "", "", []choice{{Label: "any"}, {Value: "yes", Label: "deprecated"}}),
		},
		Empty: empty{Title: "No requests yet", Text: "Every request appears here a moment after it was answered, with what was wrong with it."},
	}
	kept := narrowed(asked, requestFilters[:])
	if p.Filtered = len(kept) > 0; p.Filtered {
		p.Empty = empty{Title: "No requests are like that", Clear: link(v.Prefix, "requests")}
	}
	if len(f.wrong) > 0 {
		return p, nil
	}
	err = v.addRequests(&p, filter, kept)
	return p, err
}

// addRequests adds a page of the requests that were asked for; kept is the parameters
// of the address that narrow them.
func (v *pageRequest) addRequests(p *requestsPage, filter trace.Filter, kept url.Values) error {
	found, err := v.Backoffice.FindRequests(v.ctx, v.actor, at(v, backoffice.FindRequests{Filter: filter, Cursor: v.query("cursor")}))
	if err != nil {
		return err
	}
	for _, r := range found.Requests {
		p.Rows = append(p.Rows, v.requestRow(r))
	}
	if found.Next != "" {
		kept.Set("cursor", found.Next)
		p.Older = link(v.Prefix, "requests") + "?" + kept.Encode()
	}
	return nil
}

// requestFilter reads the filter from the parameters of the address.
func requestFilter(asked url.Values) (trace.Filter, error) {
	var problems fault.Problems
	f := trace.Filter{
		Credential: access.CredentialID(asked.Get("credential")), Operation: asked.Get("operation"), Code: fault.Code(asked.Get("code")),
		Deprecated: asked.Get("deprecated") != "", From: readTime(asked, "from", &problems), Until: readTime(asked, "until", &problems),
	}
	if text := asked.Get("status"); text != "" {
		status, err := strconv.Atoi(text)
		if err != nil || status < 1 || status > 599 {
			problems.Add("status", fault.CodeInvalidFormat, "a status, or the first digit of one")
		}
		f.Status = status
	}
	return f, problems.Err()
}

// minutes is the layout of the value of a datetime-local field.
const minutes = "2006-01-02T15:04"

// readTime reads a parameter as a time in UTC; the zero time if it is empty.
func readTime(asked url.Values, name string, problems *fault.Problems) time.Time {
	text := asked.Get(name)
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{minutes, "2006-01-02T15:04:05", time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	problems.Add(name, fault.CodeInvalidFormat, "a time such as 2026-11-22T08:00")
	return time.Time{}
}

// clientField returns the filter by client: a choice, or a text field for operators who may
// not list the clients.
func (v *pageRequest) clientField(asked url.Values) (field, error) {
	names, err := v.credentialNames()
	f := newForm(asked, nil)
	if len(names) == 0 {
		return f.text("credential", "Credential", "", ""), err
	}
	return f.one("credential", "Credential", "", "", anyOf(names)), err
}

// noRequests returns the notice of a server that keeps no requests.
func noRequests() empty {
	return empty{Title: "This server keeps no requests", Text: "The log of requests is switched off in its settings."}
}

// anyOf returns the choices of a filter by name, "any" first.
func anyOf(names []string) []choice {
	return append([]choice{{Label: "any"}}, named(names)...)
}

// operationNames returns the operations of the API.
func (v *pageRequest) operationNames() []string {
	var names []string
	for _, o := range slices.Concat(v.Site.Operations(), v.Site.TokenOperations()) {
		names = append(names, o.ID)
	}
	slices.Sort(names)
	return names
}

// shortID is the number of characters of an id that lists show.
const shortID = 8

func (v *pageRequest) requestRow(r trace.Request) requestRow {
	return requestRow{
		ID: r.ID, Operation: r.Operation, Method: r.Method, Path: strings.SplitAfter(strings.TrimPrefix(r.Path, kernel.BasePath), "/"), Credential: v.toCredential(r.Credential),
		Took: milliseconds(r.Took), At: clock(v.now, r.At), State: requestState(r), Deprecated: len(r.Deprecated) > 0, Names: state{wanted, "camelCase"},
	}
}

// requestState returns the status and the error code of an answer.
func requestState(r trace.Request) state {
	word := strings.TrimSpace(strconv.Itoa(r.Status) + " " + string(r.Code))
	switch trace.Class(r.Status) {
	case 2:
		return state{well, word}
	case 4:
		return state{wanted, word}
	case 5:
		return state{broken, word}
	}
	return state{over, word}
}

// requestPage is one request with its answer.
type requestPage struct {
	ID, Operation, Credential, Method, Path string
	State                                   state
	// Others is the address of the other requests of the credential.
	Others string
	// Deprecated lists the deprecated names that the request has.
	Deprecated               string
	Figures                  []figure
	SentFacts, AnsweredFacts []fact
	Sent, Answered           string
	// NoSent and NoAnswered are the reasons why a body is missing.
	NoSent, NoAnswered string
	Curl               string
	// CurlHint is what to fill in before the command works.
	CurlHint string
}

// fact is a name with a value.
type fact struct{ Label, Value string }

func (p requestPage) title() string { return p.Operation + " " + p.ID[:min(shortID, len(p.ID))] }

func showRequest(v *pageRequest) (any, error) {
	r, err := v.Backoffice.GetRequest(v.ctx, v.actor, at(v, backoffice.RequestPath{ID: v.r.PathValue("id")}))
	if err != nil {
		return nil, err
	}
	p := requestPage{
		ID: r.ID, Operation: r.Operation, Credential: string(r.Credential), Method: r.Method, Path: pathOf(r), State: requestState(r),
		Deprecated: strings.Join(r.Deprecated, ", "), Figures: v.requestFigures(r),
		SentFacts:     facts("User-Agent", r.Agent, "From", r.Peer, "X-Request-Id", r.ClientID),
		AnsweredFacts: facts("Status", strconv.Itoa(r.Status), "Code", string(r.Code), "X-Request-Id", r.ID, "Content-Length", strconv.FormatInt(r.Bytes, 10)),
		Sent:          indented(r.Sent), Answered: indented(r.Answered), Curl: curl(r),
		NoSent:     "No body is kept. It is of writes and of what was refused, if there was one.",
		NoAnswered: "No body is kept.",
	}
	p.CurlHint = "put in your own token and host"
	if strings.Contains(p.Curl, "@"+bodyFile) {
		p.CurlHint += ", and the body into " + bodyFile
	}
	if !v.seesBodies(r) {
		p.NoSent = "Your role does not see bodies, nor what was asked for in the address."
		p.NoAnswered = "Your role does not see bodies."
	}
	if r.Credential != "" {
		p.Others = v.requestsBy(r.Credential)
		p.SentFacts = append([]fact{{"Authorization", "Bearer •••••• (never kept)"}}, p.SentFacts...)
	}
	return p, nil
}

// seesBodies reports whether the operator is shown the bodies of a request, where they
// are kept.
func (v *pageRequest) seesBodies(r trace.Request) bool {
	return v.actor.May(operator.SeeBodies) && (len(r.Customers) == 0 || v.actor.May(operator.SeePersonal))
}

// facts returns facts from names and values in turn, without those whose value is empty.
func facts(pairs ...string) []fact {
	var list []fact
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			list = append(list, fact{pair[0], pair[1]})
		}
	}
	return list
}

func pathOf(r trace.Request) string {
	path := cmp.Or(r.Path, "(no such path)")
	if r.Query != "" {
		path += "?" + r.Query
	}
	return path
}

func (v *pageRequest) requestFigures(r trace.Request) []figure {
	at := clock(v.now, r.At)
	list := []figure{
		{Label: "Took", Value: milliseconds(r.Took), Unit: "ms"},
		{Label: "Answered", Value: count(r.Bytes), Unit: "bytes"},
		{Label: "Credential", Value: "nobody known", Words: true},
		{Label: "Site", Value: "none", Words: true},
		{Label: "At, UTC", Time: &at, Mono: true},
	}
	if r.Credential != "" {
		list[2].Value, list[2].Link = string(r.Credential), v.toCredential(r.Credential).Href
	}
	if r.Site != 0 {
		list[3].Words = false
		list[3].Value = strconv.FormatInt(int64(r.Site), 10)
	}
	if r.OneIn > 1 {
		list = append(list, figure{Label: "Stands for", Value: count(r.OneIn), Unit: "such requests"})
	}
	return list
}

// curl returns a command that sends the request again, as far as it is known: a body that is
// not shown is read from a file.
func curl(r trace.Request) string {
	lines := []string{"curl -X " + r.Method + " " + shellQuoted("https://YOUR-HOST"+pathOf(r)), "-H 'Authorization: Bearer '\"$TOKEN\""}
	if r.Sent != "" {
		lines = append(lines, "-H 'Content-Type: application/json'", "-d "+shellQuoted(r.Sent))
	} else if r.Method != http.MethodGet && r.Method != http.MethodDelete {
		lines = append(lines, "-H 'Content-Type: application/json'", "-d @"+bodyFile)
	}
	return strings.Join(lines, " \\\n  ")
}

// bodyFile is the name of the file with the body for a request that is sent again.
const bodyFile = "body.json"

// shellQuoted returns a text as one word of a shell.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// readinessPage is the list of clients that still use deprecated names.
type readinessPage struct {
	Rows  []readinessRow
	Empty empty
}

type readinessRow struct {
	Credential                                                ref
	Operation, Name, Requests, First, Last, LastID, LastShort string
}

func (v *pageRequest) readiness() ([]trace.Readiness, error) {
	return v.Backoffice.ListReadiness(v.ctx, v.actor, at(v, kernel.Nothing{}))
}

func showReadiness(v *pageRequest) (any, error) {
	if !v.Site.Requests.Kept() {
		return readinessPage{Empty: noRequests()}, nil
	}
	found, err := v.readiness()
	p := readinessPage{Empty: empty{Title: "Nobody sends deprecated names", Text: "As soon as a client of this site does, it appears here with the operation and the name."}}
	for _, r := range found {
		p.Rows = append(p.Rows, readinessRow{
			Credential: v.toCredential(r.Credential), Operation: r.Operation, Name: r.Name, Requests: count(r.N),
			First: r.FirstDay.Format(time.DateOnly), Last: r.LastDay.Format(time.DateOnly), LastID: r.Last, LastShort: r.Last[:min(shortID, len(r.Last))],
		})
	}
	return p, err
}

// readinessCSV returns the list of readinessPage as a file.
func readinessCSV(v *pageRequest) (download, error) {
	found, err := v.readiness()
	if err != nil {
		return download{}, err
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	rows := [][]string{{"credential", "operation", "name", "requests", "first_day", "last_day", "last_request_id"}}
	for _, r := range found {
		rows = append(rows, []string{
			string(r.Credential), r.Operation, asText(r.Name), strconv.FormatInt(r.N, 10), r.FirstDay.Format(time.DateOnly), r.LastDay.Format(time.DateOnly), r.Last,
		})
	}
	err = w.WriteAll(rows)
	return download{Name: "deprecated-names.csv", Type: "text/csv; charset=utf-8", Content: text.Bytes()}, err
}

// asText marks a cell as text, if a spreadsheet would otherwise run it as a formula.
func asText(cell string) string {
	if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
		return "'" + cell
	}
	return cell
}
