// Package console is the administration console: pages made by the server, for
// operators. It calls the use cases of core/backoffice, which are what operators do,
// and reads through those of core/siteapi with the caller of backoffice.Enter. It
// decides nothing, and reads no store.
//
// # A request
//
//	headers     nonce, content security policy, bound of the body  headers.go
//	protection  forms that another site sent are refused           console.go
//	signedIn    the session, the operator and the chosen site       pagerequest.go
//	show, do    a page of the table; a form, then a redirect       pagerequest.go
//	write       the template in its frame, as a whole              render.go, frame.go
//
// Without a session the sign-in page is shown, signin.go.
//
// # To add a page
//
// The pages of one subject are in one file, with their templates in an .html file of
// the same name next to it. A page is a line of a table, as in webhooks.go:
//
//	{path: "/people/leads", title: "Leads", template: "leads", show: showLeads, under: "/people"},
//	{path: "/people/leads/{id}", title: "Lead", template: "lead", show: showLead, under: "/people"},
//	{path: "/people/leads/{id}/hand-on", do: handLeadOn, on: "/people/leads/{id}", powers: operator.ManageLeads},
//
// and the table of a subject is a word in table, page.go. Then:
//
//   - show reads what the page shows through use cases, v.Site.People.GetLead(v.ctx, c, …)
//     with c, err := v.enter(), and returns a small struct of words and numbers that are
//     ready to be shown. Its errors become the pages for 403, 404 and 500. A method
//     title() string of the struct names the tab of the browser.
//   - do calls a use case of v.Backoffice with v.actor and at(v, request), and returns
//     went("people", "leads", id).saying("…"): the browser is sent there, and told that.
//     showing shows a secret once, and handing sends a file. An error that somebody can mend is shown on the page with the
//     form, by its show: fields that are made with v.form() have what was typed again,
//     and stand next to what is wrong with them; {{template "problems" .Form}} says the
//     rest. A use case that wants the password again needs nothing here.
//   - what is asked about a person is in no address, which browsers and proxies keep: a
//     page that asks takes its own form by POST, and its show answers with what was typed.
//   - a template has its page as .Page, or as . within {{with .Page}}, and the frame as $:
//     {{$.Link "people" .ID}} is the address of a page, {{$.Action "people" "leads" .ID "hand-on"}}
//     where a form is sent to, for the site that the page is about. The parts in
//     parts.html are "time", "state", "ref", "facts", "empty", "figures", "chart", "field",
//     "problems", "icon"; "form" is a page that is nothing but a form (formPage). No logic but range,
//     if and with; no style attributes, no scripts. A table is in a div of class scroll,
//     with tabindex="0" if there is nothing in it to tab to.
//   - a part that is live has an id and data-live hx-get="{{.Here}}" hx-trigger="refresh"
//     hx-select="#its-id" hx-swap="outerMorph" hx-nonce="{{$.Nonce}}", as in webhooks.html.
//     What is open in it is in the address (?open=).
//   - powers and rule are for the menu, and powers for pages that call no use case before
//     a form is sent; the use cases decide.
//
// The tests have a line of the page in access_test.go, which says by hand who may see
// it, and its struct in templates_test.go: empty, one, full and hostile.
package console
