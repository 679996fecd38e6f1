// Package console is the administration console: pages made by the server, for
// operators. It calls the use cases of core/backoffice, which are what operators do,
// and reads through those of core/siteapi with the caller of backoffice.Enter. It
// decides nothing, and reads no store. With Options.Portal it is the portal, in which clients of the
// API see what is their own.
//
// # Rooms
//
// A subject is a package, its room: overview, clients, catalogue, webhooks, requests,
// people, sites, feeds, operators, alerts, account. A room has pages, their templates in .html
// files, and Room, which returns both. This package puts the rooms together. What they
// share is in kit: requests of operators, forms, words, the frame around a page. A
// room may ask another one what it knows, such as clients ask requests for the traffic of
// each. Up to 3,000 lines are a room.
//
// # A request
//
//	headers     nonce, content security policy, bound of the body  kit/console.go
//	protection  forms that another site sent are refused           kit/console.go
//	SignedIn    the session, the operator and the chosen site       kit/pagerequest.go
//	show, do    a page of the table; a form, then a redirect       kit/pagerequest.go
//	write       the template in its frame, as a whole              kit/render.go, kit/frame.go
//
// Without a session the sign-in page is shown, account/signin.go.
//
// # To add a page
//
// A page is a line of the table of its room, as in webhooks/webhooks.go:
//
//	{Path: "/people/leads", Title: "Leads", Template: "leads", Show: showLeads, Under: "/people"},
//	{Path: "/people/leads/{id}", Title: "Lead", Template: "lead", Show: showLead, Under: "/people"},
//	{Path: "/people/leads/{id}/hand-on", Do: handLeadOn, On: "/people/leads/{id}", Powers: operator.ManageLeads},
//
// Then:
//
//   - Show reads what the page shows through use cases, v.Site.People.GetLead(v.Ctx, c, …)
//     with c, err := v.Enter(), and returns a small struct of words and numbers that are
//     ready to be shown. Its errors become the pages for 403, 404 and 500. A method
//     TabTitle() string of the struct names the tab of the browser; else it is the title of
//     the page, with the id of what it shows.
//   - Do calls a use case of v.Backoffice with v.Actor and kit.At(v, request), and returns
//     kit.Went("people", "leads", id).Saying("…"): the browser is sent there, and told that.
//     Showing shows a secret once, and kit.Handing sends a file. An error that somebody can mend is shown on the page with the
//     form, by its Show: fields that are made with v.Form() have what was typed again,
//     and stand next to what is wrong with them; {{template "problems" .Form}} says the
//     rest. A use case that wants the password again needs nothing here.
//   - what is asked about a person is in no address, which browsers and proxies keep: a
//     page that Asks takes its own form by POST, and its Show answers with what was typed.
//   - a template has its page as .Page, or as . within {{with .Page}}, and the frame as $:
//     {{$.Link "people" .ID}} is the address of a page, {{$.Action "people" "leads" .ID "hand-on"}}
//     where a form is sent to, for the site that the page is about. The parts in
//     kit/parts.html are "time", "state", "ref", "facts", "empty", "figures", "chart", "field",
//     "problems", "icon"; "form" is a page that is nothing but a form (kit.FormPage). No logic but range,
//     if and with; no style attributes, no scripts. A table is in a div of class scroll,
//     with tabindex="0" if there is nothing in it to tab to. One of class list is shown as cards on
//     a phone: its cell of class name is what a row is called, and the roles of tables are said.
//   - a part that is live has an id and data-live hx-get="{{.Here}}" hx-trigger="refresh"
//     hx-select="#its-id" hx-swap="outerMorph" hx-nonce="{{$.Nonce}}", as in webhooks/webhooks.html.
//     What is open in it is in the address (?open=).
//   - a page that is Several is also shown for all sites of the operator: v.EachSite reads each, and
//     v.LinkOn leads to what is at one. Other pages then ask for which site.
//   - words of ours are in English in templates and, in Go, constants of kit.Text: fields that hold nothing
//     else are of that type, and v.Say("%s of %s", …) fills a format for fields that may also hold what
//     people wrote. Their French is in french.go of the room; tests name what is missing. v.Count, v.Amount,
//     v.When and others write numbers and times in the language.
//   - a page that Clients have is a page of the portal, too, which is a console with Options.Portal. It
//     shows what is the client's own, by use cases whose line in the table of operations has Clients;
//     v.May(v.Pages["/products"]) says whether a page that it leads to is there.
//   - Powers and Rule are for the menu, and Powers for pages that call no use case before
//     a form is sent; the use cases decide.
//
// The tests have a line of the page in access_test.go, which says by hand who may see
// it, and its struct in templates_test.go of the room: empty, one, full and hostile.
package console
