package pages

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
)

// Collection returns the requests of an OpenAPI document as a collection that Postman and
// Bruno import, with a folder for each tag. Its variables are the address of the server, at
// first origin, a client id, a secret and a site; the request of a token keeps what it is
// answered for all others.
func Collection(document []byte, origin string) ([]byte, error) {
	s := &site{Options: Options{Origin: origin}}
	var err error
	if s.document, s.operations, err = readDocument(document); err != nil {
		return nil, err
	}
	if s.requests, err = newRequests(context.Background(), s.document, s.operations, nil); err != nil {
		return nil, err
	}
	return s.collection()
}

// The parts of a collection in version 2.1 of its format, as far as they are used.
type (
	collection struct {
		Info struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Version     string `json:"version"`
			Schema      string `json:"schema"`
		} `json:"info"`
		Auth     auth       `json:"auth"`
		Variable []variable `json:"variable"`
		Item     []folder   `json:"item"`
	}
	folder struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Item        []item `json:"item"`
	}
	item struct {
		Name    string  `json:"name"`
		Event   []event `json:"event,omitempty"`
		Request struct {
			Auth        *auth      `json:"auth,omitempty"`
			Method      string     `json:"method"`
			Header      []variable `json:"header"`
			URL         address    `json:"url"`
			Body        *sentBody  `json:"body,omitempty"`
			Description string     `json:"description,omitempty"`
		} `json:"request"`
	}
	auth struct {
		Type   string     `json:"type"`
		Basic  []variable `json:"basic,omitempty"`
		Bearer []variable `json:"bearer,omitempty"`
	}
	event struct {
		Listen string `json:"listen"`
		Script struct {
			Type string   `json:"type"`
			Exec []string `json:"exec"`
		} `json:"script"`
	}
	variable struct {
		Key         string `json:"key"`
		Value       string `json:"value"`
		Type        string `json:"type,omitempty"`
		Description string `json:"description,omitempty"`
		Disabled    bool   `json:"disabled,omitempty"`
	}
	address struct {
		Raw      string     `json:"raw"`
		Host     []string   `json:"host"`
		Path     []string   `json:"path"`
		Query    []variable `json:"query,omitempty"`
		Variable []variable `json:"variable,omitempty"`
	}
	sentBody struct {
		Mode       string     `json:"mode"`
		Raw        string     `json:"raw,omitempty"`
		URLEncoded []variable `json:"urlencoded,omitempty"`
		FormData   []variable `json:"formdata,omitempty"`
		Options    any        `json:"options,omitempty"`
	}
)

// tokenKept is the script that keeps the token of an answer.
const tokenKept = `if (pm.response.code === 200) pm.collectionVariables.set("token", pm.response.json().access_token);`

func (s *site) collection() ([]byte, error) {
	var c collection
	c.Info.Name, c.Info.Description, c.Info.Version = s.document.Info.Title, s.document.Info.Description, s.document.Info.Version
	c.Info.Schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
	c.Auth = auth{Type: "bearer", Bearer: []variable{{Key: "token", Value: "{{token}}", Type: "string"}}}
	client := s.demoClient()
	c.Variable = []variable{
		{Key: "baseUrl", Value: s.Origin}, {Key: "clientId", Value: client.ID}, {Key: "clientSecret", Value: client.Secret},
		{Key: "siteId", Value: text(client.Site)}, {Key: "token"},
	}
	token := s.token()
	for _, g := range s.groups("", "") {
		f := folder{Name: g.Name, Description: g.Description}
		for _, e := range g.Entries {
			if e.Operation != nil && !e.Operation.Sent {
				f.Item = append(f.Item, s.item(e.Operation, e.Operation == token))
			}
		}
		switch {
		case len(f.Item) == 0:
		case g.Name == token.Tag(): // its token is what the others need
			c.Item = append([]folder{f}, c.Item...)
		default:
			c.Item = append(c.Item, f)
		}
	}
	return json.MarshalIndent(c, "", " ")
}

func (s *site) item(o *operation, isToken bool) item {
	r := s.requests.first(o)
	it := item{Name: o.Summary}
	it.Request.Method, it.Request.Description, it.Request.Header = o.Method, o.Description, []variable{}
	switch r.Needs {
	case needsSecret:
		it.Request.Auth = &auth{Type: "basic", Basic: []variable{
			{Key: "username", Value: "{{clientId}}", Type: "string"}, {Key: "password", Value: "{{clientSecret}}", Type: "string"},
		}}
	case needsNothing:
		it.Request.Auth = &auth{Type: "noauth"}
	case needsToken: // as the collection
	}
	if isToken {
		e := event{Listen: "test"}
		e.Script.Type, e.Script.Exec = "text/javascript", []string{tokenKept}
		it.Event = []event{e}
	}
	it.Request.URL = address{Host: []string{"{{baseUrl}}"}, Path: strings.Split(strings.Trim(o.Path, "/"), "/")}
	for i, segment := range it.Request.URL.Path {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			it.Request.URL.Path[i] = ":" + strings.TrimSuffix(name, "}")
		}
	}
	it.Request.URL.Raw = "{{baseUrl}}/" + strings.Join(it.Request.URL.Path, "/")
	asked := url.Values{}
	for _, p := range o.Parameters {
		v := variable{Key: p.Name, Value: r.value(p), Description: p.Description}
		v.Disabled = v.Value == "" && !p.Required
		switch p.In {
		case "path":
			it.Request.URL.Variable = append(it.Request.URL.Variable, v)
		case "query":
			it.Request.URL.Query = append(it.Request.URL.Query, v)
			if !v.Disabled {
				asked.Set(v.Key, v.Value)
			}
		case "header":
			it.Request.Header = append(it.Request.Header, v)
		}
	}
	if len(asked) > 0 {
		it.Request.URL.Raw += "?" + asked.Encode()
	}
	it.Request.Body = bodyOf(r)
	return it
}

// bodyOf returns what a request sends, nil for nothing.
func bodyOf(r request) *sentBody {
	if r.Media == "application/json" {
		return &sentBody{Mode: "raw", Raw: r.Body, Options: map[string]any{"raw": map[string]string{"language": "json"}}}
	}
	var fields []variable
	for _, p := range r.Form {
		v := variable{Key: p.Name, Value: p.Value, Type: "text", Disabled: p.Value == "" && !p.File}
		if p.File {
			v.Type = "file"
		}
		if p.Name == "site_id" && !v.Disabled {
			v.Value = "{{siteId}}"
		}
		fields = append(fields, v)
	}
	switch r.Media {
	case "application/x-www-form-urlencoded":
		return &sentBody{Mode: "urlencoded", URLEncoded: fields}
	case "multipart/form-data":
		return &sentBody{Mode: "formdata", FormData: fields}
	}
	return nil
}
