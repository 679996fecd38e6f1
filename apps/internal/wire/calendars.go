package wire

import (
	"github.com/vitrine-crm/vitrine/adapters/ical"
	"github.com/vitrine-crm/vitrine/core/feed"
)

// calendars writes calendar feeds as iCalendar.
type calendars struct{}

func (calendars) Calendar(c feed.Calendar) ([]byte, error) { return ical.Calendar(c) }

func (calendars) FreeBusy(f feed.FreeBusy) ([]byte, error) { return ical.FreeBusy(f) }
