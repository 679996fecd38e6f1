package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/mux"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// thing is a request with a field of every kind.
type thing struct {
	ID       int64          `path:"thingId"`
	Fetch    string         `query:"fetch"`
	PerPage  opt.Field[int] `query:"per_page"`
	Inactive bool           `query:"include_inactive"`
	thingParts
	Headers map[string]string `json:"headers"`
}

type thingParts struct {
	AgencyID    opt.Field[int64]          `json:"agency_id"`
	Price       opt.Field[float64]        `json:"price"`
	Open        opt.Field[bool]           `json:"web_status"`
	Model       opt.Field[string]         `json:"model"`
	Name        string                    `json:"name"`
	Color       opt.Field[int]            `json:"color"`
	Criteria    opt.Field[[]thingClause]  `json:"criteria" alias:"criterias"`
	HasVisit360 opt.Field[bool]           `json:"has_visit360" alias:"hasVisit360,has_visit_360"`
	Agents      opt.Field[listing.IDList] `json:"products_admin_id"`
	Tags        []string                  `json:"tags"`
	Rooms       opt.Field[[]thingRoom]    `json:"rooms"`
}

type thingClause struct {
	ID    string       `json:"id" required:"true" coerce:"string"`
	Value criteria.Raw `json:"value"`
}

type thingRoom struct {
	Surface  opt.Field[float64] `json:"surface"`
	RoomType opt.Field[string]  `json:"room_type"`
}

// read decodes a request for /things/7 and what the answer would say about it.
func read(t testing.TB, target, contentType, body string) (thing, *exchange, error) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPatch, "/things/7"+target, strings.NewReader(body))
	r.Header.Del("Content-Type")
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	r = mux.SetURLVars(r, map[string]string{"thingId": "7"})
	x := &exchange{}
	in, err := newDecoder(reflect.TypeFor[thing](), "/things/{thingId}").decode(x, r)
	if err != nil {
		return thing{}, x, err
	}
	return in.(thing), x, nil
}

func readBodyOnly(t testing.TB, body string) (thing, *exchange, error) {
	t.Helper()
	return read(t, "", "application/json", body)
}

// refusal is the code of an error and the code of each field it names.
func refusal(err error) (code string, fields []string) {
	known := fault.From(err)
	for _, d := range known.Details {
		fields = append(fields, d.Field+" "+string(d.Code))
	}
	return string(known.Code), fields
}

func wantRefused(t *testing.T, body, code string, fields ...string) {
	t.Helper()
	_, _, err := readBodyOnly(t, body)
	if err == nil {
		t.Errorf("%s was accepted, want %s", body, code)
		return
	}
	gotCode, gotFields := refusal(err)
	if gotCode != code || !slices.Equal(gotFields, fields) {
		t.Errorf("%s: %s %q, want %s %q", body, gotCode, gotFields, code, fields)
	}
}

func wantRead(t *testing.T, body string, want thing) *exchange {
	t.Helper()
	got, x, err := readBodyOnly(t, body)
	if err != nil {
		t.Errorf("%s: %v %+v", body, err, fault.From(err).Details)
		return x
	}
	want.ID = 7
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(thing{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", body, diff)
	}
	return x
}

func TestG2_UnreadableJSONIsMalformed(t *testing.T) {
	for _, body := range []string{
		`{`, `{"model":}`, `{"model" "a"}`, `{"model":"a",}`, `{model:"a"}`, `{'model':"a"}`, `{"model":"a"} x`, `{}{}`, `[]`, `"a"`, `1`, `null`,
		`{"price":01}`, `{"price":1.}`, `{"price":.5}`, `{"price":+1}`, `{"price":1e}`, `{"price":NaN}`, `{"web_status":True}`, `{"rooms":[1,]}`,
		`{"model":"\x"}`, `{"model":"\u12"}`, `{"model":"\ud800"}`, `{"model":"\ud800\u0041"}`, "{\"model\":\"a\nb\"}", "{\"model\":\"\xff\"}", "{\"\xff\":1}",
		`{"model":"a`, `{"model":"a\`, `{"model`, " \ufeff{}", "\ufeff\ufeff{}", "{}\ufeff", "{\ufeff}",
		strings.Repeat(`{"a":`, 70) + `1` + strings.Repeat(`}`, 70),
		`{"x":` + strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000) + `}`,
	} {
		_, _, err := readBodyOnly(t, body)
		if code, _ := refusal(err); err == nil || code != "malformed_json" || !errors.Is(err, fault.Invalid) {
			t.Errorf("%.60s: %v", body, err)
		}
	}
}

func TestG2_EveryFormOfJSONIsRead(t *testing.T) {
	wantRead(t, " \t\r\n{ \"model\" : \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83c\\udfe0é\" , \"price\" : -1.5E+2 } \n",
		thing{thingParts: thingParts{Model: opt.Of("a\"\\/\b\f\n\r\té🏠é"), Price: opt.Of(-150.0)}})
}

func TestG2_AByteOrderMarkIsNoPartOfABody(t *testing.T) {
	wantRead(t, "\ufeff{\"model\":\"a\"}", thing{thingParts: thingParts{Model: opt.Of("a")}})
	wantRead(t, "\ufeff \r\n{\"model\":\"\ufeffa\"}", thing{thingParts: thingParts{Model: opt.Of("\ufeffa")}})
	wantRead(t, "\ufeff", thing{})
}

func TestG3_TheContentTypeDoesNotMatterUnlessItIsAForm(t *testing.T) {
	for _, contentType := range []string{"", "application/json", "application/json; charset=utf-8", "text/plain", "application/x-unknown", "nonsense;;"} {
		if got, _, err := read(t, "", contentType, `{"model":"a"}`); err != nil || got.Model.Value != "a" {
			t.Errorf("%q: %v %v", contentType, got.Model, err)
		}
	}
	for _, contentType := range []string{"multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=utf-8", "multipart/form-data; boundary"} {
		if _, _, err := read(t, "", contentType, `{}`); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%q: %v", contentType, err)
		}
	}
}

func TestG4_AnEmptyBodyIsAnEmptyObject(t *testing.T) {
	wantRead(t, "", thing{})
	wantRead(t, " \n", thing{})
	wantRead(t, "{}", thing{})
}

func TestG5_UnknownFieldsAreIgnoredAndNamed(t *testing.T) {
	x := wantRead(t, `{"modelx":"a","model":"b","rooms":[{"sfurace":1},{"sfurace":2}],"a-b\né":1,"AGENCY_ID":9}`,
		thing{thingParts: thingParts{Model: opt.Of("b"), Rooms: opt.Of([]thingRoom{{}, {}})}})
	if want := []string{"modelx", "a?b??", "AGENCY_ID", "rooms.sfurace"}; !slices.Equal(x.ignored, want) {
		t.Errorf("ignored %q, want %q", x.ignored, want)
	}
	if len(x.deprecated) > 0 {
		t.Error("nothing was in camelCase")
	}
}

func TestG5_AtMostTwentyNamesAndOneKilobyte(t *testing.T) {
	var body []string
	for i := range 50 {
		body = append(body, fmt.Sprintf(`"%s%d":1`, strings.Repeat("x", 100), i))
	}
	_, x, err := readBodyOnly(t, "{"+strings.Join(body, ",")+"}")
	if err != nil || len(x.ignored) != 20 {
		t.Fatal(err, len(x.ignored))
	}
	header := http.Header{}
	x.tellSpelling(header)
	if got := header.Get("X-Ignored-Fields"); len(got) == 0 || len(got) > 1024 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestG6_UnknownQueryParametersAreIgnored(t *testing.T) {
	got, x, err := read(t, "?foo=1&fetch=rooms&%7a=1", "", "")
	if err != nil || got.Fetch != "rooms" || len(x.ignored) != 0 {
		t.Error(got, x.ignored, err)
	}
}

func TestG7_TheLastOfDuplicateKeysWins(t *testing.T) {
	wantRead(t, `{"model":"a","model":"b"}`, thing{thingParts: thingParts{Model: opt.Of("b")}})
	wantRead(t, `{"model":"a","model":null}`, thing{thingParts: thingParts{Model: opt.Null[string]()}})
	wantRefused(t, `{"headers":{"A":"1","A":"2"}}`, "ambiguous_field", "headers.A ambiguous_field")
}

func TestG8_IntegersMayBeStringsOfDigits(t *testing.T) {
	for _, text := range []string{`12`, `"12"`, `"0012"`, `12.0`} {
		wantRead(t, `{"agency_id":`+text+`}`, thing{thingParts: thingParts{AgencyID: opt.Of(int64(12))}})
	}
	for _, text := range []string{`1.5`, `"1.5"`, `"a"`, `""`, `" 12"`, `"+12"`, `"-12"`, `true`, `[1]`, `{}`, `1e3`} {
		wantRefused(t, `{"agency_id":`+text+`}`, "invalid_type", "agency_id invalid_type")
	}
	wantRead(t, `{"color":-3}`, thing{thingParts: thingParts{Color: opt.Of(-3)}})
}

func TestG8_NumbersMayBeDecimalStrings(t *testing.T) {
	for text, want := range map[string]float64{`1.5`: 1.5, `"1.5"`: 1.5, `"-2"`: -2, `15e-1`: 1.5} {
		wantRead(t, `{"price":`+text+`}`, thing{thingParts: thingParts{Price: opt.Of(want)}})
	}
	for _, text := range []string{`"1,5"`, `"1e3"`, `"NaN"`, `""`, `true`, `[]`} {
		wantRefused(t, `{"price":`+text+`}`, "invalid_type", "price invalid_type")
	}
	wantRefused(t, `{"price":1e999}`, "out_of_range", "price out_of_range")
}

func TestG9_PathIdsThatCannotExistAreNotFound(t *testing.T) {
	d := newDecoder(reflect.TypeFor[thing](), "/things/{thingId}")
	for _, id := range []string{"abc", "0", "-1", "+1", "1.0", "9223372036854775808", "99999999999999999999", "1\x00", " 1", ""} {
		r := mux.SetURLVars(httptest.NewRequest(http.MethodPatch, "/", strings.NewReader("{")), map[string]string{"thingId": id})
		if _, err := d.decode(&exchange{}, r); !errors.Is(err, fault.NotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestG10_IntegersBeyondInt64AreOutOfRange(t *testing.T) {
	wantRead(t, `{"agency_id":9223372036854775807}`, thing{thingParts: thingParts{AgencyID: opt.Of(int64(9223372036854775807))}})
	for _, text := range []string{`9223372036854775808`, `-9223372036854775809`, `"99999999999999999999"`} {
		wantRefused(t, `{"agency_id":`+text+`}`, "out_of_range", "agency_id out_of_range")
	}
}

func TestG10_NoTextHoldsTheCharacterZero(t *testing.T) {
	for body, field := range map[string]string{
		`{"model":"a\u0000"}`:                              "model",
		`{"name":"\u0000"}`:                                "name",
		`{"tags":["a","\u0000"]}`:                          "tags[1]",
		`{"headers":{"A":"\u0000"}}`:                       "headers.A",
		`{"criteria":[{"id":"a\u0000"}]}`:                  "criteria[0].id",
		`{"criteria":[{"id":"a","value":"\u0000"}]}`:       "criteria[0].value",
		`{"criteria":[{"id":"a","value":["b","\u0000"]}]}`: "criteria[0].value",
	} {
		wantRefused(t, body, "invalid_format", field+" invalid_format")
	}
	for _, query := range []string{"?fetch=a%00", "?fetch=%ff"} {
		_, _, err := read(t, query, "", "")
		if code, fields := refusal(err); code != "invalid_format" || !slices.Equal(fields, []string{"fetch invalid_format"}) {
			t.Error(query, code, fields)
		}
	}
}

func TestG17_EveryProblemIsToldWithItsPath(t *testing.T) {
	wantRefused(t, `{"agency_id":"x","criteria":[{"id":"A"},{"value":1},5,null],"rooms":[{"surface":true},{"roomType":1}],"web_status":1,"tags":[1]}`,
		"validation_error", "agency_id invalid_type", "web_status invalid_type", "criteria[1].id required", "criteria[2] invalid_type",
		"criteria[3] invalid_type", "tags[0] invalid_type", "rooms[0].surface invalid_type", "rooms[1].room_type invalid_type")
}

func TestG17_QueryAndBodyAreToldTogether(t *testing.T) {
	_, _, err := read(t, "?per_page=x", "", `{"web_status":"yes"}`)
	if code, fields := refusal(err); code != "invalid_type" || !slices.Equal(fields, []string{"per_page invalid_type", "web_status invalid_type"}) {
		t.Error(code, fields)
	}
}

func TestARefusalIsBounded(t *testing.T) {
	_, _, err := readBodyOnly(t, `{"rooms":[`+strings.Repeat("1,", 5000)+`1]}`)
	if n := len(fault.From(err).Details); n != maxProblems {
		t.Errorf("%d details", n)
	}
	_, _, err = readBodyOnly(t, `{"x":[`+strings.Repeat("1,", maxValues)+`1]}`)
	if !errors.Is(err, fault.TooLarge) {
		t.Error(err)
	}
}

func TestG29_CriteriaAndCriteriasAreOneField(t *testing.T) {
	want := thing{thingParts: thingParts{Criteria: opt.Of([]thingClause{{ID: "Prix", Value: criteria.Raw{V: criteria.Literal("1")}}})}}
	for _, name := range []string{"criteria", "criterias"} {
		if x := wantRead(t, `{"`+name+`":[{"id":"Prix","value":1}]}`, want); len(x.deprecated) > 0 {
			t.Error("an alias is not deprecated")
		}
	}
	wantRefused(t, `{"criteria":[],"criterias":[]}`, "ambiguous_field", "criteria ambiguous_field")
	wantRefused(t, `{"criterias":null,"criteria":[]}`, "ambiguous_field", "criteria ambiguous_field")
}

func TestG30_NullIsAbsentUnlessTheFieldTellsThemApart(t *testing.T) {
	wantRead(t, `{"model":null,"name":null,"tags":null,"headers":null}`, thing{thingParts: thingParts{Model: opt.Null[string]()}})
}

func TestZ1_CamelCaseBecomesSnakeCaseMechanically(t *testing.T) {
	for camel, snake := range map[string]string{
		"agencyId": "agency_id", "hasVisit360": "has_visit360", "dateURL": "date_url", "statusWeb": "status_web", "a1B": "a1_b",
		"productsAdminId": "products_admin_id", "fooURLBar": "foo_urlbar",
		"model": "", "agency_id": "", "AgencyId": "", "AGENCY_ID": "", "agency_Id": "", "agency-Id": "", "éA": "", "": "",
	} {
		if got := snakeCase(camel); got != snake {
			t.Errorf("%q became %q, want %q", camel, got, snake)
		}
	}
}

func TestZ2_CamelCaseIsAcceptedEverywhere(t *testing.T) {
	x := wantRead(t, `{"agencyId":3,"rooms":[{"roomType":"a"}]}`,
		thing{thingParts: thingParts{AgencyID: opt.Of(int64(3)), Rooms: opt.Of([]thingRoom{{RoomType: opt.Of("a")}})}})
	if len(x.deprecated) == 0 || len(x.ignored) != 0 {
		t.Errorf("deprecated %v, ignored %q", x.deprecated, x.ignored)
	}
	got, x, err := read(t, "?perPage=5&includeInactive=1", "", "")
	if err != nil || got.PerPage != opt.Of(5) || !got.Inactive || len(x.deprecated) == 0 {
		t.Error(got, x.deprecated, err)
	}
}

func TestZ3_SnakeCaseWinsWhole(t *testing.T) {
	wantRead(t, `{"agencyId":3,"agency_id":4}`, thing{thingParts: thingParts{AgencyID: opt.Of(int64(4))}})
	wantRead(t, `{"agency_id":4,"agencyId":3}`, thing{thingParts: thingParts{AgencyID: opt.Of(int64(4))}})
	x := wantRead(t, `{"agency_id":null,"agencyId":3}`, thing{thingParts: thingParts{AgencyID: opt.Null[int64]()}})
	if len(x.deprecated) == 0 || !slices.Equal(x.ignored, []string{"agencyId"}) {
		t.Error(x.deprecated, x.ignored)
	}
}

func TestZ4_OfTwoCamelCaseSpellingsTheLastWins(t *testing.T) {
	x := wantRead(t, `{"agencyId":3,"agencyID":4}`, thing{thingParts: thingParts{AgencyID: opt.Of(int64(4))}})
	if !slices.Equal(x.ignored, []string{"agencyId"}) {
		t.Error(x.ignored)
	}
}

func TestZ5_MapsAndValuesAreLeftAlone(t *testing.T) {
	x := wantRead(t, `{"headers":{"apiKey":"a","api_key":"b"},"criteria":[{"id":"X","value":["aB",{"cD":1}]}]}`,
		thing{Headers: map[string]string{"apiKey": "a", "api_key": "b"}, thingParts: thingParts{
			Criteria: opt.Of([]thingClause{{ID: "X", Value: criteria.Raw{V: []any{"aB", map[string]any{}}}}}),
		}})
	if len(x.deprecated) > 0 || len(x.ignored) != 0 {
		t.Error(x.deprecated, x.ignored)
	}
}

func TestZ6_CamelCaseIsToldToBeDeprecated(t *testing.T) {
	_, x, err := readBodyOnly(t, `{"agencyId":"x"}`)
	if err == nil || len(x.deprecated) == 0 {
		t.Error("errors tell it too")
	}
	header := http.Header{}
	x.tellSpelling(header)
	if header.Get("Deprecation") != "@1789516800" || header.Get("Link") != `</changelog#1.1.0>; rel="deprecation"` {
		t.Error(header)
	}
}

func TestQ36_HasVisit360HasThreeSpellings(t *testing.T) {
	for _, name := range []string{"has_visit360", "hasVisit360", "has_visit_360"} {
		x := wantRead(t, `{"`+name+`":true}`, thing{thingParts: thingParts{HasVisit360: opt.Of(true)}})
		if len(x.deprecated) > 0 || len(x.ignored) != 0 {
			t.Error(name, x.deprecated, x.ignored)
		}
	}
	x := wantRead(t, `{"hasVisit360":true,"has_visit360":false}`, thing{thingParts: thingParts{HasVisit360: opt.Of(false)}})
	if len(x.deprecated) > 0 {
		t.Error("hasVisit360 is not deprecated")
	}
	wantRefused(t, `{"has_visit360":true,"has_visit_360":true}`, "ambiguous_field", "has_visit360 ambiguous_field")
}

func TestRawKeepsWhatWasWritten(t *testing.T) {
	for text, want := range map[string]any{
		`null`: nil, `true`: true, `false`: false, `"a"`: "a", `1.50`: criteria.Literal("1.50"), `[]`: []any{},
		`["a",1,null,[true]]`: []any{"a", criteria.Literal("1"), nil, []any{true}}, `{"a":1}`: map[string]any{},
	} {
		wantRead(t, `{"criteria":[{"id":7,"value":`+text+`}]}`,
			thing{thingParts: thingParts{Criteria: opt.Of([]thingClause{{ID: "7", Value: criteria.Raw{V: want}}})}})
	}
}

func TestQ33_IdsAreAListOrAString(t *testing.T) {
	for text, want := range map[string]listing.IDList{
		`[1,"2",3]`: {1, 2, 3}, `"1, 2,3 "`: {1, 2, 3}, `"7"`: {7}, `[]`: {}, `""`: nil,
	} {
		wantRead(t, `{"products_admin_id":`+text+`}`, thing{thingParts: thingParts{Agents: opt.Of(want)}})
	}
	wantRead(t, `{"products_admin_id":null}`, thing{thingParts: thingParts{Agents: opt.Null[listing.IDList]()}})
	wantRefused(t, `{"products_admin_id":"1,,2"}`, "invalid_type", "products_admin_id invalid_type")
	wantRefused(t, `{"products_admin_id":"1;2"}`, "invalid_type", "products_admin_id invalid_type")
	wantRefused(t, `{"products_admin_id":[1,"x"]}`, "invalid_type", "products_admin_id[1] invalid_type")
	wantRefused(t, `{"products_admin_id":true}`, "invalid_type", "products_admin_id invalid_type")
	wantRefused(t, `{"products_admin_id":"99999999999999999999"}`, "out_of_range", "products_admin_id out_of_range")
}

func TestQueryParameters(t *testing.T) {
	got, _, err := read(t, "?fetch=a&fetch=b%2Cc&per_page=3&per_page=5&include_inactive=true", "", "")
	if err != nil || got.Fetch != "a,b,c" || got.PerPage != opt.Of(5) || !got.Inactive {
		t.Error(got, err)
	}
	got, _, err = read(t, "?per_page=-1&include_inactive=0", "", "")
	if err != nil || got.PerPage != opt.Of(-1) || got.Inactive {
		t.Error(got, err)
	}
	for _, query := range []string{"per_page=x", "per_page=", "per_page=1.5", "include_inactive=yes", "include_inactive="} {
		_, _, err := read(t, "?"+query, "", "")
		if code, _ := refusal(err); code != "invalid_type" {
			t.Error(query, err)
		}
	}
}

func TestG6_WhatCannotBeReadOfAQueryIsRefused(t *testing.T) {
	for query, field := range map[string]string{
		"per_page=%zz": "per_page", "per_page=1&include_inactive=%": "include_inactive", "fetch=a&fetch=%e": "fetch", "%=1": "?", "unknown=%G1": "unknown", "fetch[]=%": "fetch??",
	} {
		_, _, err := read(t, "?"+query, "", "")
		if code, fields := refusal(err); code != "invalid_format" || fields[0] != field+" invalid_format" {
			t.Errorf("%s: %v %v", query, err, fields)
		}
	}
	for query, want := range map[string]string{
		"fetch[]=a&fetch[]=b": "a,b", "fetch%5B%5D=a&fetch=b": "a,b", "fetch[0]=a&fetch[1]=b": "a,b", "fetch[]=a,b": "a,b", "fetch[x]=a": "", "[]=a": "", "fetch[=a": "",
	} {
		if got, _, err := read(t, "?"+query, "", ""); err != nil || got.Fetch != want {
			t.Errorf("%s: %q, %v", query, got.Fetch, err)
		}
	}
}

func TestTokensComeFromBasicAndForm(t *testing.T) {
	d := newDecoder(reflect.TypeFor[tokens.IssueToken](), "/token")
	post := func(contentType, body string, basic bool) (tokens.IssueToken, error) {
		r := httptest.NewRequest(http.MethodPost, "/token?site_id=9", strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		if basic {
			r.SetBasicAuth("me", "secret")
		}
		in, err := d.decode(&exchange{}, r)
		if err != nil {
			return tokens.IssueToken{}, err
		}
		return in.(tokens.IssueToken), nil
	}
	form := "application/x-www-form-urlencoded"
	got, err := post(form+"; charset=UTF-8", "site_id=1&scope=x", true)
	if err != nil || got.ClientID != "me" || got.ClientSecret != "secret" || got.SiteID != opt.Of("1") || got.ManufacturerID.Set {
		t.Error(got, err)
	}
	// Logs and limits know a client that encodes its id by the id it has.
	for sent, id := range map[string]string{"me%2Dtoo": "me-too", "%6d%65": "me", "me%00": "me%00", "me%ff": "me%ff", "100%": "100%"} {
		r := httptest.NewRequest(http.MethodPost, "/token", nil)
		r.SetBasicAuth(sent, "a%2Bb")
		var x exchange
		in, err := d.decode(&x, r)
		if err != nil || x.client != id || in.(tokens.IssueToken).ClientID != sent || in.(tokens.IssueToken).ClientSecret != "a%2Bb" {
			t.Errorf("%q is known as %q: %+v, %v", sent, x.client, in, err)
		}
	}
	got, err = post(form, "manufacturerId=11", false)
	if err != nil || got.ClientID != "" || got.ManufacturerID != opt.Of("11") {
		t.Error(got, err)
	}
	// A3: another media type is an empty form, for the use case to refuse.
	got, err = post("application/json", `{"site_id":1}`, true)
	if err != nil || got.SiteID.Set || got.ClientID != "me" {
		t.Error(got, err)
	}
}

// camel writes a snake_case name in camelCase; names with a digit after an
// underscore have no camelCase.
func camel(snake string) string {
	parts := strings.Split(snake, "_")
	for i, part := range parts[1:] {
		parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
	}
	return strings.Join(parts, "")
}

func TestCamelCaseOfAnyObjectBindsLikeItsSnakeCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var write func(camelCase bool, v any) string
		write = func(camelCase bool, v any) string {
			object, ok := v.([][2]any)
			if !ok {
				out, _ := json.Marshal(v)
				return string(out)
			}
			var members []string
			for _, m := range object {
				name := m[0].(string)
				if camelCase {
					name = camel(name)
				}
				value := m[1]
				if list, ok := value.([][][2]any); ok {
					var items []string
					for _, item := range list {
						items = append(items, write(camelCase, item))
					}
					members = append(members, fmt.Sprintf("%q:[%s]", name, strings.Join(items, ",")))
					continue
				}
				members = append(members, fmt.Sprintf("%q:%s", name, write(camelCase, value)))
			}
			return "{" + strings.Join(members, ",") + "}"
		}
		value := rapid.OneOf(rapid.Just[any](nil), rapid.Just[any](true), rapid.Map(rapid.Int(), func(i int) any { return i }),
			rapid.Map(rapid.String(), func(s string) any { return strings.ToValidUTF8(s, "") }))
		member := rapid.Custom(func(t *rapid.T) [2]any {
			return [2]any{rapid.SampledFrom([]string{"agency_id", "web_status", "model", "room_type", "surface", "products_admin_id", "unknown_field"}).Draw(t, "name"), value.Draw(t, "value")}
		})
		object := rapid.SliceOfN(member, 0, 6).Draw(t, "object")
		rooms := rapid.SliceOfN(rapid.SliceOfN(member, 0, 3), 0, 3).Draw(t, "rooms")
		object = append(object, [2]any{"rooms", rooms})
		decode := func(body string) (any, error) {
			r := mux.SetURLVars(httptest.NewRequest(http.MethodPatch, "/", strings.NewReader(body)), map[string]string{"thingId": "7"})
			return newDecoder(reflect.TypeFor[thing](), "/things/{thingId}").decode(&exchange{}, r)
		}
		snake, snakeErr := decode(write(false, object))
		camelised, camelErr := decode(write(true, object))
		if !reflect.DeepEqual(snake, camelised) || fmt.Sprint(fault.From(snakeErr)) != fmt.Sprint(fault.From(camelErr)) {
			t.Fatalf("%s\n%+v %v\n%+v %v", write(true, object), snake, snakeErr, camelised, camelErr)
		}
	})
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{}`, `{"agencyId":1,"agency_id":"2"}`, `{"criteria":[{"id":1,"value":["a",null,{"b":1e9}]}]}`, `{"rooms":[{"surface":"1.5"}]}`, `{"model":"\ud83c\udfe0"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		tree, err := parseJSON(body)
		if want := json.Valid([]byte(strings.TrimPrefix(string(body), "\ufeff"))); err == nil && !want && len(strings.TrimSpace(strings.TrimPrefix(string(body), "\ufeff"))) > 0 {
			t.Fatalf("%q is not JSON", body)
		}
		if err != nil {
			if k := fault.From(err).Kind; k != fault.Invalid && k != fault.TooLarge {
				t.Fatal(err)
			}
			return
		}
		var b binding
		v := reflect.New(reflect.TypeFor[thingParts]()).Elem()
		jsonRecord(v.Type()).bind(&b, tree, v)
		_ = b.problems.Err()
	})
}
