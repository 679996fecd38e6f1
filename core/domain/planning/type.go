package planning

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Limits of durations, in minutes.
const (
	MinDuration, MaxDuration = 5, 24 * 60
	MaxBuffer                = 240
)

// TypeID identifies a type of appointment within its site.
type TypeID int64

// Type is a kind of appointment, which a site chooses.
type Type struct {
	ID TypeID
	// Model is its code, one of list 12.
	Model, Label string
	Active       bool
	// Busy and Leave say what its appointments are unless they say otherwise: time in
	// which nobody else can have the user, and time off.
	Busy, Leave bool
	// Duration, Before and After are minutes: how long it takes, and what is kept
	// free around it.
	Duration, Before, After int
	Color                   string
	Position                int
}

// Validate reports a type that no site can have.
func (t Type) Validate() error {
	if t.ID < 1 || t.Model == "" {
		return errors.New("it needs an id of at least 1 and a model")
	}
	for _, of := range []struct {
		field                string
		minutes, least, most int
	}{
		{"duration_minutes", t.Duration, MinDuration, MaxDuration},
		{"buffer_before", t.Before, 0, MaxBuffer},
		{"buffer_after", t.After, 0, MaxBuffer},
	} {
		if of.minutes < of.least || of.minutes > of.most {
			return fmt.Errorf("%s must be %d to %d", of.field, of.least, of.most)
		}
	}
	return nil
}

// VisitModel is the model of visits.
const VisitModel = "VISITE"

// Types are the types of a site, by position.
type Types []Type

// Shipped returns the types of a site that has none of its own.
func Shipped() Types {
	const day = MaxDuration
	return Types{
		{1, VisitModel, "Visite", true, true, false, 45, 15, 15, "#27ae60", 1},
		{2, "ESTIMATION", "Estimation", true, true, false, 60, 15, 15, "#8e44ad", 2},
		{3, "RDV", "Rendez-vous", true, true, false, 60, 0, 0, "#2980b9", 3},
		{4, "SIGNATURE", "Signature", true, true, false, 90, 0, 0, "#c0392b", 4},
		{5, "ETAT_DES_LIEUX", "État des lieux", true, true, false, 60, 15, 15, "#d35400", 5},
		{6, "APPEL", "Appel", true, true, false, 15, 0, 0, "#16a085", 6},
		{7, "TACHE", "Tâche", true, false, false, 30, 0, 0, "#7f8c8d", 7},
		{8, "CONGE", "Congé", true, true, true, day, 0, 0, "#f39c12", 8},
	}
}

// Find finds a type by its model, active or not.
func (t Types) Find(model string) (Type, bool) {
	n := slices.IndexFunc(t, func(k Type) bool { return k.Model == model })
	if n < 0 {
		return Type{}, false
	}
	return t[n], true
}

// Active finds an active type by its model.
func (t Types) Active(model string) (Type, bool) {
	found, known := t.Find(model)
	return found, known && found.Active
}

// ActiveModels lists the models of the active types, by position.
func (t Types) ActiveModels() (models []string) {
	for _, k := range t {
		if k.Active {
			models = append(models, k.Model)
		}
	}
	return models
}

// Unknown returns the refusal of a model that no type, or no active one, has.
func (t Types) Unknown(model string, message fault.Text) fault.Detail {
	return fault.Detail{Code: fault.CodeUnknownAppointmentType, Value: model, Accepted: t.ActiveModels(), Message: message}
}

// IsLeave reports whether a model is one of time off.
func (t Types) IsLeave(model string) bool {
	found, _ := t.Find(model)
	return found.Leave
}

// Minutes returns a number of minutes as a duration.
func Minutes(n int) time.Duration { return time.Duration(n) * time.Minute }
