package wire

import (
	"github.com/vitrine-crm/vitrine/adapters/ical"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
)

// calendars writes calendar feeds as iCalendar.
type calendars struct{}

func (calendars) Calendar(c planning.FeedCalendar) ([]byte, error) { return ical.Calendar(c) }

func (calendars) FreeBusy(f planning.FreeBusy) ([]byte, error) { return ical.FreeBusy(f) }
