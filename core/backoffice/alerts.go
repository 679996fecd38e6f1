package backoffice

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
)

// alertOperations returns the lines of the table about what stands. Channels hear of all sites: they are
// for operators of all sites.
func (s *Service) alertOperations(a *API) []Operation {
	channelOf := func(in alerts.ChannelPath) string { return about("alert channel", in.ID) }
	return []Operation{
		op(s, &a.ListAlerts, Operation{ID: "alert.list", Summary: "List open alerts and channels", Powers: operator.ManageAlerts}, nil, s.listAlerts),
		op(s, &a.SilenceAlert, Operation{ID: "alert.silence", Summary: "Silence an alert", Powers: operator.ManageAlerts, Audited: true},
			func(in alerts.Silence) string { return "alert " + string(in.Key.Cause) }, s.silenceAlert),
		op(s, &a.CreateAlertChannel, Operation{ID: "alert-channel.create", Summary: "Create a channel of alerts", Powers: operator.ManageAlerts, Audited: true},
			func(alerts.ChannelInput) string { return "alert channel" }, ofInstallation(s.site.Alerts.CreateChannel)),
		op(s, &a.UpdateAlertChannel, Operation{ID: "alert-channel.update", Summary: "Change a channel", Powers: operator.ManageAlerts, Audited: true},
			func(in alerts.UpdateChannel) string { return about("alert channel", in.ID) }, ofInstallation(s.site.Alerts.UpdateChannel)),
		op(s, &a.TestAlertChannel, Operation{ID: "alert-channel.test", Summary: "Send a test to a channel", Powers: operator.ManageAlerts, Audited: true}, channelOf, ofInstallation(s.site.Alerts.TestChannel)),
		op(s, &a.DeleteAlertChannel, Operation{ID: "alert-channel.delete", Summary: "Delete a channel of alerts", Powers: operator.ManageAlerts, Audited: true}, channelOf, ofInstallation(s.site.Alerts.DeleteChannel)),
	}
}

// ofInstallation returns a use case about no single site, for operators of all sites.
func ofInstallation[In, Out any](use kernel.UseCase[In, Out]) UseCase[In, Out] {
	return func(ctx context.Context, a Actor, in In) (Out, error) {
		if !a.Operator.Everywhere {
			var none Out
			return none, outOfReach()
		}
		return use(ctx, kernel.Caller{}.Audited(a.note), in)
	}
}

// seesAlert reports whether an actor sees what is about a site; 0 is all of them.
func seesAlert(a Actor, k alert.Key) bool {
	return a.Operator.Everywhere || k.Site != 0 && a.Operator.Reaches(k.Site)
}

// listAlerts leaves out what is about sites that the actor does not reach, and the channels unless it reaches all.
func (s *Service) listAlerts(ctx context.Context, a Actor, in kernel.Nothing) (alerts.Overview, error) {
	o, err := s.site.Alerts.List(ctx, kernel.Caller{}, in)
	o.Standing = slices.DeleteFunc(o.Standing, func(st alerts.Stands) bool { return !seesAlert(a, st.Key) })
	if !a.Operator.Everywhere {
		o.Channels = nil
	}
	return o, err
}

func (s *Service) silenceAlert(ctx context.Context, a Actor, in alerts.Silence) (kernel.None, error) {
	if !seesAlert(a, in.Key) {
		return kernel.None{}, outOfReach()
	}
	return s.site.Alerts.Silence(ctx, kernel.Caller{}.Audited(a.note), in)
}
