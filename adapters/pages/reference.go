package pages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// group is the operations of a tag, or the guides in a language.
type group struct {
	Name, Description, Lang string
	Entries                 []entry
	// Open groups contain what is shown; Hidden ones nothing that is looked for.
	Open, Hidden bool
}

// entry is an operation in a list, or a section of a guide.
type entry struct {
	// Operation is nil for a section.
	Operation       *operation
	ID, Path, Title string
	Current, Hidden bool
	// OnlyFound entries are shown to somebody who looks for them: sections within guides.
	OnlyFound bool
	// Of is the title of the guide that a section is of.
	Of string
	// Field is by which field the operation was found.
	Field string
}

// ID returns that of the group in the page.
func (g group) ID() string { return strings.ReplaceAll(g.Name, " ", "-") }

// reference answers /docs and below.
func (s *site) reference() http.Handler {
	index := s.once("index", func() any { return s.index("") })
	collection := s.onceMade("application/json", s.collection)
	pages := map[string]http.Handler{}
	for _, o := range s.operations {
		pages[pagePath(o.ID)] = s.once("operation", func() any { return s.operation(o) })
	}
	for _, g := range s.guides {
		pages[g.Path] = s.once("guide", func() any { return s.guide(g) })
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimSuffix(r.URL.Path, "/")
		switch query := r.URL.Query().Get("q"); {
		case strings.HasPrefix(path, Base+"/assets/"):
			secure(w.Header())
			s.assets.ServeHTTP(w, r)
		case path == Base+"/collection.json":
			collection.ServeHTTP(w, r)
		case path == Base && query == "":
			index.ServeHTTP(w, r)
		case path == Base:
			s.show(w, http.StatusOK, "index", s.index(query))
		case pages[path] != nil:
			pages[path].ServeHTTP(w, r)
		default:
			s.show(w, http.StatusNotFound, "absent", s.frame("Not found", "", ""))
		}
	})
}

// show makes a page for one request.
func (s *site) show(w http.ResponseWriter, status int, name string, content any) {
	secure(w.Header())
	page, err := s.render(name, content)
	if err != nil {
		cannotBeShown(w)
		return
	}
	w.Header().Set("Content-Type", htmlType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

// maxQuery bounds what is looked for, in bytes.
const maxQuery = 200

// index lists all operations and guides, and hides those that were not looked for.
func (s *site) index(query string) frame {
	f := s.frame("Reference", query[:min(len(query), maxQuery)], "")
	f.Page = s.signIn()
	return f
}

func (s *site) frame(title, query, current string) frame {
	return frame{site: s, Title: title, Query: query, Current: current, Groups: s.groups(query, current)}
}

// groups returns the operations by their tags, then the guides by their languages.
func (s *site) groups(query, current string) []group {
	var all []group
	for _, o := range s.operations {
		if len(all) == 0 || all[len(all)-1].Name != o.Tag() {
			all = append(all, group{Name: o.Tag(), Description: s.document.tagDescription(o), Hidden: true})
		}
		g := &all[len(all)-1]
		g.add(s, entry{Operation: o, ID: o.ID, Path: pagePath(o.ID), Title: o.Summary}, query, current)
	}
	for _, one := range s.guides {
		if all[len(all)-1].Name != one.Group {
			all = append(all, group{Name: one.Group, Lang: one.Lang, Hidden: true})
		}
		g := &all[len(all)-1]
		for i, part := range one.Sections {
			e := entry{ID: one.idOf(part), Path: one.idOf(part), Title: part.Title, OnlyFound: i > 0}
			if i == 0 {
				e.Path = one.Path
			} else {
				e.Of = one.Title
			}
			g.add(s, e, query, current)
		}
	}
	return all
}

// add adds an entry, hidden where it was not looked for.
func (g *group) add(s *site, e entry, query, current string) {
	field, found := s.finder.found(e.ID, query)
	e.Field, e.Current = field, e.Path == current
	e.Hidden = !found || e.OnlyFound && query == ""
	g.Entries = append(g.Entries, e)
	g.Open = g.Open || e.Current
	g.Hidden = g.Hidden && e.Hidden
}

// Found returns how many entries are not hidden.
func (f frame) Found() (n int) {
	for _, g := range f.Groups {
		for _, e := range g.Entries {
			if !e.Hidden {
				n++
			}
		}
	}
	return n
}

// Total returns how many operations there are.
func (f frame) Total() string {
	called := f.called()
	if called == len(f.operations) {
		return fmt.Sprintf("%d operations", called)
	}
	return fmt.Sprintf("%d operations and %d webhooks", called, len(f.operations)-called)
}

// called returns how many operations there are that clients call.
func (s *site) called() (n int) {
	for _, o := range s.operations {
		if !o.Sent {
			n++
		}
	}
	return n
}

// signIn is the form that obtains a token, by an operation.
type signIn struct {
	Client Client
	*operation
}

func (s *site) signIn() signIn { return signIn{s.demoClient(), s.token()} }

// token returns the operation that gives a token for a site for a secret.
func (s *site) token() *operation {
	for _, o := range s.operations {
		if o.needs() != needsSecret || o.RequestBody == nil {
			continue
		}
		_, c := best(o.RequestBody.Content)
		if _, there := s.document.resolve(c.Schema).Properties["site_id"]; there {
			return o
		}
	}
	return &operation{}
}

// operationPage is what the page of an operation shows.
type operationPage struct {
	*operation
	SignIn  signIn
	Request request
	// Inputs are the parameters that are filled in first, Others the rest.
	Inputs, Others []input
	// InPath, InQuery, InHeader and InBody are what can be sent.
	InPath, InQuery, InHeader, InBody []field
	Samples                           []sample
	Status                            string
	Answer                            []field
	AnswerOf, AnswerExample           string
	Refusals                          []refusal
	// Picture reports that there is a file to send where none is chosen.
	Picture bool
	// Readings are the sections of guides about it.
	Readings []reading
	// First reports that the request may be sent as soon as the page is opened.
	First bool
}

// input is a parameter in the form.
type input struct {
	Name, In, Value string
	Required        bool
	Choices         []string
}

// refusal is an answer that is no success.
type refusal struct{ Status, Title, Text string }

func (s *site) operation(o *operation) frame {
	d := s.document
	p := operationPage{operation: o, SignIn: s.signIn(), Request: s.requests.first(o), Picture: s.hasPicture(), Readings: s.readings[o.ID]}
	p.InPath, p.InQuery, p.InHeader = d.parameters(o, "path"), d.parameters(o, "query"), d.parameters(o, "header")
	if o.RequestBody != nil {
		_, c := best(o.RequestBody.Content)
		p.InBody = placed(d.fields(c.Schema, nil), "body")
	}
	for _, one := range o.Parameters {
		in := s.input(one, p.Request)
		if one.In == "path" || in.Value != "" {
			p.Inputs = append(p.Inputs, in)
		} else {
			p.Others = append(p.Others, in)
		}
	}
	if !o.Sent {
		p.Samples, _ = s.sampler.samples(p.Request) // templates that were parsed write any request
	}
	s.answers(&p)
	p.First = s.Demo != nil && slices.Contains(s.First, Call{o.Method, o.Path})
	f := s.frame(o.Summary, "", pagePath(o.ID))
	f.Page = p
	return f
}

// guide shows a guide, beside the others in its language.
func (s *site) guide(g *guide) frame {
	f := s.frame(g.Title, "", g.Path)
	f.Page = g
	return f
}

func (s *site) input(p parameter, r request) input {
	in := input{Name: p.Name, In: p.In, Value: r.value(p), Required: p.Required}
	simple := s.document.simple(p.Schema)
	if len(simple.Type) > 0 && simple.Type[0] == "boolean" {
		in.Choices = []string{"true", "false"}
	}
	for _, value := range simple.Enum {
		if value != nil {
			in.Choices = append(in.Choices, text(value))
		}
	}
	return in
}

// answers fills in what the operation answers.
func (s *site) answers(p *operationPage) {
	d := s.document
	status, success := p.succeeds()
	_, c := best(d.response(success).Content)
	p.Status, p.Answer, p.AnswerOf = status, placed(answered(d.fields(c.Schema, nil)), "answer"), d.record(c.Schema)
	if value := d.exampleOf(c.Example, c.Examples); value != nil {
		p.AnswerExample = indented(value)
	}
	for status, r := range p.Responses {
		if strings.HasPrefix(status, "2") {
			continue
		}
		title, text, _ := strings.Cut(d.response(r).Description, "\n\n")
		p.Refusals = append(p.Refusals, refusal{status, title, text})
	}
	slices.SortFunc(p.Refusals, func(a, b refusal) int { return strings.Compare(a.Status, b.Status) })
}
