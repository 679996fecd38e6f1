package transfer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// undo stores the dry run of an undo.
func (u importUnit) undo(in ImportRunPath) (operator.ImportRun, error) {
	of, err := u.undoable(in.ID)
	if err != nil {
		return of, err
	}
	return u.beginAfter(of, operator.ImportRun{
		Site: of.Site, Agency: of.Agency, By: in.By, Name: of.Name, DryRun: true, Undoes: of.ID, File: "report", State: operator.ImportRunning,
	})
}

// undoable returns a run as it is now that can be undone, or a Conflict that says why not.
func (u importUnit) undoable(id int64) (operator.ImportRun, error) {
	run, err := u.run(id)
	if err != nil {
		return run, err
	}
	run = run.At(u.Now)
	return run, u.notUndone(run)
}

// notUndone returns why a run cannot be undone, as it is now; nil if it can.
func (u importUnit) notUndone(r operator.ImportRun) error {
	var why fault.Text
	switch {
	case r.DryRun:
		why = fault.Textf("a dry run changed nothing")
	case r.Undoes != 0:
		why = fault.Textf("an undo cannot be undone; send the file again")
	case r.Source != 0:
		why = fault.Textf("a run of a source cannot be undone")
	case r.State == operator.ImportRunning:
		why = fault.Textf("the import is under way")
	case r.UndoneBy != 0:
		why = fault.Textf("import %d has undone it", r.UndoneBy)
	case r.Created+r.Changed == 0:
		why = fault.Textf("the import created and changed nothing")
	case u.Now.Sub(r.Seen) >= operator.ImportUndoFor:
		why = fault.Textf("the import ended more than %d days ago", int(operator.ImportUndoFor.Hours()/24))
	default:
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeInvalidTransition, "%s", why)
}

// noteUndone notes in the run that another one has undone, if that one has.
func (u importUnit) noteUndone(by operator.ImportRun) error {
	if by.Undoes == 0 || by.DryRun || by.State != operator.ImportDone {
		return nil
	}
	of, err := u.Imports().Get(by.Site, by.Undoes)
	if err != nil {
		return kernel.AbsentIs(err, nil)
	}
	of.UndoneBy = by.ID
	return u.Imports().Save(of, nil)
}

// undoing returns a listing for each one that the run to undo created or changed, and sets how many they are in
// the tally. What a later import names is refused.
func (j *job) undoing(ctx context.Context, tally *operator.ImportTally) iter.Seq2[Listing, error] {
	return func(yield func(Listing, error) bool) {
		k := j.service.k
		c, err := k.System(ctx, j.run.Site)
		var of operator.ImportRun
		var named map[product.ID]operator.ImportRunID
		if err == nil {
			of, err = kernel.Reads(k, newImportUnit, importUnit.run)(ctx, c, int64(j.run.Undoes))
		}
		if err == nil {
			named, err = kernel.Reads(k, newImportUnit, importUnit.namedSince)(ctx, c, of.ID)
		}
		if err != nil {
			yield(Listing{}, err)
			return
		}
		tally.Total = of.Created + of.Changed
		lines := func(after int) ([]operator.ImportLine, error) {
			return kernel.Reads(k, newImportUnit, importUnit.lines)(ctx, c, reportLines{of.ID, after})
		}
		for l, err := range paged(lines) {
			done := cmp.Or(l.Done, l.Action)
			if err == nil && done != operator.ImportCreated && done != operator.ImportChanged {
				continue
			}
			listing := Listing{Source: l.Source, Reference: l.Reference, Gone: done == operator.ImportCreated, undoes: &l}
			if by, is := named[l.Product]; is {
				listing.Refused = fault.Textf("import %d after it names the listing, too", by).String()
			}
			if !yield(listing, err) {
				return
			}
		}
	}
}

// paged goes through the lines of a report. page returns those after a number.
func paged(page func(after int) ([]operator.ImportLine, error)) iter.Seq2[operator.ImportLine, error] {
	return func(yield func(operator.ImportLine, error) bool) {
		for after := 0; ; {
			lines, err := page(after)
			for _, l := range lines {
				if !yield(l, nil) {
					return
				}
				after = l.Number
			}
			if err != nil {
				yield(operator.ImportLine{}, err)
				return
			}
			if len(lines) < MaxReportLines {
				return
			}
		}
	}
}

// reportLines asks for lines of the report of a run after a number.
type reportLines struct {
	run   operator.ImportRunID
	after int
}

func (u importUnit) lines(of reportLines) ([]operator.ImportLine, error) {
	return u.Imports().Report(port.ReportQuery{Site: u.Site.ID, Run: of.run, After: of.after, Limit: MaxReportLines})
}

// namedSince returns the products that real runs of files named after a run, each with the latest one that did.
// Runs that were undone do not count.
func (u importUnit) namedSince(run operator.ImportRunID) (map[product.ID]operator.ImportRunID, error) {
	named := map[product.ID]operator.ImportRunID{}
	for before := operator.ImportRunID(0); ; {
		later, err := u.Imports().List(u.Site.ID, before, runsPerPage)
		if err != nil {
			return nil, err
		}
		for _, r := range later {
			if before = r.ID; r.ID <= run {
				return named, nil
			}
			if r.DryRun || r.Source != 0 || r.Undoes != 0 || r.UndoneBy != 0 {
				continue
			}
			lines := func(after int) ([]operator.ImportLine, error) { return u.lines(reportLines{r.ID, after}) }
			for l, err := range paged(lines) {
				if err != nil {
					return nil, err
				}
				named[l.Product] = max(named[l.Product], r.ID)
			}
		}
		if len(later) < runsPerPage {
			return named, nil
		}
	}
}

// undoOf returns what is needed to undo a plan that was carried out: of a changed product the fields that
// differ, of a new one a digest of all of them. Of a dry run it has the criteria that would differ.
func (i *Import) undoOf(p plan) []edit.Edit {
	switch {
	case !i.keepsUndo || i.dryRun && p.action == ImportCreated:
		return nil
	case p.action == ImportCreated:
		return []edit.Edit{{After: digest(p.product)}}
	case p.action != ImportChanged:
		return nil
	}
	before, after := importedFields(p.before), importedFields(p.product)
	every := maps.Clone(before)
	maps.Copy(every, after)
	var edits []edit.Edit
	for _, field := range slices.Sorted(maps.Keys(every)) {
		if before[field] != after[field] && (!i.dryRun || strings.HasPrefix(field, criterionField+" ")) {
			edits = append(edits, edit.Edit{Field: field, Before: before[field], After: after[field]})
		}
	}
	return edits
}

// shown returns of what undoes a line the values of criteria that are not private, by their keys.
func (u importUnit) shown(undo []edit.Edit) (values []edit.Edit) {
	for _, e := range undo {
		kind, key, _ := strings.Cut(e.Field, " ")
		if d, known := u.Site.Dictionary.ByKey(key); kind == criterionField && known && !d.IsPrivate() {
			values = append(values, edit.Edit{Field: key, Before: e.Before, After: e.After})
		}
	}
	return values
}

// The fields that importedFields has: criteria and texts, each with what it is of.
const (
	criterionField, textField = "criterion", "description"
	titlePart, textPart       = "title", "text"
	shortPart                 = "short_text"
	intercabinetField         = "intercabinet"
	betweenCodes              = "\n"
)

// importedFields returns as texts the values of a product that imports change, besides pictures; an empty one is
// no value. A letter that is computed is not among them: it follows from others.
func importedFields(p product.Product) map[string]string {
	fields := map[string]string{}
	for key, value := range p.Criteria {
		text := ""
		switch raw := criteria.Restate(value).V.(type) {
		case bool:
			text = map[bool]string{true: "1", false: "0"}[raw]
		case string:
			text = raw
		case criteria.Literal:
			text = string(raw)
		case []any:
			text = strings.Join(criteria.Codes(value), betweenCodes)
		}
		if !p.Derived.Has(key) {
			fields[criterionField+" "+key] = text
		}
	}
	for _, d := range p.Descriptions {
		for part, text := range map[string]string{titlePart: d.Title, textPart: d.Text, shortPart: d.ShortText} {
			fields[textField+" "+d.Language+" "+part] = text
		}
	}
	if p.Intercabinet {
		fields[intercabinetField] = "1"
	}
	return fields
}

// digest returns the same text for products whose imported fields are the same.
func digest(p product.Product) string {
	fields, all := importedFields(p), sha256.New()
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		all.Write([]byte(field + "\x00" + fields[field] + "\x00"))
	}
	return hex.EncodeToString(all.Sum(nil))
}

// undo returns the plan of a listing that undoes what a run made of a product.
func (p planner) undo(l addressed, id product.ID) (plan, error) {
	before, living := p.present[id]
	switch {
	case !living:
		return plan{action: ImportRefused, why: fault.Textf("the product was deleted").String()}, nil
	case before.Agency != l.agency:
		return plan{action: ImportRefused, why: fault.Textf("the product is of another agency now").String()}, nil
	case l.Gone:
		return p.undoCreation(l, before)
	}
	read := p.asBefore(before, l.undoes.Undo)
	var problems fault.Problems
	after := read.rules.Update(before, read.change, &problems)
	planned := plan{action: ImportUnchanged, before: before, product: before, missed: read.missed}
	if !after.Same(before) {
		planned.action, planned.product, planned.changes = ImportChanged, after, before.Differences(after)
	}
	return planned, problems.Err()
}

// undoCreation returns the plan that takes a product off the web which a run created, unless a source has it.
func (p planner) undoCreation(l addressed, before product.Product) (plan, error) {
	sourced, err := p.isOfSource(before.ID)
	if sourced || err != nil {
		return plan{action: ImportRefused, why: fault.Textf("a source has the listing now").String()}, err
	}
	planned := p.gone(before.ID)
	if undo := l.undoes.Undo; len(undo) > 0 && undo[0].After != digest(before) {
		planned.missed = []NotUnderstood{{Source: before.Reference, Why: fault.Textf("it was changed since").String()}}
	}
	return planned, nil
}

// isOfSource reports whether a source that there is may withdraw the product.
func (u unit) isOfSource(id product.ID) (bool, error) {
	known, err := u.SourcedProducts().Get(u.Site.ID, id)
	if err == nil && known.Own {
		_, err = u.ImportSources().Get(u.Site.ID, known.Source)
	}
	return err == nil && known.Own, kernel.AbsentIs(err, nil)
}

// asBefore returns the change that gives the fields of a product the values from before a run. A field whose
// value is not the one that the run gave stays, and is told.
func (u unit) asBefore(now product.Product, undo []edit.Edit) understanding {
	read := understanding{rules: u.Site.ProductRules()}
	present := importedFields(now)
	for _, e := range undo {
		kind, name, _ := strings.Cut(e.Field, " ")
		switch {
		case present[e.Field] == e.Before:
		case present[e.Field] != e.After:
			read.miss(cmp.Or(name, kind), "", fault.Textf("it was changed since").String())
		case kind == criterionField:
			read.criterionAsBefore(name, e.Before)
		case kind == textField:
			language, part, _ := strings.Cut(name, " ")
			read.textAsBefore(language, part, e.Before)
		default:
			read.change.Intercabinet = opt.Of(e.Before != "")
		}
	}
	for _, key := range []string{criteria.KeyEnergyLetter, criteria.KeyClimateLetter} {
		isLetter := func(c product.CriterionInput) bool { return c.ID == key }
		if letter := present[criterionField+" "+key]; letter != "" && read.change.Criteria.Set && !slices.ContainsFunc(read.change.Criteria.Value, isLetter) {
			read.criterionAsBefore(key, letter) // else one that was declared would give way to the numbers
		}
	}
	return read
}

func (u *understanding) criterionAsBefore(key, text string) {
	def, known := u.rules.Dictionary.ByKey(key)
	if !known || !def.Active {
		u.miss(key, "", fault.Textf("the site has no criterion %s", key).String())
		return
	}
	value := criteria.Raw{V: text}
	if def.Type == criteria.MULTIPLE && text != "" {
		value = criteria.Restate(criteria.Multiple(strings.Split(text, betweenCodes)))
	}
	u.criterion(key, def, value)
}

func (u *understanding) textAsBefore(language, part, text string) {
	all := &u.change.Descriptions
	if n := len(all.Value); n == 0 || all.Value[n-1].Language != language {
		all.Set, all.Value = true, append(all.Value, product.DescriptionInput{Language: language})
	}
	d := &all.Value[len(all.Value)-1]
	*map[string]*opt.Field[string]{titlePart: &d.Title, textPart: &d.Text, shortPart: &d.ShortText}[part] = opt.Of(text)
}
