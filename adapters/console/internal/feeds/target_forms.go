package feeds

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func showNewTarget(v *kit.Request) (any, error) {
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: v.Say("New portal"), Button: "Make it", Back: v.Link("publication-targets"), BackLabel: v.Say("Portals"), Action: v.Action("publication-targets", "new"),
		Fields: targetFields(f, operator.PublicationTarget{}),
	}, nil
}

func showEditTarget(v *kit.Request) (any, error) {
	t, err := readTarget(v)
	f := v.Form()
	return kit.FormPage{
		Form: f, Heading: v.Say("Edit %s", t.Name), Button: "Save", Back: v.Link("publication-targets", t.ID), BackLabel: t.Name, Action: v.Action("publication-targets", t.ID, "edit"),
		Lead:   v.Say("A setup file that describes portal %d sets it as the file says, whenever it is applied.", t.ID),
		Fields: targetFields(f, t), Delete: v.Link("publication-targets", t.ID, "delete"),
	}, err
}

func showDeleteTarget(v *kit.Request) (any, error) {
	t, err := readTarget(v)
	return kit.FormPage{
		Form: v.Form(), Heading: v.Say("Delete %s", t.Name), Button: "Delete it for good", Danger: true, Back: v.Link("publication-targets", t.ID), BackLabel: t.Name,
		Action: v.Action("publication-targets", t.ID, "delete"),
		Lead:   v.Say("Nothing is sent there any more, and the reports of what was sent are deleted. The portal keeps the listings that it has: if they are to go, have them withdrawn there."),
	}, err
}

func pictureChoices(l kit.Language) []kit.Choice {
	return []kit.Choice{
		{Value: operator.PicturesAsURLs, Label: l.Say("by their addresses")}, {Value: operator.PicturesAsFiles, Label: l.Say("as files in the archive")}, {Value: operator.NoPictures, Label: l.Say("none")},
	}
}

// readTarget returns the target that the path names.
func readTarget(v *kit.Request) (operator.PublicationTarget, error) {
	id, err := v.ID("id")
	if err != nil {
		return operator.PublicationTarget{}, err
	}
	t, err := v.Backoffice.GetPublicationTarget(v.Ctx, v.Actor, kit.At(v, portals.TargetPath{ID: id}))
	return t.PublicationTarget, err
}

// targetFields returns the fields of the forms that make and change a target.
func targetFields(f *kit.Form, t operator.PublicationTarget) []kit.Field {
	set, names := t.Settings, map[string]string{}
	for id, name := range set.Agencies {
		names[name] = strconv.FormatInt(int64(id), 10)
	}
	format := f.One("format", "Format", "", set.Format, formatChoices(operator.PortalFormats()))
	format.Section = "What the files are"
	agencies := f.Text("agencies", "Agencies", "One line for each whose listings are sent: what the portal calls it, a colon and its number, such as AG-LYON: 11. Left empty, those of all are sent.", pairLines(names)).As("area")
	agencies.Section = "Which listings are sent"
	fields := append([]kit.Field{f.Text("name", "Name", "What the publications of a product call the portal.", t.Name).MustFill()},
		locationFields(f, "Where the files go", "Below the folder of the server for portals, such as portail/lyon.", set.Location)...)
	return append(fields,
		format,
		f.One("pictures", "Pictures", "", set.Pictures, pictureChoices(f.Language)),
		f.Some("incremental", "A file has", ticked(set.Incremental), []kit.Choice{{Value: "yes", Label: f.Say("only what has changed"), Hint: f.Say("Not every format can say that a listing is gone.")}}),
		agencies,
		f.Text("criterias", "Conditions", "One on each line, as in Prix SUPERIEUR 100000, or TypeBien COMPREND Maison, Appartement. All must hold.", conditionLines(set)).As("area"),
		f.Some("complete", "Listings with publication errors", ticked(set.Complete), []kit.Choice{{Value: "yes", Label: f.Say("are left out")}}),
		everyField(f, set.Every),
	)
}

// conditionLines writes conditions as readConditions reads them: a criterion, an operator and values separated by
// commas on each line.
func conditionLines(s operator.TargetSettings) string {
	var lines []string
	for _, c := range s.Criterias {
		var values strings.Builder
		to := csv.NewWriter(&values)
		_ = to.Write(c.Values) // a builder takes all
		to.Flush()
		lines = append(lines, c.Criterion+" "+c.Operator+" "+strings.TrimSpace(values.String()))
	}
	return strings.Join(lines, "\n")
}

func readConditions(v *kit.Request) (conditions []transfer.SetupTargetCondition, err error) {
	lists := []string{criteria.CONTIENT.String(), criteria.COMPREND.String(), criteria.NE_COMPREND_PAS.String()}
	for line := range strings.Lines(v.Sent("criterias")) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		id, rest, _ := strings.Cut(line, " ")
		by, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
		of := csv.NewReader(strings.NewReader(rest))
		of.TrimLeadingSpace = true
		values, err := of.Read()
		if err != nil {
			return nil, kit.WrongField("criterias", fault.CodeInvalidFormat, fault.Textf("each line has a criterion, an operator and a value, or several with commas between them"))
		}
		c := transfer.SetupTargetCondition{ID: id, Operator: by, Value: values[0]}
		if len(values) > 1 || slices.Contains(lists, by) {
			all := make([]any, len(values))
			for i, value := range values {
				all[i] = value
			}
			c.Value = all
		}
		conditions = append(conditions, c)
	}
	return conditions, nil
}

// targetInput reads these fields. The id is 0 for a new target.
func targetInput(v *kit.Request, id int64) (in transfer.SetupPublicationTarget, err error) {
	in = transfer.SetupPublicationTarget{
		ID: id, Name: strings.TrimSpace(v.Sent("name")), Format: v.Sent("format"), Pictures: v.Sent("pictures"), Every: strings.TrimSpace(v.Sent("every")),
		Complete: v.Sent("complete") != "", Incremental: v.Sent("incremental") != "",
	}
	in.Folder, in.URL = readLocation(v)
	if in.Agencies, err = readAgencies(v); err != nil {
		return in, err
	}
	in.Criterias, err = readConditions(v)
	return in, err
}

func createTarget(v *kit.Request) (kit.Done, error) {
	in, err := targetInput(v, 0)
	if err != nil {
		return kit.Done{}, err
	}
	made, err := v.Backoffice.SavePublicationTarget(v.Ctx, v.Actor, kit.At(v, in))
	return kit.Went("publication-targets", made.ID).Saying("The portal is made. It gets its first file within seconds."), err
}

func updateTarget(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	in, err := targetInput(v, id)
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.SavePublicationTarget(v.Ctx, v.Actor, kit.At(v, in))
	return kit.Went("publication-targets", id).Saying("The portal is changed."), err
}

func deleteTarget(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.DeletePublicationTarget(v.Ctx, v.Actor, kit.At(v, portals.TargetPath{ID: id}))
	return kit.Went("publication-targets").Saying("The portal is deleted."), err
}
