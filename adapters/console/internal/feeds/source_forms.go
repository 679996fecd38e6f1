package feeds

import (
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// modeChoices offers what a file names, withdrawalChoices what becomes of listings that are gone.
func modeChoices(l kit.Language) []kit.Choice {
	return []kit.Choice{{Value: operator.SourceIncremental, Label: l.Say("what is new or changed")}, {Value: operator.SourceFull, Label: l.Say("all listings there are")}}
}

func withdrawalChoices(l kit.Language) []kit.Choice {
	return []kit.Choice{{Value: operator.WithdrawOffWeb, Label: l.Say("are taken off the web")}, {Value: operator.WithdrawDelete, Label: l.Say("are deleted")}}
}

// formatChoices offers formats of files by their titles.
func formatChoices(names []string, first ...kit.Choice) []kit.Choice {
	for _, name := range names {
		first = append(first, kit.Choice{Value: name, Label: operator.ImportFormatTitle(name)})
	}
	return first
}

func showNewSource(v *kit.Request) (any, error) {
	f := v.Form()
	fields, err := sourceFields(v, f, operator.ImportSource{Settings: operator.SourceSettings{WithdrawalLimit: operator.DefaultWithdrawalLimit}})
	return kit.FormPage{
		Form: f, Heading: v.Say("New source"), Button: "Make it", Back: v.Link("imports"), BackLabel: v.Say("Imports"), Action: v.Action("import-sources", "new"), Fields: fields,
	}, err
}

func showEditSource(v *kit.Request) (any, error) {
	s, err := readSource(v)
	if err != nil {
		return nil, err
	}
	f := v.Form()
	fields, err := sourceFields(v, f, s.ImportSource)
	return kit.FormPage{
		Form: f, Heading: v.Say("Edit %s", s.Name), Button: "Save", Back: v.Link("import-sources", s.ID), BackLabel: s.Name, Action: v.Action("import-sources", s.ID, "edit"),
		Lead:   v.Say("A setup file that describes source %d sets it as the file says, whenever it is applied.", s.ID),
		Fields: fields, Delete: v.Link("import-sources", s.ID, "delete"),
	}, err
}

func showDeleteSource(v *kit.Request) (any, error) {
	s, err := readSource(v)
	return kit.FormPage{
		Form: v.Form(), Heading: v.Say("Delete %s", s.Name), Button: "Delete it for good", Danger: true, Back: v.Link("import-sources", s.ID), BackLabel: s.Name,
		Action: v.Action("import-sources", s.ID, "delete"),
		Lead:   v.Say("No more files are looked for. The listings that it brought stay as they are, and nothing withdraws them any more; the reports of its runs stay among the imports."),
	}, err
}

// readSource returns the source that the path names.
func readSource(v *kit.Request) (transfer.ImportSourceRecord, error) {
	id, err := v.ID("id")
	if err != nil {
		return transfer.ImportSourceRecord{}, err
	}
	return v.Backoffice.GetImportSource(v.Ctx, v.Actor, kit.At(v, transfer.ImportSourcePath{ID: id}))
}

// sourceFields returns the fields of the forms that make and change a source.
func sourceFields(v *kit.Request, f *kit.Form, s operator.ImportSource) ([]kit.Field, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	agencies := v.AgencyChoices(c)
	for i := range agencies[1:] {
		agencies[i+1].Label = agencies[i+1].Value + " · " + agencies[i+1].Label
	}
	agencies[0].Label = v.Say("several, by what the file calls them")
	set, first := s.Settings, ""
	switch {
	case set.Agency != 0:
		first = strconv.FormatInt(int64(set.Agency), 10)
	case s.ID == 0 && len(agencies) > 1:
		first = agencies[1].Value
	}
	names := map[string]string{}
	for name, id := range set.Agencies {
		names[name] = strconv.FormatInt(int64(id), 10)
	}
	format := f.One("format", "Format", "", set.Format, formatChoices(operator.ImportFormats(), kit.Choice{Label: f.Say("find out")}))
	format.Section = "What the files are"
	withdrawal := f.One("withdrawal", "Listings that are gone", "", set.Withdrawal, withdrawalChoices(f.Language))
	withdrawal.Section = "What becomes of listings"
	fields := []kit.Field{
		f.Text("name", "Name", "", s.Name).MustFill(),
		f.One("agency_id", "Agency", "The listings become its products.", first, agencies),
		f.Text("agencies", "Several agencies", "One line for each: what the file calls it, a colon and its number, such as AG-LYON: 11.", pairLines(names)).As("area"),
	}
	fields = append(fields, locationFields(f, "Where the files come from", "Below the folder of the server for imports, such as agence/nantes.", set.Location)...)
	return append(fields,
		format,
		f.Text("mapping", "Headings of a table", "One line for each that is not known: the heading, a colon and what it means, such as Prix de vente: Prix.", pairLines(set.Mapping)).As("area"),
		f.One("mode", "A file names", "", set.Mode, modeChoices(f.Language)),
		withdrawal,
		f.Text("withdrawal_limit", "Withdrawal limit", "The percentage of its listings that one run may withdraw.", strconv.Itoa(set.WithdrawalLimit)).As("number"),
		f.Some("adopt", "Listings that were there before it named them", ticked(set.Adopt), []kit.Choice{{Value: "yes", Label: f.Say("are withdrawn as well")}}),
		everyField(f, set.Every),
	), nil
}

// sourceInput reads these fields. The id is 0 for a new source.
func sourceInput(v *kit.Request, id int64) (in transfer.SetupImportSource, err error) {
	in = transfer.SetupImportSource{
		ID: id, Name: strings.TrimSpace(v.Sent("name")), Format: v.Sent("format"), Every: strings.TrimSpace(v.Sent("every")),
		Mode: v.Sent("mode"), Withdrawal: v.Sent("withdrawal"), Adopt: v.Sent("adopt") != "",
	}
	in.Folder, in.URL = readLocation(v)
	in.AgencyID, _ = strconv.ParseInt(v.Sent("agency_id"), 10, 64) // 0 is several
	if in.Agencies, err = readAgencies(v); err != nil {
		return in, err
	}
	if text := strings.TrimSpace(v.Sent("withdrawal_limit")); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return in, kit.WrongField("withdrawal_limit", fault.CodeInvalidType, fault.Textf("a percentage is 0 to 100"))
		}
		in.WithdrawalLimit = &n
	}
	in.Mapping, err = readPairs(v, "mapping")
	return in, err
}

func createSource(v *kit.Request) (kit.Done, error) {
	in, err := sourceInput(v, 0)
	if err != nil {
		return kit.Done{}, err
	}
	made, err := v.Backoffice.SaveImportSource(v.Ctx, v.Actor, kit.At(v, in))
	return kit.Went("import-sources", made.ID).Saying("The source is made. It is checked within seconds."), err
}

func updateSource(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	in, err := sourceInput(v, id)
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.SaveImportSource(v.Ctx, v.Actor, kit.At(v, in))
	return kit.Went("import-sources", id).Saying("The source is changed."), err
}

func deleteSource(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.DeleteImportSource(v.Ctx, v.Actor, kit.At(v, transfer.ImportSourcePath{ID: id}))
	return kit.Went("imports").Saying("The source is deleted."), err
}
