package alerts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
)

func alertPages() []kit.Page {
	const one = "/alerts/channels/{id}"
	manages := operator.ManageAlerts
	return []kit.Page{
		{
			Path: "/alerts", Siteless: true, Title: "Alerts", Template: "alerts", Show: showAlerts, Powers: manages,
			Menu: &kit.Menu{Section: kit.Network, Label: "Alerts", Icon: "bell", Badge: countAlerts},
		},
		{Path: "/alerts/silence", Siteless: true, Do: silenceAlert, On: "/alerts", Powers: manages},
		{Path: "/alerts/channels/new", Siteless: true, Title: "New channel", Template: "form", Show: showNewChannel, Do: createChannel, Under: "/alerts", Powers: manages},
		{Path: one + "/edit", Siteless: true, Title: "Edit channel", Template: "form", Show: showEditChannel, Do: updateChannel, Under: "/alerts", Powers: manages},
		{Path: one + "/test", Siteless: true, Do: testChannel, On: "/alerts", Powers: manages},
		{Path: one + "/delete", Siteless: true, Do: deleteChannel, On: "/alerts", Powers: manages},
	}
}

// countAlerts counts what stands and is not silent.
func countAlerts(v *kit.Request) (n int, err error) {
	o, err := v.Backoffice.ListAlerts(v.Ctx, v.Actor, kernel.Nothing{})
	for _, s := range o.Standing {
		if !s.Silent(v.Time) {
			n++
		}
	}
	return n, err
}

// alertsPage is what stands, and who is told of it.
type alertsPage struct {
	Form       *kit.Form
	Rows       []alertRow
	Nothing    kit.Empty
	MayTell    bool
	Channels   []channelRow
	NoChannels kit.Empty
}

type alertRow struct {
	// Cause, Site and Subject name the alert.
	Cause, Subject    string
	Site              int64
	State             kit.State
	Words, Mend, Href string
	Since             kit.Moment
	// Silence says how long nothing is told, empty where something is.
	Silence string
}

type channelRow struct {
	ID               int64
	Address, Problem string
	// Kind, Least and Digest are codes, shown as words.
	Kind, Least, Digest, Signs kit.Text
	Sent                       kit.Moment
	State                      kit.State
}

func showAlerts(v *kit.Request) (any, error) {
	o, err := v.Backoffice.ListAlerts(v.Ctx, v.Actor, kernel.Nothing{})
	p := alertsPage{
		Form: v.Form(), MayTell: v.Actor.Operator.Everywhere,
		Nothing:    kit.Empty{Title: "No open alerts", Text: "Suspended webhooks, failing clients, errors, failing sources, portals and backups, and keys that end soon appear here within a minute."},
		NoChannels: kit.Empty{Title: "Nobody is notified", Text: "A channel is a mailbox, or an address that gets a POST."},
	}
	for _, s := range o.Standing {
		p.Rows = append(p.Rows, newAlertRow(v, s))
	}
	for _, c := range o.Channels {
		p.Channels = append(p.Channels, newChannelRow(v, c))
	}
	return p, err
}

func newAlertRow(v *kit.Request, s alerts.Stands) alertRow {
	row := alertRow{
		Cause: string(s.Cause), Subject: s.Subject, Site: int64(s.Site), Words: s.Words.In(v.API), Mend: s.Mend.In(v.API), Since: v.When(s.Since),
		State: StateOf(s.Severity), Href: v.Prefix + s.Page,
	}
	switch {
	case s.SilentUntilOver:
		row.Silence = v.Say("silent until it is over")
	case s.Silent(v.Time):
		row.Silence = v.Say("silent for %s", v.Span(s.SilentUntil.Sub(v.Time)))
	}
	return row
}

// StateOf returns a severity as a state.
func StateOf(s alert.Severity) kit.State {
	if s == alert.Critical {
		return kit.State{Tone: kit.Broken, Word: kit.Text(s)}
	}
	return kit.State{Tone: kit.Wanted, Word: kit.Text(s)}
}

func newChannelRow(v *kit.Request, c alert.Channel) channelRow {
	row := channelRow{
		ID: int64(c.ID), Kind: kit.Text(c.Kind), Address: c.Address, Least: kit.Text(c.Least), Digest: kit.Text(c.Digest), Problem: v.Read(c.State.Problem), Sent: v.When(c.State.Sent),
		State: kit.State{Tone: kit.Well, Word: "OK"},
	}
	if c.Secret != "" {
		row.Signs = "signed"
	}
	switch {
	case row.Problem != "":
		row.State = kit.State{Tone: kit.Broken, Word: "failing"}
	case c.State.Sent.IsZero():
		row.State = kit.State{Tone: kit.Told, Word: "not tested"}
	}
	return row
}

func silenceAlert(v *kit.Request) (kit.Done, error) {
	of, err := strconv.ParseInt(v.Sent("of"), 10, 64)
	if err != nil {
		of = int64(v.SiteID)
	}
	in := alerts.Silence{Key: alert.Key{Cause: alert.Cause(v.Sent("cause")), Site: site.ID(of), Subject: v.Sent("subject")}}
	said := kit.Text("No alert is sent until it is over.")
	switch hours := v.Sent("hours"); hours {
	case "over":
	case "none":
		in.Until, said = v.Time, "Its alerts are sent again."
	default:
		n, _ := strconv.Atoi(hours) // 0 ends a silence
		in.Until, said = v.Time.Add(time.Duration(n)*time.Hour), kit.Text(v.Say("No alert is sent for %d h.", n))
	}
	_, err = v.Backoffice.SilenceAlert(v.Ctx, v.Actor, in)
	return kit.Went("alerts").Saying(said), err
}

// forAllSites refuses operators who are not for all sites.
func forAllSites(v *kit.Request) error {
	if !v.Actor.Operator.Everywhere {
		return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "your role does not hold for this site")
	}
	return nil
}

func showNewChannel(v *kit.Request) (any, error) {
	return channelForm(v, alert.Channel{Kind: alert.Webhook, Least: alert.Warning, Digest: alert.AtOnce}), forAllSites(v)
}

func showEditChannel(v *kit.Request) (any, error) {
	id, err := v.ID("id")
	if err != nil {
		return nil, err
	}
	o, err := v.Backoffice.ListAlerts(v.Ctx, v.Actor, kernel.Nothing{})
	for _, c := range o.Channels {
		if c.ID == alert.ChannelID(id) {
			return channelForm(v, c), nil
		}
	}
	return nil, cmp.Or(err, forAllSites(v), kernel.Unknown("no channel has this id"))
}

// channelForm is the form that makes a channel, and changes one that has an id: its kind stays.
func channelForm(v *kit.Request, c alert.Channel) kit.FormPage {
	f, language := v.Form(), "en"
	if c.French {
		language = "fr"
	}
	p := kit.FormPage{
		Form: f, Heading: v.Say("New channel"), Button: "Make it", Back: v.Link("alerts"), BackLabel: v.Say("Alerts"), Action: v.Action("alerts", "channels", "new"),
		Fields: []kit.Field{
			f.One("kind", "Kind", "", string(alert.Mail), kit.Words(v.Language, []alert.ChannelKind{alert.Mail, alert.Webhook})),
			f.Text("address", "Address", "A mailbox, or a URL that gets a POST with JSON.", c.Address).MustFill(),
			f.One("least", "Least severity", "", string(c.Least), kit.Words(v.Language, alert.Severities())),
			f.One("digest", "How often", "Digests are sent at the full hour, and at 06:00 UTC.", string(c.Digest), kit.Words(v.Language, alert.Digests())),
			f.One("language", "Language", "", language, []kit.Choice{{Value: "en", Label: v.Say("English")}, {Value: "fr", Label: v.Say("French")}}),
		},
	}
	var signed []string
	signs := []kit.Choice{{Value: "yes", Label: v.Say("Sign what a webhook gets"), Hint: v.Say("The secret is shown once.")}}
	if c.ID != 0 {
		p.Heading, p.Button, p.Action, p.Fields = v.Say("Edit channel"), "Save", v.Action("alerts", "channels", c.ID, "edit"), p.Fields[1:]
	}
	if c.Secret != "" {
		signed = []string{"yes"}
		signs[0].Hint = v.Say("The secret stays as it is.")
		signs = append(signs, kit.Choice{Value: "anew", Label: v.Say("Draw a new secret"), Hint: v.Say("The secret is shown once.")})
	}
	if c.Kind == alert.Webhook {
		p.Fields = append(p.Fields, f.Some("signed", "Signature", signed, signs))
	}
	return p
}

// channelInput reads this form.
func channelInput(v *kit.Request) alerts.ChannelInput {
	return alerts.ChannelInput{
		Kind: v.Sent("kind"), Address: strings.TrimSpace(v.Sent("address")), Least: v.Sent("least"), Digest: v.Sent("digest"),
		Signed: v.Sent("signed") != "", French: v.Sent("language") == "fr",
	}
}

func createChannel(v *kit.Request) (kit.Done, error) {
	made, err := v.Backoffice.CreateAlertChannel(v.Ctx, v.Actor, channelInput(v))
	done := kit.Went("alerts")
	if made.Secret != "" {
		return done.Showing("The channel is created. Test it. This is what it signs with.", made.Secret, kit.KeepIt), err
	}
	return done.Saying("The channel is created. Test it."), err
}

func updateChannel(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	anew := slices.Contains(v.HTTP.PostForm["signed"], "anew")
	saved, err := v.Backoffice.UpdateAlertChannel(v.Ctx, v.Actor, alerts.UpdateChannel{ID: id, ChannelInput: channelInput(v), NewSecret: anew})
	done := kit.Went("alerts")
	if saved.Secret != "" {
		return done.Showing("The channel is changed. This is what it signs with.", saved.Secret, kit.KeepIt), err
	}
	return done.Saying("The channel is changed."), err
}

func testChannel(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	r, err := v.Backoffice.TestAlertChannel(v.Ctx, v.Actor, alerts.ChannelPath{ID: id})
	answer := cmp.Or(v.Read(r.Answer), v.Say("no text in the answer"))
	said := v.Say("The test was not accepted: %s", answer)
	if r.Taken {
		said = v.Say("The test was accepted: %s", answer)
	}
	return kit.Went("alerts").Saying(kit.Text(said)), err
}

func deleteChannel(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.DeleteAlertChannel(v.Ctx, v.Actor, alerts.ChannelPath{ID: id})
	return kit.Went("alerts").Saying("The channel is deleted."), err
}
