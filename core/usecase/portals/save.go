package portals

import (
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// targetState is what the audit says of the settings of a target. Of an address it has no password.
type targetState struct {
	Name, Place string
	operator.TargetSettings
}

func stateOf(t operator.PublicationTarget) targetState {
	state := targetState{Name: t.Name, Place: t.Settings.Place(), TargetSettings: t.Settings}
	state.Location = operator.Location{}
	return state
}

// save stores a target. Its address keeps what is not shown of it, as operator.Location.With says.
func (u unit) save(in transfer.SetupPublicationTarget) (made kernel.Created, err error) {
	var before operator.PublicationTarget
	known := targetState{}
	if in.ID != 0 {
		if before, err = u.target(in.ID); err != nil {
			return made, err
		}
		known = stateOf(before)
	} else {
		id, err := kernel.FreeID(u, port.ImportIDs, func(id operator.TargetID) (operator.PublicationTarget, error) {
			return u.PublicationTargets().Get(u.Site.ID, id)
		})
		if err != nil {
			return made, err
		}
		before = transfer.NewTarget(u.Unit, id)
	}
	if in.URL != "" {
		in.URL = before.Settings.With(in.URL).URL
	}
	wanted, err := in.Target(u.Unit, before, u.Scope.Has)
	if err != nil {
		return made, err
	}
	if !u.sees(wanted) {
		return made, kernel.Unknown("no publication target has this id") // it would be of agencies that are not in scope
	}
	u.About("publication target " + strconv.FormatInt(int64(wanted.ID), 10))
	u.Changed(known, stateOf(wanted))
	if err := u.PublicationTargets().Put(wanted); err != nil {
		return made, err
	}
	return kernel.Created{ID: int64(wanted.ID)}, u.Ledger().Touch(u.Site.ID, port.AspectSettings)
}

// remove deletes a target with its runs. The portal keeps what it has.
func (u unit) remove(in TargetPath) (kernel.None, error) {
	t, err := u.target(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	runs, err := u.TargetRuns().Of(u.Site.ID, t.ID, 0, operator.MaxTargetRuns)
	if err != nil {
		return kernel.None{}, err
	}
	for _, run := range runs {
		if err := u.TargetRuns().Delete(u.Site.ID, run.ID); err != nil {
			return kernel.None{}, err
		}
	}
	if err := u.PublicationTargets().Delete(u.Site.ID, t.ID); err != nil {
		return kernel.None{}, err
	}
	u.Changed(stateOf(t), targetState{})
	return kernel.None{}, u.Ledger().Touch(u.Site.ID, port.AspectSettings)
}
