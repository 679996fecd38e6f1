package requests

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/formats"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/history"
)

// requestPages returns the pages about the requests of clients.
func requestPages() []kit.Page {
	return []kit.Page{
		{
			Path: "/requests", Clients: true, Title: "Requests", Template: "requests", Show: showRequests, Several: true, Powers: operator.SeeRequests, Filters: requestFilters[:],
			Menu: &kit.Menu{Section: kit.Integrations, Label: "Requests", Icon: "lines"},
		},
		{Path: "/requests/traffic", Clients: true, Title: "Requests over time", Template: "traffic", Show: showTraffic, Filters: trafficFilters[:], Several: true, Under: "/requests", Powers: operator.SeeRequests},
		{Path: "/requests/readiness", Clients: true, Title: "Deprecated names", Template: "readiness", Show: showReadiness, Under: "/requests", Powers: operator.SeeRequests},
		{Path: "/requests/{id}", Clients: true, Title: "Request", Template: "request", Show: showRequest, Under: "/requests", Powers: operator.SeeRequests},
	}
}

// requestsPage is a list of requests.
type requestsPage struct {
	Lead     kit.Text
	Form     *kit.Form
	Filters  []kit.Field
	Filtered bool
	// Live reports that the page shows the latest requests and is to be read again.
	Live  bool
	Here  string
	Rows  []requestRow
	Empty kit.Empty
	Older string
}

type requestRow struct {
	ID, Href, Site, Operation, Took string
	Credential                      kit.Ref
	// Claimed: the request says it is from the credential, and was refused.
	Claimed bool
	Method  string
	// Path is split where a line may end, and relative to {base_url} if it is below that.
	Path         []string
	At           kit.Moment
	State, Names kit.State
	Deprecated   bool
}

// requestFilters are the names of the parameters of the address that narrow the list.
var requestFilters = [...]string{"which", "credential", "operation", "status", "code", "from", "until", "deprecated"}

func showRequests(v *kit.Request) (any, error) {
	asked := v.HTTP.URL.Query()
	if !v.Site.Requests.Kept() {
		return requestsPage{Lead: leads[""], Form: v.Form(), Empty: noRequests()}, nil
	}
	clients, err := clientField(v, asked)
	if err != nil {
		return nil, err
	}
	filter, refused := requestFilter(v, asked)
	f := kit.NewForm(v.Language, asked, refused)
	here := maps.Clone(asked)
	here.Set("site", v.SiteParameter())
	p := requestsPage{
		Lead: cmp.Or(leads[asked.Get("which")], leads[""]),
		Form: &f, Here: v.HTTP.URL.Path + "?" + here.Encode(), Live: asked.Get("cursor") == "" && len(f.Wrong) == 0,
		Filters: slices.Concat([]kit.Field{f.One("which", "Which", "", "", whichRequests(v))}, clients, []kit.Field{
			f.One("operation", "Operation", "", "", v.AnyOf(operationNames(v))),
			f.One("status", "Answer", "", "", []kit.Choice{{Label: v.Say("any")}, {Value: "2", Label: "2xx"}, {Value: "4", Label: "4xx"}, {Value: "5", Label: "5xx"}}),
			f.Text("code", "Error code", "", ""),
			f.Text("from", "Since", "", "").As("datetime-local"),
			f.Text("until", "Before", "", "").As("datetime-local"),
			f.One("deprecated", "Names", "", "", []kit.Choice{{Label: v.Say("any")}, {Value: "yes", Label: v.Say("deprecated")}}),
		}),
		Empty: kit.Empty{Title: "No requests yet", Text: "Every request appears here a moment after it was answered, with what was wrong with it."},
	}
	kept := filters.Narrowed(asked, requestFilters[:])
	if p.Filtered = len(kept) > 0; p.Filtered {
		p.Empty = kit.Empty{Title: "No requests are like that", Clear: v.Link("requests")}
	}
	if len(f.Wrong) > 0 {
		return p, nil
	}
	err = addRequests(v, &p, filter, kept)
	return p, err
}

// addRequests adds a page of the requests that were asked for; kept is the parameters
// of the address that narrow them.
func addRequests(v *kit.Request, p *requestsPage, filter trace.Filter, kept url.Values) error {
	wanted := backoffice.FindRequests{Filter: filter, Cursor: v.Query("cursor")}
	for _, s := range v.Shown() {
		wanted.Sites = append(wanted.Sites, s.ID)
	}
	var found trace.Page
	var err error
	if v.Query("which") == siteless {
		found, err = v.Backoffice.FindSitelessRequests(v.Ctx, v.Actor, wanted)
	} else {
		found, err = v.Backoffice.FindRequests(v.Ctx, v.Actor, wanted)
	}
	if err != nil {
		return err
	}
	for _, r := range found.Requests {
		p.Rows = append(p.Rows, newRequestRow(v, r))
	}
	if found.Next != "" {
		kept.Set("cursor", found.Next)
		p.Older = v.Link("requests") + "?" + kept.Encode()
	}
	return nil
}

// What the filter which selects beside the requests of the site.
const (
	signIns  = "sign-ins"
	siteless = "siteless"
)

// leads say what each list has, in which order aside.
var leads = map[string]kit.Text{
	"":       "What clients of the API asked",
	signIns:  "What was refused because of whom it says it is from",
	siteless: "What belongs to no site: sign-ins, what was refused before its site was known, public pages",
}

// whichRequests returns the lists of requests that the operator may see.
func whichRequests(v *kit.Request) []kit.Choice {
	list := []kit.Choice{{Label: v.Say("of sites")}, {Value: signIns, Label: v.Say("failed sign-ins")}}
	if v.Actor.Operator.Everywhere {
		list = append(list, kit.Choice{Value: siteless, Label: v.Say("of no site")})
	}
	return list
}

// requestFilter reads the filter from the parameters of the address.
func requestFilter(v *kit.Request, asked url.Values) (trace.Filter, error) {
	var problems fault.Problems
	f := trace.Filter{
		Credential: access.CredentialID(asked.Get("credential")), Operation: asked.Get("operation"), Code: fault.Code(asked.Get("code")),
		SignIns: asked.Get("which") == signIns, Deprecated: asked.Get("deprecated") != "", From: ReadTime(v, asked, "from", &problems), Until: ReadTime(v, asked, "until", &problems),
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

// Minutes is the layout of the value of a datetime-local field.
const Minutes = "2006-01-02T15:04"

// ReadTime reads a parameter as a time, in the time zone of the page unless it names an offset; the zero time
// if it is empty.
func ReadTime(v *kit.Request, asked url.Values, name string, problems *fault.Problems) time.Time {
	text := asked.Get(name)
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{Minutes, "2006-01-02T15:04:05", time.RFC3339, time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, v.Time.Location()); err == nil {
			return at.In(v.Time.Location())
		}
	}
	problems.Add(name, fault.CodeInvalidFormat, "a time such as 2026-11-22T08:00")
	return time.Time{}
}

// clientField returns the filter by client: a choice, or a text field for operators who may
// not list the clients; none in a portal.
func clientField(v *kit.Request, asked url.Values) ([]kit.Field, error) {
	if v.Portal {
		return nil, nil
	}
	names, err := v.CredentialNames()
	f := kit.NewForm(v.Language, asked, nil)
	if len(names) == 0 {
		return []kit.Field{f.Text("credential", "Credential", "", "")}, err
	}
	choices := v.AnyOf(names)
	if v.Actor.Operator.Everywhere && asked.Get("which") == siteless {
		choices = append(choices, kit.Choice{Value: string(access.UnknownClient), Label: v.Say("unknown")})
	}
	return []kit.Field{f.One("credential", "Credential", "", "", choices)}, err
}

// noRequests returns the notice of a server that keeps no requests.
func noRequests() kit.Empty {
	return kit.Empty{Title: "This server keeps no requests", Text: "The log of requests is switched off in its settings."}
}

// operationNames returns the operations of the API.
func operationNames(v *kit.Request) []string {
	var names []string
	for _, o := range slices.Concat(v.Site.Operations(), v.Site.TokenOperations()) {
		names = append(names, o.ID)
	}
	slices.Sort(names)
	return names
}

// shortID is the number of characters of an id that lists show.
const shortID = 8

func newRequestRow(v *kit.Request, r trace.Request) requestRow {
	by := v.ToCredential(r.Credential)
	if r.Claimed != "" {
		by = claimed(v, r)
	}
	return requestRow{
		ID: r.ID, Href: v.LinkOn(cmp.Or(r.Site, v.Sites[0].ID), "requests", r.ID), Site: v.SiteName(r.Site), Operation: r.Operation, Method: r.Method, Path: strings.SplitAfter(strings.TrimPrefix(r.Path, kernel.BasePath), "/"), Credential: by, Claimed: r.Claimed != "",
		Took: v.Milliseconds(r.Took), At: v.Clock(v.Time, r.At), State: requestState(r), Deprecated: len(r.Deprecated) > 0, Names: kit.State{Tone: kit.Wanted, Said: "camelCase"},
	}
}

// claimed returns whom a refused request says it is from.
func claimed(v *kit.Request, r trace.Request) kit.Ref {
	if r.Claimed != access.UnknownClient {
		return v.ToCredential(r.Claimed)
	}
	return kit.Ref{Label: cmp.Or(r.UnknownClient, v.Say("somebody unknown"))}
}

// answerTones are those of the classes of answers; others are over.
var answerTones = map[int]kit.Tone{2: kit.Well, 4: kit.Wanted, 5: kit.Broken}

// requestState returns the status and the error code of an answer.
func requestState(r trace.Request) kit.State {
	return kit.State{Tone: cmp.Or(answerTones[trace.Class(r.Status)], kit.Over), Said: strings.TrimSpace(strconv.Itoa(r.Status) + " " + string(r.Code))}
}

// requestPage is one request with its answer.
type requestPage struct {
	ID, Operation, Credential, Method, Path string
	State                                   kit.State
	// Others is the address of the other requests of the credential.
	Others string
	// Deprecated lists the deprecated names that the request has.
	Deprecated               string
	Figures                  []kit.Figure
	SentFacts, AnsweredFacts []kit.Fact
	Sent, Answered           string
	// NoSent and NoAnswered are the reasons why a body is missing.
	NoSent, NoAnswered kit.Text
	// Refusals are the fields that were refused.
	Refusals []refusalRow
	// Caused are the events that the request caused, and the operator may see.
	Caused []causedRow
	Curl   string
	// CurlHint is what to fill in before the command works.
	CurlHint string
}

// causedRow is an event that a request caused; Href is its place in the ledger.
type causedRow struct {
	Type, Kind string
	Resource   int64
	Href       string
}

// causedWithin is how long after a request the events that it caused are looked for.
const causedWithin = 10 * time.Minute

// caused reads the events that a request caused.
func caused(v *kit.Request, r trace.Request) (rows []causedRow, err error) {
	if r.Site == 0 || r.Method == http.MethodGet || r.Status >= 400 || !v.May(v.Pages["/events"]) {
		return nil, nil
	}
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	from := r.At.Add(-time.Minute) // the clocks of servers differ a little
	events, err := v.Site.History.OfRequest(v.Ctx, c, history.RequestEvents{ID: r.ID, From: kernel.Instant{Time: from}, To: kernel.Instant{Time: r.At.Add(causedWithin)}})
	for _, e := range events {
		open := url.Values{"before": {strconv.FormatInt(e.ID+1, 10)}, "open": {strconv.FormatInt(e.ID, 10)}}
		rows = append(rows, causedRow{Type: e.EventType, Kind: strings.ToLower(e.Kind), Resource: e.Resource, Href: v.Link("events") + "?" + open.Encode()})
	}
	return rows, err
}

// refusalRow is what is shown of a field that was refused.
type refusalRow struct{ Field, Code, Value, Message, Accepted string }

// refusals reads the fields that were refused from the answer; none if its end is missing.
func refusals(l kit.Language, answered string) []refusalRow {
	var kept struct {
		Error struct {
			Details []trace.Refusal `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(answered), &kept) != nil {
		return nil
	}
	var rows []refusalRow
	for _, d := range kept.Error.Details {
		row := refusalRow{Field: d.Field, Code: string(d.Code), Value: d.Value, Message: d.Message, Accepted: strings.Join(d.Accepted, ", ")}
		if more := d.AcceptedCount - len(d.Accepted); more > 0 && len(d.Accepted) > 0 {
			row.Accepted = l.Say("%s, and %d more", row.Accepted, more)
		}
		rows = append(rows, row)
	}
	return rows
}

func (p requestPage) TabTitle() string { return p.Operation + " " + p.ID[:min(shortID, len(p.ID))] }

func showRequest(v *kit.Request) (any, error) {
	r, err := v.Backoffice.GetRequest(v.Ctx, v.Actor, kit.At(v, backoffice.RequestPath{ID: v.HTTP.PathValue("id")}))
	if err != nil {
		return nil, err
	}
	p := requestPage{
		ID: r.ID, Operation: r.Operation, Credential: string(r.Credential), Method: r.Method, Path: pathOf(v.Language, r), State: requestState(r),
		Deprecated: strings.Join(r.Deprecated, ", "), Figures: requestFigures(v, r),
		SentFacts: kit.Facts(kit.Fact{Label: "User-Agent", Value: r.Agent}, v.Fact("From", r.Peer), kit.Fact{Label: "X-Request-Id", Value: r.ClientID}),
		AnsweredFacts: kit.Facts(
			v.Fact("Status", strconv.Itoa(r.Status)), v.Fact("Code", string(r.Code)),
			kit.Fact{Label: "X-Request-Id", Value: r.ID}, kit.Fact{Label: "Content-Length", Value: strconv.FormatInt(r.Bytes, 10)},
		),
		Sent: formats.Indented(r.Sent), Answered: formats.Indented(r.Answered), Curl: curl(v, r), Refusals: refusals(v.Language, r.Answered),
		NoSent:     "No body is kept. It is of writes and of what was refused, if there was one.",
		NoAnswered: "No body is kept.",
	}
	if p.Caused, err = caused(v, r); err != nil && !kit.IsHidden(err) {
		return nil, err
	}
	p.CurlHint = v.Say("TOKEN has to hold a token")
	if strings.Contains(p.Curl, formats.FromFile) {
		p.CurlHint = v.Say("TOKEN has to hold a token, and %s the body", formats.BodyFile)
	}
	if !seesBodies(v, r) {
		p.NoSent = "Your role does not see bodies, nor what was asked for in the address."
		p.NoAnswered = "Your role does not see bodies."
	}
	if r.Claimed != "" {
		p.Credential, p.Others = string(r.Claimed), FailedSignIns(v, r.Claimed)
		if r.Claimed == access.UnknownClient {
			p.Credential = v.Say("unknown clients")
		}
		p.NoSent = "Nothing is kept of what was sent before it was known who sent it."
		p.NoAnswered = p.NoSent
	}
	if r.Credential != "" {
		p.Others = By(v, r.Credential)
		p.SentFacts = append([]kit.Fact{{Label: "Authorization", Value: v.Say("Bearer •••••• (never kept)")}}, p.SentFacts...)
	}
	return p, nil
}

// seesBodies reports whether the operator is shown the bodies of a request, where they
// are kept.
func seesBodies(v *kit.Request, r trace.Request) bool {
	return v.Actor.May(operator.SeeBodies) && (len(r.Customers) == 0 || v.Actor.May(operator.SeePersonal))
}

func pathOf(l kit.Language, r trace.Request) string {
	path := cmp.Or(r.Path, l.Say("(no such path)"))
	if r.Query != "" {
		path += "?" + r.Query
	}
	return path
}

func requestFigures(v *kit.Request, r trace.Request) []kit.Figure {
	at := v.Clock(v.Time, r.At)
	list := []kit.Figure{
		{Label: "Took", Value: v.Milliseconds(r.Took), Unit: "ms"},
		{Label: "Answered", Value: v.Count(r.Bytes), Unit: "bytes"},
		{Label: "Credential", Value: v.Say("nobody known"), Words: true},
		{Label: "Site", Value: v.Say("none"), Words: true},
		{Label: "At", Time: &at, Mono: true},
	}
	if r.Credential != "" {
		list[2].Value, list[2].Link = string(r.Credential), v.ToCredential(r.Credential).Href
	}
	if r.Claimed != "" {
		by := claimed(v, r)
		list[2].Label, list[2].Value, list[2].Link = "Says it is", by.Label, by.Href
	}
	if r.Site != 0 {
		list[3].Words = false
		list[3].Value = strconv.FormatInt(int64(r.Site), 10)
	}
	if r.OneIn > 1 {
		list = append(list, kit.Figure{Label: "Stands for", Value: v.Count(int64(r.OneIn)), Unit: "such requests"})
	}
	return list
}

// curl returns a command that sends the request again, as far as it is known: a body that is
// not shown is read from a file.
func curl(v *kit.Request, r trace.Request) string {
	body := r.Sent
	if body == "" && r.Method != http.MethodGet && r.Method != http.MethodDelete {
		body = formats.FromFile
	}
	return formats.Curl(v, r.Method, pathOf(v.Language, r), body)
}

// readinessPage is the list of clients that still use deprecated names.
type readinessPage struct {
	Rows  []readinessRow
	Empty kit.Empty
}

type readinessRow struct {
	Credential                                                kit.Ref
	Operation, Name, Requests, First, Last, LastID, LastShort string
}

func showReadiness(v *kit.Request) (any, error) {
	if !v.Site.Requests.Kept() {
		return readinessPage{Empty: noRequests()}, nil
	}
	found, err := v.Backoffice.ListReadiness(v.Ctx, v.Actor, kit.At(v, kernel.Nothing{}))
	p := readinessPage{Empty: kit.Empty{Title: "Nobody sends deprecated names", Text: "As soon as a client of this site does, it appears here with the operation and the name."}}
	for _, r := range found {
		p.Rows = append(p.Rows, readinessRow{
			Credential: v.ToCredential(r.Credential), Operation: r.Operation, Name: r.Name, Requests: v.Count(r.N),
			First: r.FirstDay.Format(time.DateOnly), Last: r.LastDay.Format(time.DateOnly), LastID: r.Last, LastShort: r.Last[:min(shortID, len(r.Last))],
		})
	}
	return p, err
}
