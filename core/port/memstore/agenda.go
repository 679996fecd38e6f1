package memstore

import (
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Calendars: units that write take turns, so everything is held.
func (t tx) Calendars() port.Calendars { return calendars(t) }

type calendars struct{ *unit }

func (r calendars) Hold(site.ID, []site.UserID) error { return r.writing() }
