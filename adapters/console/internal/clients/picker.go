package clients

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// pickerPage is the form in which it is chosen what a client may do, with what it
// could call then.
type pickerPage struct {
	Form                     *kit.Form
	Heading, Back, BackLabel string
	Button                   kit.Text
	// Action is where it is sent to, Here the page itself, which shows another choice
	// when it is asked for one.
	Action, Here string
	Fields       []kit.Field
	Presets      []kit.Choice
	// Columns are packs, permissions and rights.
	Columns  []kit.Field
	Callable callable
}

func (p pickerPage) TabTitle() string { return p.Heading }

// callable is the operations that somebody may call.
type callable struct {
	Count, All int
	Groups     []operationGroup
}

// operationGroup is the operations about one thing, such as products.
type operationGroup struct {
	Name       string
	Count      int
	Operations []operationLine
}

type operationLine struct{ ID, Summary string }

// callableWith returns what can be called with what was picked. Names that are none are
// left out here: the use case that stores the choice says what is wrong with them.
func callableWith(v *kit.Request, in backoffice.Picked) (callable, error) {
	operations, err := v.Backoffice.ListCallable(v.Ctx, v.Actor, in)
	if err != nil && kit.IsMendable(err) {
		return callable{}, nil
	}
	c := callable{All: len(operations)}
	byName := map[string]*operationGroup{}
	for _, o := range operations {
		if !o.Callable {
			continue
		}
		name, _, _ := strings.Cut(o.ID, ".")
		group := byName[name]
		if group == nil {
			group = &operationGroup{Name: name}
			byName[name] = group
		}
		group.Operations = append(group.Operations, operationLine{o.ID, o.Summary})
		group.Count++
		c.Count++
	}
	for _, group := range byName {
		c.Groups = append(c.Groups, *group)
	}
	slices.SortFunc(c.Groups, func(a, b operationGroup) int { return cmp.Compare(a.Name, b.Name) })
	return c, err
}

// picked returns what was ticked in a form that was sent.
func picked(typed url.Values) backoffice.Picked {
	return backoffice.Picked{Packs: typed["packs"], Permissions: typed["permissions"], Rights: typed["rights"]}
}

// pickedOf returns what a client has.
func pickedOf(c backoffice.CredentialRecord) backoffice.Picked {
	return backoffice.Picked{Packs: c.Packs.Names(), Permissions: kit.Texts(c.Permissions), Rights: kit.Texts(c.Rights)}
}

// pickerColumns returns the fields of the choice: what somebody with a role may give.
func pickerColumns(f *kit.Form, by operator.Role, first backoffice.Picked) []kit.Field {
	own := by.Grant(0)
	permissions := slices.DeleteFunc(append([]access.Permission{access.All}, access.Permissions()...), func(p access.Permission) bool { return !own.May(p) })
	rights := slices.DeleteFunc(append([]access.Right{access.All}, access.Rights()...), func(r access.Right) bool { return !own.Can(r) })
	return []kit.Field{
		f.Some("packs", "Packs", first.Packs, kit.Named(by.Gives().Names())),
		f.Some("permissions", "Permissions", first.Permissions, kit.Named(kit.Texts(permissions))),
		f.Some("rights", "Rights", first.Rights, kit.Named(kit.Texts(rights))),
	}
}

// addPicker adds the choice to its form: as it was sent, or as a preset has it.
func addPicker(v *kit.Request, p *pickerPage, first backoffice.Picked) error {
	presets, err := v.Backoffice.ListPresets(v.Ctx, v.Actor, kernel.Nothing{})
	if err != nil {
		return err
	}
	for _, known := range presets {
		p.Presets = append(p.Presets, kit.Choice{Value: known.ID, Label: v.Show(kit.Text(known.Label))})
		if known.ID == v.Query("preset") {
			pick(p.Form, known.Picked)
		}
	}
	if p.Form.Typed != nil {
		first = picked(p.Form.Typed)
	}
	p.Columns = pickerColumns(p.Form, v.Actor.Operator.Role, first)
	p.Callable, err = callableWith(v, first)
	return err
}

// pick ticks what a preset has.
func pick(f *kit.Form, preset backoffice.Picked) {
	packs := preset.Packs
	if slices.Contains(packs, access.All) {
		packs = access.Packs(access.AllPacks).Names()
	}
	f.Typed["packs"], f.Typed["permissions"], f.Typed["rights"] = packs, preset.Permissions, preset.Rights
}

// tried returns the form of a page that shows what would be: what was sent, or what the
// address says was filled in.
func tried(v *kit.Request) *kit.Form {
	if v.Typed == nil && v.HTTP.Method == http.MethodGet && len(v.HTTP.URL.Query()) > 0 {
		f := kit.NewForm(v.Language, v.HTTP.URL.Query(), nil)
		return &f
	}
	return v.Form()
}
