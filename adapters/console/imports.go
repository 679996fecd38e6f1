package console

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// importPages returns the pages about imports of listings.
func importPages() []page {
	one, manages := "/imports/{id}", operator.ManageImports
	return []page{
		{
			path: "/imports", title: "Imports", template: "imports", show: showImports, do: startImport, uploads: true, powers: manages,
			menu: &menu{section: data, label: "Imports", icon: "arrow"},
		},
		{path: "/import-sources/{id}", title: "Import source", template: "import-source", show: showSource, under: "/imports", powers: manages},
		{path: "/import-sources/{id}/run", do: runSource, on: "/import-sources/{id}", powers: manages},
		{path: "/import-sources/{id}/pause", do: pauseSource, on: "/import-sources/{id}", powers: manages},
		{path: one, title: "Import", template: "import", show: showImport, under: "/imports", powers: manages},
		{path: one + "/report.csv", file: importReport, powers: manages},
		{path: one + "/carry-out", do: carryOutImport, on: one, powers: manages},
		{path: one + "/stop", do: stopImport, on: one, powers: manages},
	}
}

// importsPage is the list of the imports of a site, with a form that starts one.
type importsPage struct {
	Form   *form
	Fields []field
	Rows   []importRow
	// Sources are where files come from by themselves.
	Sources []sourceRow
	Empty   empty
	Older   string
}

type importRow struct {
	ID                            int64
	Name, Kind, Starter, Listings string
	State                         state
	Started                       moment
}

func showImports(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	in := transfer.ListImportRuns{}
	if before, err := strconv.ParseInt(v.query("before"), 10, 64); err == nil && before > 0 {
		in.Before = opt.Of(before)
	}
	found, err := v.Backoffice.ListImports(v.ctx, v.actor, at(v, in))
	if err != nil {
		return nil, err
	}
	f := v.form()
	agencies := v.agencyChoices(c)[1:]
	first := ""
	if len(agencies) > 0 {
		first = agencies[0].Value
	}
	formats := []choice{{Label: "find out"}}
	for _, format := range operator.ImportFormats() {
		formats = append(formats, choice{Value: format, Label: operator.ImportFormatTitle(format)})
	}
	p := importsPage{
		Form: f,
		Fields: []field{
			f.one("agency_id", "Agency", "The listings become its products.", first, agencies),
			f.one("format", "Format", "", "", formats),
			f.text("file", "File", "A CSV, XLSX, XML or JSON file, or a ZIP archive of it and its pictures, up to "+strconv.Itoa(transfer.MaxImportFile>>20)+" MiB.", "").as("file").required(),
		},
		Empty: empty{Title: "Nothing was imported yet", Text: "Choose a file that other agency software hands on. The first pass only says what would change."},
	}
	for _, run := range found.Data {
		p.Rows = append(p.Rows, v.importRow(run))
	}
	if p.Sources, err = v.sourceRows(); err != nil {
		return nil, err
	}
	if found.NextCursor != nil {
		p.Older = link(v.Prefix, "imports") + "?before=" + strconv.FormatInt(*found.NextCursor, 10)
	}
	return p, nil
}

func (v *pageRequest) importRow(run backoffice.Import) importRow {
	return importRow{
		ID: int64(run.ID), Name: run.Name, Kind: passOf(run), Starter: run.Starter, Listings: listingsOf(run.ImportTally), State: importState(run), Started: v.when(run.Started),
	}
}

func passOf(run backoffice.Import) string {
	if run.Source != 0 {
		return "from a source"
	}
	if run.DryRun {
		return "dry run"
	}
	return "real run"
}

// listingsOf returns how many listings were gone through, of how many if that is known.
// Damaged places of a file are no listings.
func listingsOf(t operator.ImportTally) string {
	if t.Total == 0 {
		return count(t.Listings)
	}
	return count(t.Listings) + " of " + count(t.Total)
}

// nothingFound reports that a file was read to its end, and has no listing in it.
func nothingFound(run backoffice.Import) bool {
	return run.State == operator.ImportDone && run.Listings+run.Damaged == 0
}

// importState returns the state of a run.
func importState(run backoffice.Import) state {
	if nothingFound(run) {
		return state{wanted, "nothing found"}
	}
	tones := map[operator.ImportState]tone{
		operator.ImportRunning: told, operator.ImportDone: well, operator.ImportStopped: over, operator.ImportFailed: broken, operator.ImportInterrupted: wanted, operator.ImportHeld: wanted,
	}
	return state{tones[run.State], string(run.State)}
}

// uploadedFile is the name of the form's field for the file.
const uploadedFile = "file"

// startImport starts a dry run of the uploaded file.
func startImport(v *pageRequest) (done, error) {
	in := transfer.StartImport{Format: v.sent("format")}
	if text := v.sent("agency_id"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return done{}, wrongField("agency_id", fault.CodeInvalidType, fault.Textf("the number of an agency"))
		}
		in.Agency = opt.Of(id)
	}
	file, header, err := v.r.FormFile(uploadedFile)
	switch {
	case err == nil:
		defer file.Close()
		in.File, in.Name = file, header.Filename
	case !errors.Is(err, http.ErrMissingFile) && !errors.Is(err, http.ErrNotMultipart):
		return done{}, err
	}
	made, err := v.Backoffice.StartImport(v.ctx, v.actor, at(v, in))
	return went("imports", made.ID).saying("The dry run has begun. It writes nothing."), err
}

// importPage is one import with its report.
type importPage struct {
	Form               *form
	ID                 int64
	Name, Kind, Agency string
	Starter            string
	Started            moment
	State              state
	// Here is the address of this view of the page; Live reports that it is to be read again.
	Here string
	Live bool
	// Problem is why it failed, Advice how to go on.
	Problem, Advice string
	// Trouble is the title of the problem.
	Trouble string
	// Done is the part of the file that was gone through, in percent.
	Done        string
	Figures     []figure
	MayCarryOut bool
	CarryOut    string
	MayStop     bool
	Stopping    bool
	Tabs        []tab
	Lines       []lineView
	NoLines     empty
	More        string
	HasReport   bool
}

func (p importPage) title() string { return fmt.Sprintf("Import %d", p.ID) }

type lineView struct {
	Number, Source, Reference string
	State                     state
	Product                   int64
	Words                     string
	Missed                    []string
}

func showImport(v *pageRequest) (any, error) {
	in, err := v.importRun()
	if err != nil {
		return nil, err
	}
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	run, err := v.Backoffice.GetImport(v.ctx, v.actor, in)
	if err != nil {
		return nil, err
	}
	agency, _ := c.Site.Agency(run.Agency)
	running := run.State == operator.ImportRunning
	p := importPage{
		Form: v.form(), ID: int64(run.ID), Name: run.Name, Kind: passOf(run), Agency: agency.Name, Starter: run.Starter, Started: v.when(run.Started),
		State: importState(run), Here: v.r.URL.RequestURI(), Live: running, Problem: run.Problem, Trouble: troubleOf(run), Advice: adviceOn(run), Done: percentDone(run.ImportTally),
		Figures: importFigures(run), MayCarryOut: run.CanCarryOut, CarryOut: carryOutWords(run), MayStop: running && !run.Stopping, Stopping: running && run.Stopping,
		HasReport: run.Listings+run.Damaged > 0,
		NoLines:   empty{Title: "Nothing to show", Text: "What becomes of each listing appears here."},
	}
	return p, v.addLines(&p, in.In.ID, run.DryRun)
}

// importRun returns the run that the path names.
func (v *pageRequest) importRun() (backoffice.At[transfer.ImportRunPath], error) {
	id, err := v.id("id")
	return at(v, transfer.ImportRunPath{ID: id}), err
}

// troubleOf returns what went wrong, in short.
func troubleOf(run backoffice.Import) string {
	if run.State == operator.ImportHeld {
		return "Nothing was withdrawn."
	}
	return "The import failed."
}

// adviceOn returns how to go on after a run that is over.
func adviceOn(run backoffice.Import) string {
	switch {
	case nothingFound(run):
		return "No listing was recognised in this file. Is it one of the formats that are read, and the right one?"
	case run.State == operator.ImportInterrupted && run.CanCarryOut:
		return "The server that carried it out ended. What was imported stays; going on leaves it as it is."
	case run.State == operator.ImportInterrupted:
		return "The server that carried it out ended. Send the file again."
	case run.DryRun && run.State == operator.ImportDone && run.CanCarryOut:
		return "Nothing was written. Look through the report, then carry it out. The file is kept for a day."
	}
	return ""
}

func carryOutWords(run backoffice.Import) string {
	if run.DryRun {
		return "Carry it out"
	}
	return "Go on"
}

// percentDone returns the part of a file that was gone through, with one digit after the point.
func percentDone(t operator.ImportTally) string {
	return percent(min(t.Listings, t.Total), t.Total)
}

func importFigures(run backoffice.Import) []figure {
	t, created, changed := run.ImportTally, "Created", "Changed"
	if run.DryRun {
		created, changed = "Would be created", "Would be changed"
	}
	return []figure{
		{Label: "Listings", Value: listingsOf(t)},
		{Label: created, Value: count(t.Created)}, {Label: changed, Value: count(t.Changed)}, {Label: "Unchanged", Value: count(t.Unchanged)},
		{Label: "Refused", Value: count(t.Refused + t.Damaged)}, {Label: "To look at", Value: count(t.Unread)}, {Label: "Pictures", Value: count(t.Pictures)},
		{Label: "Withdrawn", Value: count(t.Withdrawn)},
	}
}

// lineTab is a view of a report: all its lines, or those with some actions.
type lineTab struct {
	name    string
	actions []string
}

func lineTabs() []lineTab {
	return []lineTab{
		{"all", nil}, {"refused", []string{string(operator.ImportRefused), string(operator.ImportDamaged)}}, {"created", []string{string(operator.ImportCreated)}},
		{"to look at", []string{string(operator.ImportUnread)}},
		{"changed", []string{string(operator.ImportChanged)}}, {"unchanged", []string{string(operator.ImportUnchanged)}},
		{"withdrawn", []string{string(operator.ImportWithdrawn)}},
	}
}

// addLines adds a page of the report.
func (v *pageRequest) addLines(p *importPage, id int64, dry bool) error {
	show := cmp.Or(v.query("show"), "all")
	base, in := link(v.Prefix, "imports", id)+"?show=", transfer.ReadImportReport{ID: id}
	for _, t := range lineTabs() {
		if t.name == show {
			in.Actions = t.actions
		}
		p.Tabs = append(p.Tabs, tab{Label: t.name, Href: base + url.QueryEscape(t.name), Current: t.name == show})
	}
	in.After, _ = strconv.Atoi(v.query("after"))
	report, err := v.Backoffice.ReadImportReport(v.ctx, v.actor, at(v, in))
	if err != nil {
		return err
	}
	for _, l := range report.Data {
		p.Lines = append(p.Lines, lineOf(l, dry))
	}
	if report.NextCursor > 0 {
		p.More = base + url.QueryEscape(show) + "&after=" + strconv.Itoa(report.NextCursor)
	}
	return nil
}

func lineOf(l operator.ImportLine, dry bool) lineView {
	view := lineView{
		Number: strconv.Itoa(l.Number), Source: l.Source, Reference: l.Reference, Product: int64(l.Product), Words: lineWords(l), State: lineState(l, dry),
	}
	for _, n := range l.NotUnderstood {
		view.Missed = append(view.Missed, missed(n))
	}
	if l.More > 0 {
		view.Missed = append(view.Missed, "and "+counted(l.More, "thing")+" more")
	}
	return view
}

func missed(n operator.NotUnderstood) string {
	if n.Value == "" {
		return n.Source + ": " + n.Why
	}
	return fmt.Sprintf("%s: %s (%q)", n.Source, n.Why, n.Value)
}

// lineWords returns the details of a line: the reason, the changes and the pictures.
func lineWords(l operator.ImportLine) string {
	var words []string
	if len(l.Unread) > 0 {
		unread := strings.Join(l.Unread, ", ") + " could not be read"
		if l.Done == operator.ImportCreated {
			unread += "; not on the web until somebody looks at it"
		}
		words = append(words, unread)
	}
	if l.Why != "" {
		words = append(words, l.Why)
	}
	if len(l.Changes) > 0 {
		words = append(words, strings.Join(l.Changes, ", "))
	}
	if l.Pictures > 0 {
		words = append(words, counted(l.Pictures, "picture"))
	}
	if l.PicturesWithdrawn > 0 {
		words = append(words, counted(l.PicturesWithdrawn, "picture")+" withdrawn")
	}
	if l.PicturesUnseen > 0 {
		words = append(words, counted(l.PicturesUnseen, "picture")+" not looked at in a dry run")
	}
	return strings.Join(words, "; ")
}

func lineState(l operator.ImportLine, dry bool) state {
	tones := map[operator.ImportAction]tone{
		operator.ImportCreated: well, operator.ImportChanged: told, operator.ImportUnchanged: over, operator.ImportRefused: broken, operator.ImportDamaged: wanted, operator.ImportUnread: wanted,
		operator.ImportWithdrawn: told,
	}
	done := cmp.Or(l.Done, l.Action)
	word := string(done)
	if dry && (done == operator.ImportCreated || done == operator.ImportChanged) {
		word = "would be " + word
	}
	return state{tones[l.Action], word}
}

func carryOutImport(v *pageRequest) (done, error) {
	in, err := v.importRun()
	if err != nil {
		return done{}, err
	}
	made, err := v.Backoffice.CarryOutImport(v.ctx, v.actor, in)
	return went("imports", made.ID).saying("The import has begun."), err
}

func stopImport(v *pageRequest) (done, error) {
	in, err := v.importRun()
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.StopImport(v.ctx, v.actor, in)
	return went("imports", in.In.ID).saying("It stops after the present listing."), err
}

// importReport returns the whole report as a file.
func importReport(v *pageRequest) (download, error) {
	in, err := v.importRun()
	if err != nil {
		return download{}, err
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	rows := [][]string{{"number", "action", "source", "reference", "product_id", "changes", "pictures", "why", "not_understood", "unread"}}
	for ask := (transfer.ReadImportReport{ID: in.In.ID}); ; {
		report, err := v.Backoffice.ReadImportReport(v.ctx, v.actor, at(v, ask))
		if err != nil {
			return download{}, err
		}
		for _, l := range report.Data {
			rows = append(rows, reportRow(l))
		}
		if ask.After = report.NextCursor; ask.After == 0 {
			break
		}
	}
	err = w.WriteAll(rows)
	return download{Name: fmt.Sprintf("import-%d.csv", in.In.ID), Type: "text/csv; charset=utf-8", Content: text.Bytes()}, err
}

func reportRow(l operator.ImportLine) []string {
	var missing []string
	for _, n := range l.NotUnderstood {
		missing = append(missing, missed(n))
	}
	return []string{
		strconv.Itoa(l.Number), string(cmp.Or(l.Done, l.Action)), asText(l.Source), asText(l.Reference), strconv.FormatInt(int64(l.Product), 10),
		asText(strings.Join(l.Changes, ", ")), strconv.Itoa(l.Pictures), asText(l.Why), asText(strings.Join(missing, "; ")),
		asText(strings.Join(l.Unread, ", ")),
	}
}
