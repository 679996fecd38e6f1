package transfer

import (
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// SourceState is what the audit says of the settings of a source. Of an address it has no password.
type SourceState struct {
	Name, Place string
	operator.SourceSettings
}

func sourceState(s operator.ImportSource) SourceState {
	state := SourceState{Name: s.Name, Place: s.Settings.Place(), SourceSettings: s.Settings}
	state.Location = operator.Location{}
	return state
}

// saveSource stores a source. Its address keeps what is not shown of it, as operator.Location.With says.
func (u importUnit) saveSource(in SetupImportSource) (made kernel.Created, err error) {
	var before operator.ImportSource
	known := SourceState{}
	if in.ID != 0 {
		if before, err = u.ownSource(in.ID); err != nil {
			return made, err
		}
		known = sourceState(before)
	} else {
		id, err := kernel.FreeID(u, port.ImportIDs, func(id operator.ImportSourceID) (operator.ImportSource, error) {
			return u.ImportSources().Get(u.Site.ID, id)
		})
		if err != nil {
			return made, err
		}
		before = newSource(u.Unit, id)
	}
	if in.URL != "" {
		in.URL = before.Settings.With(in.URL).URL
	}
	wanted, err := in.source(before, u.Scope.Has, u.Now)
	if err != nil {
		return made, err
	}
	u.About("import source " + strconv.FormatInt(int64(wanted.ID), 10))
	u.Changed(known, sourceState(wanted))
	return kernel.Created{ID: int64(wanted.ID)}, u.ImportSources().Put(wanted)
}

// ownSource returns a source all of whose agencies are in scope.
func (u importUnit) ownSource(id int64) (operator.ImportSource, error) {
	s, err := u.source(id)
	for _, agency := range s.Settings.AllAgencies() {
		if err == nil {
			err = u.Sees(agency)
		}
	}
	return s, err
}

func (u importUnit) deleteSource(in ImportSourcePath) (kernel.None, error) {
	s, err := u.ownSource(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	u.Changed(sourceState(s), SourceState{})
	return kernel.None{}, u.ImportSources().Delete(u.Site.ID, s.ID)
}
