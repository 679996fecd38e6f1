package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// pickerPage is the form in which it is chosen what a client may do, with what it
// could call then.
type pickerPage struct {
	Form                             *form
	Heading, Button, Back, BackLabel string
	// Action is where it is sent to, Here the page itself, which shows another choice
	// when it is asked for one.
	Action, Here string
	Fields       []field
	Presets      []choice
	// Columns are packs, permissions and rights.
	Columns  []field
	Callable callable
}

func (p pickerPage) title() string { return p.Heading }

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
func (v *pageRequest) callableWith(in backoffice.Picked) (callable, error) {
	operations, err := v.Backoffice.ListCallable(v.ctx, v.actor, in)
	if err != nil && isMendable(err) {
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
	return backoffice.Picked{Packs: c.Packs.Names(), Permissions: texts(c.Permissions), Rights: texts(c.Rights)}
}

func texts[T ~string](names []T) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = string(name)
	}
	return list
}

// pickerColumns returns the fields of the choice: what somebody with a role may give.
func pickerColumns(f *form, by operator.Role, first backoffice.Picked) []field {
	own := by.Grant(0)
	permissions := slices.DeleteFunc(append([]access.Permission{access.All}, access.Permissions()...), func(p access.Permission) bool { return !own.May(p) })
	rights := slices.DeleteFunc(append([]access.Right{access.All}, access.Rights()...), func(r access.Right) bool { return !own.Can(r) })
	return []field{
		f.some("packs", "Packs", first.Packs, named(by.Gives().Names())),
		f.some("permissions", "Permissions", first.Permissions, named(texts(permissions))),
		f.some("rights", "Rights", first.Rights, named(texts(rights))),
	}
}

// addPicker adds the choice to its form: as it was sent, or as a preset has it.
func (v *pageRequest) addPicker(p *pickerPage, first backoffice.Picked) error {
	presets, err := v.Backoffice.ListPresets(v.ctx, v.actor, kernel.Nothing{})
	if err != nil {
		return err
	}
	for _, known := range presets {
		p.Presets = append(p.Presets, choice{Value: known.ID, Label: known.Label})
		if known.ID == v.query("preset") {
			p.Form.pick(known.Picked)
		}
	}
	if p.Form.typed != nil {
		first = picked(p.Form.typed)
	}
	p.Columns = pickerColumns(p.Form, v.actor.Operator.Role, first)
	p.Callable, err = v.callableWith(first)
	return err
}

// pick ticks what a preset has.
func (f *form) pick(preset backoffice.Picked) {
	packs := preset.Packs
	if slices.Contains(packs, access.All) {
		packs = access.Packs(access.AllPacks).Names()
	}
	f.typed["packs"], f.typed["permissions"], f.typed["rights"] = packs, preset.Permissions, preset.Rights
}

// tried returns the form of a page that shows what would be: what was sent, or what the
// address says was filled in.
func (v *pageRequest) tried() *form {
	if v.typed == nil && v.r.Method == http.MethodGet && len(v.r.URL.Query()) > 0 {
		f := newForm(v.r.URL.Query(), nil)
		return &f
	}
	return v.form()
}
