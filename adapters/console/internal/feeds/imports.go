package feeds

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/tables"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// importPages returns the pages about imports of listings.
func importPages() []kit.Page {
	one, source, manages := "/imports/{id}", "/import-sources/{id}", operator.ManageImports
	return []kit.Page{
		{
			Path: "/imports", Title: "Imports", Template: "imports", Show: showImports, Do: startImport, Uploads: true, Powers: manages,
			Menu: &kit.Menu{Section: kit.Data, Label: "Imports", Icon: "arrow"},
		},
		{Path: "/import-sources/new", Title: "New source", Template: "form", Show: showNewSource, Do: createSource, Under: "/imports", Powers: manages},
		{Path: source, Title: "Import source", Template: "import-source", Show: showSource, Under: "/imports", Powers: manages},
		{Path: source + "/edit", Title: "Edit source", Template: "form", Show: showEditSource, Do: updateSource, Under: "/imports", Powers: manages},
		{Path: source + "/delete", Title: "Delete a source", Template: "form", Show: showDeleteSource, Do: deleteSource, Under: "/imports", Powers: manages},
		{Path: source + "/run", Do: runSource, On: source, Powers: manages},
		{Path: source + "/pause", Do: pauseSource, On: source, Powers: manages},
		{Path: one, Title: "Import", Template: "import", Show: showImport, Under: "/imports", Powers: manages},
		{Path: one + "/report.csv", File: importReport, Powers: manages},
		{Path: one + "/carry-out", Do: carryOutImport, On: one, Powers: manages},
		{Path: one + "/undo", Do: undoImport, On: one, Powers: manages},
		{Path: one + "/stop", Do: stopImport, On: one, Powers: manages},
	}
}

// importsPage is the list of the imports of a site, with a form that starts one.
type importsPage struct {
	Form   *kit.Form
	Fields []kit.Field
	Rows   []importRow
	// Sources are where files come from by themselves; NoSources says what to do where there are none.
	Sources          []sourceRow
	Empty, NoSources kit.Empty
	Older            string
}

type importRow struct {
	ID                      int64
	Name, Starter, Listings string
	Kind                    kit.Text
	State                   kit.State
	Started                 kit.Moment
}

func showImports(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	in := transfer.ListImportRuns{}
	if before, err := strconv.ParseInt(v.Query("before"), 10, 64); err == nil && before > 0 {
		in.Before = opt.Of(before)
	}
	found, err := v.Backoffice.ListImports(v.Ctx, v.Actor, kit.At(v, in))
	if err != nil {
		return nil, err
	}
	f := v.Form()
	agencies := v.AgencyChoices(c)[1:]
	first := ""
	if len(agencies) > 0 {
		first = agencies[0].Value
	}
	p := importsPage{
		Form: f,
		Fields: []kit.Field{
			f.One("agency_id", "Agency", "The listings become its products.", first, agencies),
			f.One("format", "Format", "", "", formatChoices(operator.ImportFormats(), kit.Choice{Label: v.Say("find out")})),
			f.Text("file", "File", kit.Text(v.Say("A CSV, XLSX, XML or JSON file, or a ZIP archive of it and its pictures, up to %d MiB.", transfer.MaxImportFile>>20)), "").As("file").MustFill(),
		},
		Empty:     kit.Empty{Title: "Nothing was imported yet", Text: "Choose a file that other agency software hands on. The first pass only says what would change. What the command vitrine import brings is not listed here."},
		NoSources: kit.Empty{Title: "No sources yet", Text: "A source brings files by itself, again and again: from a folder of the server, or from an address. Make one where other agency software leaves its files."},
	}
	for _, run := range found.Data {
		p.Rows = append(p.Rows, newImportRow(v, run))
	}
	if p.Sources, err = sourceRows(v); err != nil {
		return nil, err
	}
	if found.NextCursor != nil {
		p.Older = v.Link("imports") + "?before=" + strconv.FormatInt(*found.NextCursor, 10)
	}
	return p, nil
}

func newImportRow(v *kit.Request, run backoffice.Import) importRow {
	return importRow{
		ID: int64(run.ID), Name: run.Name, Kind: passOf(run), Starter: run.Starter, Listings: listingsOf(v, run.ImportTally), State: importState(run), Started: v.When(run.Started),
	}
}

func passOf(run backoffice.Import) kit.Text {
	switch {
	case run.Source != 0:
		return "from a source"
	case run.Undoes != 0 && run.DryRun:
		return "undo, dry run"
	case run.Undoes != 0:
		return "undo"
	case run.DryRun:
		return "dry run"
	}
	return "real run"
}

// listingsOf returns how many listings were gone through, of how many if that is known.
// Damaged places of a file are no listings.
func listingsOf(v *kit.Request, t operator.ImportTally) string {
	if t.Total == 0 {
		return v.Count(int64(t.Listings))
	}
	return v.Say("%s of %s", v.Count(int64(t.Listings)), v.Count(int64(t.Total)))
}

// nothingFound reports that a file was read to its end, and has no listing in it.
func nothingFound(run backoffice.Import) bool {
	return run.State == operator.ImportDone && run.Listings+run.Damaged == 0
}

// importState returns the state of a run.
func importState(run backoffice.Import) kit.State {
	if nothingFound(run) {
		return kit.State{Tone: kit.Wanted, Word: "nothing found"}
	}
	tones := map[operator.ImportState]kit.Tone{
		operator.ImportRunning: kit.Told, operator.ImportDone: kit.Well, operator.ImportStopped: kit.Over, operator.ImportFailed: kit.Broken, operator.ImportInterrupted: kit.Wanted, operator.ImportHeld: kit.Wanted,
	}
	return kit.State{Tone: tones[run.State], Word: kit.Text(run.State)}
}

// uploadedFile is the name of the form's field for the file.
const uploadedFile = "file"

// startImport starts a dry run of the uploaded file.
func startImport(v *kit.Request) (kit.Done, error) {
	in := transfer.StartImport{Format: v.Sent("format")}
	if text := v.Sent("agency_id"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return kit.Done{}, kit.WrongField("agency_id", fault.CodeInvalidType, fault.Textf("the number of an agency"))
		}
		in.Agency = opt.Of(id)
	}
	file, header, err := v.HTTP.FormFile(uploadedFile)
	switch {
	case err == nil:
		defer file.Close()
		in.File, in.Name = file, header.Filename
	case !errors.Is(err, http.ErrMissingFile) && !errors.Is(err, http.ErrNotMultipart):
		return kit.Done{}, err
	}
	made, err := v.Backoffice.StartImport(v.Ctx, v.Actor, kit.At(v, in))
	return kit.Went("imports", made.ID).Saying("The dry run has begun. It writes nothing."), err
}

// importPage is one import with its report.
type importPage struct {
	Form                  *kit.Form
	ID                    int64
	Name, Agency, Starter string
	Kind                  kit.Text
	Started               kit.Moment
	State                 kit.State
	// Here is the address of this view of the page; Live reports that it is to be read again.
	Here string
	Live bool
	// Problem is why it failed, Trouble its title, Advice how to go on.
	Problem         string
	Trouble, Advice kit.Text
	// Done is the part of the file that was gone through, in percent, and Width the same as
	// attributes have it.
	Done, Width string
	// DryRun reports that what is counted would be done.
	DryRun      bool
	Figures     figures
	MayCarryOut bool
	CarryOut    kit.Text
	// Undoes is the run that it undoes, UndoneBy the one that has undone it; 0 is none.
	Undoes, UndoneBy int64
	MayUndo          bool
	MayStop          bool
	Stopping         bool
	Tabs             []lineTab
	Lines            []lineView
	NoLines          kit.Empty
	More             string
	HasReport        bool
}

// figures count what became of the listings of an import.
type figures struct{ Listings, Created, Changed, Unchanged, Refused, Unread, Pictures, Withdrawn string }

type lineView struct {
	Number, Source, Reference string
	State                     kit.State
	Product                   int64
	Words                     string
	Missed                    []string
}

func showImport(v *kit.Request) (any, error) {
	in, err := importRun(v)
	if err != nil {
		return nil, err
	}
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	run, err := v.Backoffice.GetImport(v.Ctx, v.Actor, in)
	if err != nil {
		return nil, err
	}
	agency, _ := c.Site.Agency(run.Agency)
	running := run.State == operator.ImportRunning
	p := importPage{
		Form: v.Form(), ID: int64(run.ID), Name: run.Name, Kind: passOf(run), Agency: agency.Name, Starter: run.Starter, Started: v.When(run.Started),
		State: importState(run), Here: v.HTTP.URL.RequestURI(), Live: running, Problem: v.Read(run.Problem), Trouble: troubleOf(run), Advice: adviceOn(run), Done: percentDone(v.Language, run.ImportTally), Width: percentDone(kit.Language{}, run.ImportTally),
		DryRun: run.DryRun, Figures: importFigures(v, run), MayCarryOut: run.CanCarryOut, CarryOut: carryOutWords(run),
		Undoes: int64(run.Undoes), UndoneBy: int64(run.UndoneBy), MayUndo: run.CanUndo, MayStop: running && !run.Stopping, Stopping: running && run.Stopping,
		HasReport: run.Listings+run.Damaged > 0,
		NoLines:   kit.Empty{Title: "Nothing to show", Text: "What becomes of each listing appears here."},
	}
	return p, addLines(v, c, &p, in.In.ID, run.DryRun)
}

// importRun returns the run that the path names.
func importRun(v *kit.Request) (backoffice.At[transfer.ImportRunPath], error) {
	id, err := v.ID("id")
	return kit.At(v, transfer.ImportRunPath{ID: id}), err
}

// troubleOf returns what went wrong, in short.
func troubleOf(run backoffice.Import) kit.Text {
	if run.State == operator.ImportHeld {
		return "The withdrawals were refused."
	}
	return "The import failed."
}

// adviceOn returns how to go on after a run that is over.
func adviceOn(run backoffice.Import) kit.Text {
	switch {
	case nothingFound(run):
		return "No listing was recognised in this file. Is it one of the formats that are read, and the right one?"
	case run.State == operator.ImportInterrupted && run.CanCarryOut:
		return "The server that carried it out ended. What was imported stays; going on leaves it as it is."
	case run.Undoes != 0 && run.DryRun && run.CanCarryOut:
		return "Nothing was written. Look through the report, then carry it out within a day. What was created goes off the web; pictures that the import added stay."
	case run.State == operator.ImportInterrupted && run.Undoes == 0:
		return "The server that carried it out ended. Send the file again."
	case run.DryRun && run.State == operator.ImportDone && run.CanCarryOut:
		return "Nothing was written. Look through the report, then carry it out. The file is kept for a day."
	}
	return ""
}

func carryOutWords(run backoffice.Import) kit.Text {
	if run.DryRun {
		return "Carry it out"
	}
	return "Go on"
}

// percentDone returns the part of a file that was gone through, with one digit after the point.
func percentDone(l kit.Language, t operator.ImportTally) string {
	return l.Percent(int64(min(t.Listings, t.Total)), int64(t.Total))
}

func importFigures(v *kit.Request, run backoffice.Import) figures {
	t, count := run.ImportTally, func(n int) string { return v.Count(int64(n)) }
	return figures{
		Listings: listingsOf(v, t), Created: count(t.Created), Changed: count(t.Changed), Unchanged: count(t.Unchanged), Refused: count(t.Refused + t.Damaged), Unread: count(t.Unread),
		Pictures: count(t.Pictures), Withdrawn: count(t.Withdrawn),
	}
}

// lineTab is a view of a report: all its lines, or those with some actions.
type lineTab struct {
	Name    string
	actions []string
	Href    string
	Current bool
}

func lineTabs() []lineTab {
	return []lineTab{
		{Name: "all"}, {Name: "refused", actions: []string{string(operator.ImportRefused), string(operator.ImportDamaged)}}, {Name: "created", actions: []string{string(operator.ImportCreated)}},
		{Name: "to look at", actions: []string{string(operator.ImportUnread)}},
		{Name: "changed", actions: []string{string(operator.ImportChanged)}}, {Name: "unchanged", actions: []string{string(operator.ImportUnchanged)}},
		{Name: "withdrawn", actions: []string{string(operator.ImportWithdrawn)}},
	}
}

// addLines adds a page of the report.
func addLines(v *kit.Request, c kernel.Caller, p *importPage, id int64, dry bool) error {
	show := cmp.Or(v.Query("show"), "all")
	base, in := v.Link("imports", id)+"?show=", transfer.ReadImportReport{ID: id}
	for _, t := range lineTabs() {
		t.Href, t.Current = base+url.QueryEscape(t.Name), t.Name == show
		if t.Current {
			in.Actions = t.actions
		}
		p.Tabs = append(p.Tabs, t)
	}
	in.After, _ = strconv.Atoi(v.Query("after"))
	report, err := v.Backoffice.ReadImportReport(v.Ctx, v.Actor, kit.At(v, in))
	if err != nil {
		return err
	}
	for _, l := range report.Data {
		p.Lines = append(p.Lines, lineOf(v, c, l, dry))
	}
	if report.NextCursor > 0 {
		p.More = base + url.QueryEscape(show) + "&after=" + strconv.Itoa(report.NextCursor)
	}
	return nil
}

func lineOf(v *kit.Request, c kernel.Caller, l operator.ImportLine, dry bool) lineView {
	view := lineView{
		Number: strconv.Itoa(l.Number), Source: l.Source, Reference: l.Reference, Product: int64(l.Product), Words: lineWords(v, c, l), State: lineState(l, dry),
	}
	if remarks := len(l.NotUnderstood) + l.More; remarks > 0 && view.State.Tone != kit.Broken {
		view.State.Tone = kit.Wanted
	}
	for _, n := range l.NotUnderstood {
		view.Missed = append(view.Missed, missed(v.Language, n))
	}
	if l.More > 0 {
		view.Missed = append(view.Missed, v.Say("and %s more", v.Counted(int64(l.More), "thing", "things")))
	}
	return view
}

func missed(l kit.Language, n operator.NotUnderstood) string {
	if n.Value == "" {
		return n.Source + ": " + l.Read(n.Why)
	}
	return fmt.Sprintf("%s: %s (%q)", n.Source, l.Read(n.Why), n.Value)
}

// lineWords returns the details of a line: the reason, the changes and the pictures.
func lineWords(v *kit.Request, c kernel.Caller, l operator.ImportLine) string {
	var words []string
	if unread := strings.Join(l.Unread, ", "); unread != "" {
		format := kit.Text("%s could not be read")
		if l.Done == operator.ImportCreated {
			format = "%s could not be read; not on the web until somebody looks at it"
		}
		words = append(words, v.Say(format, unread))
	}
	if l.Why != "" {
		words = append(words, v.Read(l.Why))
	}
	if len(l.Changes) > 0 {
		words = append(words, strings.Join(changesOf(v, c, l), ", "))
	}
	if l.Pictures > 0 {
		words = append(words, v.Counted(int64(l.Pictures), "picture", "pictures"))
	}
	if l.PicturesWithdrawn > 0 {
		words = append(words, v.Counted(int64(l.PicturesWithdrawn), "picture withdrawn", "pictures withdrawn"))
	}
	if l.PicturesUnseen > 0 {
		words = append(words, v.Counted(int64(l.PicturesUnseen), "picture not looked at in a dry run", "pictures not looked at in a dry run"))
	}
	return strings.Join(words, v.Say("; "))
}

// changesOf names what differs of a product, with the values of criteria.
func changesOf(v *kit.Request, c kernel.Caller, l operator.ImportLine) []string {
	changes := slices.Clone(l.Changes)
	for _, e := range l.Undo {
		if i := slices.Index(changes, e.Field); i >= 0 {
			changes[i] = v.Say("%s: %s → %s", e.Field, valueOf(v, c, e.Field, e.Before), valueOf(v, c, e.Field, e.After))
		}
	}
	return changes
}

// valueOf returns a value of a criterion in words: codes by their labels, and large numbers with their thousands apart.
func valueOf(v *kit.Request, c kernel.Caller, key, text string) string {
	const large = 10_000 // years are not
	d, _ := c.Site.Dictionary.ByKey(key)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && d.Type == criteria.NUMBER && n >= large {
		return v.Count(n)
	}
	return cmp.Or(strings.Join(kit.LabelsOf(c, key, strings.Split(text, "\n")), ", "), "–")
}

func lineState(l operator.ImportLine, dry bool) kit.State {
	tones := map[operator.ImportAction]kit.Tone{
		operator.ImportCreated: kit.Well, operator.ImportChanged: kit.Told, operator.ImportUnchanged: kit.Over, operator.ImportRefused: kit.Broken, operator.ImportDamaged: kit.Wanted, operator.ImportUnread: kit.Wanted,
		operator.ImportWithdrawn: kit.Told,
	}
	done := cmp.Or(l.Done, l.Action)
	word := kit.Text(done)
	switch {
	case dry && done == operator.ImportCreated:
		word = "would be created"
	case dry && done == operator.ImportChanged:
		word = "would be changed"
	case dry && done == operator.ImportWithdrawn:
		word = "would be withdrawn"
	}
	return kit.State{Tone: tones[l.Action], Word: word}
}

func carryOutImport(v *kit.Request) (kit.Done, error) {
	in, err := importRun(v)
	if err != nil {
		return kit.Done{}, err
	}
	made, err := v.Backoffice.CarryOutImport(v.Ctx, v.Actor, in)
	return kit.Went("imports", made.ID).Saying("The import has begun."), err
}

// undoImport starts the dry run of an undo.
func undoImport(v *kit.Request) (kit.Done, error) {
	in, err := importRun(v)
	if err != nil {
		return kit.Done{}, err
	}
	made, err := v.Backoffice.UndoImport(v.Ctx, v.Actor, in)
	return kit.Went("imports", made.ID).Saying("The dry run of the undo has begun. It writes nothing."), err
}

func stopImport(v *kit.Request) (kit.Done, error) {
	in, err := importRun(v)
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.StopImport(v.Ctx, v.Actor, in)
	return kit.Went("imports", in.In.ID).Saying("It stops after the present listing."), err
}

// importReport returns the whole report as a file.
func importReport(v *kit.Request) (kit.Download, error) {
	in, err := importRun(v)
	if err != nil {
		return kit.Download{}, err
	}
	rows := [][]string{{"number", "action", "source", "reference", "product_id", "changes", "pictures", "why", "not_understood", "unread"}}
	for ask := (transfer.ReadImportReport{ID: in.In.ID}); ; {
		report, err := v.Backoffice.ReadImportReport(v.Ctx, v.Actor, kit.At(v, ask))
		if err != nil {
			return kit.Download{}, err
		}
		for _, l := range report.Data {
			rows = append(rows, reportRow(l))
		}
		if ask.After = report.NextCursor; ask.After == 0 {
			break
		}
	}
	return kit.CSV(fmt.Sprintf("import-%d.csv", in.In.ID), rows)
}

func reportRow(l operator.ImportLine) []string {
	var missing []string
	for _, n := range l.NotUnderstood {
		missing = append(missing, missed(kit.Language{}, n))
	}
	return []string{
		strconv.Itoa(l.Number), string(cmp.Or(l.Done, l.Action)), tables.AsText(l.Source), tables.AsText(l.Reference), strconv.FormatInt(int64(l.Product), 10),
		tables.AsText(strings.Join(l.Changes, ", ")), strconv.Itoa(l.Pictures), tables.AsText(l.Why), tables.AsText(strings.Join(missing, "; ")),
		tables.AsText(strings.Join(l.Unread, ", ")),
	}
}
