package alerts

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	// silentAfter is how long a source or a portal may be without a good file, and an installation that has
	// backups without one.
	silentAfter = 48 * time.Hour
	// endsWithin is how long before and after its end a key or a secret is told of.
	endsWithin = 7 * 24 * time.Hour
	// failingFor is the time of whose requests failing clients are found, errorsFor that for errors.
	failingFor = time.Hour
	errorsFor  = 10 * time.Minute
	// fewErrors is how many errors are nothing to tell of, and errorShare the part of all requests above
	// which errors are, in per cent.
	fewErrors  = 10
	errorShare = 1
)

// cause is a line of the table of causes.
type cause struct {
	name     alert.Cause
	severity alert.Severity
	// sees are the powers one of which it takes to see what the cause is about.
	sees operator.Powers
	// ofClient reports that the subject names a client.
	ofClient bool
	// read adds what is found of the cause, by subject and with what its words are filled with.
	read func(*look, find) error
	// words say what is wrong, mend what to do about it; page is where the console shows it.
	words func(args []string) fault.Text
	mend  fault.Text
	page  func(alert.Key) string
}

// find adds a condition.
type find func(of site.ID, subject string, args ...string)

// causes is the table of causes.
var causes = []cause{
	{
		name: Suspended, severity: alert.Critical, read: suspendedWebhooks,
		words: func(a []string) fault.Text {
			return fault.Textf("webhook %s of site %s, to %s, is suspended: %s", a[0], a[1], a[2], fault.Read(a[3]))
		},
		mend: fault.Textf("See to it that the receiver accepts events again, then resume the webhook: what it missed is sent."),
		page: func(k alert.Key) string { return "/webhooks/" + k.Subject },
	},
	{
		name: "client-failing", severity: alert.Warning, read: failingClients,
		sees: operator.SeeRequests, ofClient: true,
		words: func(a []string) fault.Text {
			if a[1] == "" {
				return fault.Textf("client %s fails to sign in: %s times since %s", a[0], a[2], a[3])
			}
			return fault.Textf("client %s is mostly refused at site %s: %s of its %s requests of the last hour", a[0], a[1], a[2], a[3])
		},
		mend: fault.Textf("Look at what it is answered, and tell whoever runs the client."),
		page: func(k alert.Key) string {
			query := url.Values{"credential": {k.Subject}, "status": {"4"}}
			if k.Site == 0 {
				query.Set("which", "sign-ins")
			}
			return "/requests?" + query.Encode()
		},
	},
	{
		name: "server-errors", severity: alert.Critical, read: serverErrors,
		sees: operator.SeeRequests,
		words: func(a []string) fault.Text {
			return fault.Textf("the server failed at %s of %s requests of the last 10 minutes", a[0], a[1])
		},
		mend: fault.Textf("Look for lines with the level ERROR in the log of the server: they have the cause."),
		page: func(alert.Key) string { return "/requests?status=5" },
	},
	{
		name: "import-source", severity: alert.Warning, read: sources,
		sees: operator.ManageImports,
		words: func(a []string) fault.Text {
			if a[3] == "" {
				return fault.Textf("import source %s of site %s has brought no good file since %s", a[0], a[1], a[2])
			}
			return fault.Textf("import source %s of site %s fails: %s", a[0], a[1], fault.Read(a[3]))
		},
		mend: fault.Textf("See to it that the source has a good file; pause a source that is not needed."),
		page: func(k alert.Key) string { return "/import-sources/" + k.Subject },
	},
	{
		name: "publication-target", severity: alert.Warning, read: targets,
		sees: operator.ManageImports,
		words: func(a []string) fault.Text {
			if a[3] == "" {
				return fault.Textf("portal %s of site %s has got no file since %s", a[0], a[1], a[2])
			}
			return fault.Textf("portal %s of site %s does not get its file: %s", a[0], a[1], fault.Read(a[3]))
		},
		mend: fault.Textf("See to it that the portal takes files; pause one that is not needed."),
		page: func(k alert.Key) string { return "/publication-targets/" + k.Subject },
	},
	{
		name: "backup", severity: alert.Critical, read: backups,
		sees: operator.ManageAlerts,
		words: func(a []string) fault.Text {
			if a[1] == "" {
				return fault.Textf("there has been no backup since %s", a[0])
			}
			return fault.Textf("the backup failed: %s", fault.Verbatim(a[1]))
		},
		mend: fault.Textf("See what vitrine backup says, and whether it is still run: its last good file stays."),
		page: func(alert.Key) string { return "/alerts" },
	},
	{
		name: "secret-ends", severity: alert.Warning, read: endingSecrets,
		sees: operator.ManageCredentials, ofClient: true,
		words: func(a []string) fault.Text {
			if a[0] == "" {
				return fault.Textf("the former secret of client %s ends on %s", a[1], a[2])
			}
			return fault.Textf("API key %s of client %s ends on %s", a[0], a[1], a[2])
		},
		mend: fault.Textf("Give the client another one in time, or revoke the one that is not needed."),
		page: func(k alert.Key) string { return "/credentials/" + url.PathEscape(clientOf(k.Subject)) },
	},
}

// pageOf returns where the console shows a condition, below its prefix: for the site that it is about, or
// for all of them.
func (c cause) pageOf(k alert.Key) string {
	page, joint, of := c.page(k), "?", "all"
	if strings.Contains(page, "?") {
		joint = "&"
	}
	if k.Site != 0 {
		of = strconv.FormatInt(int64(k.Site), 10)
	}
	return page + joint + "site=" + of
}

// causeOf returns the line of a cause; a cause of a later version has no words of its own.
func causeOf(name alert.Cause) cause {
	for _, c := range causes {
		if c.name == name {
			return c
		}
	}
	return cause{name: name, words: func([]string) fault.Text { return fault.Verbatim(string(name)) }, page: func(alert.Key) string { return "/" }}
}

// look is what conditions are found in.
type look struct {
	kernel.Unit
	clients []access.Credential
	sites   []site.Site
	// counts are those of the last hour by site; site 0 has the requests of which the site is not known.
	// unread is why they could not be read.
	counts map[site.ID][]trace.Count
	unread error
}

// errUnread is what causes fail with that cannot be looked at now; what stands of them stays.
var errUnread = errors.New("cannot be looked at now")

// siteIs returns a site as words name it.
func siteIs(s site.Site) string { return strconv.FormatInt(int64(s.ID), 10) + " " + s.Name }

// named returns the site with an id as words name it.
func (l *look) named(id site.ID) string {
	for _, s := range l.sites {
		if s.ID == id {
			return siteIs(s)
		}
	}
	return strconv.FormatInt(int64(id), 10)
}

// Suspended is the cause about webhooks that receive nothing.
const Suspended alert.Cause = "webhook-suspended"

// SuspendedKey returns the key of what stands while a webhook is suspended.
func SuspendedKey(w webhook.Webhook) alert.Key {
	return alert.Key{Cause: Suspended, Site: w.Site, Subject: strconv.FormatInt(int64(w.ID), 10)}
}

func suspendedWebhooks(l *look, found find) error {
	for _, s := range l.sites {
		hooks, err := l.Webhooks().Of(s.ID)
		if err != nil {
			return err
		}
		for _, w := range hooks {
			if w.State == webhook.Suspended {
				id := SuspendedKey(w).Subject
				found(s.ID, id, id, siteIs(s), hostOf(w.URL), w.SuspendedReason)
			}
		}
	}
	return nil
}

// hostOf returns the host of an address, the rest of which may be secret.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// traffic returns the counts of the last hour by site.
func (s *Service) traffic(ctx context.Context) (map[site.ID][]trace.Count, error) {
	if s.k.Traffic == nil {
		return nil, nil
	}
	ids := []site.ID{0}
	err := s.k.Store.View(ctx, func(tx port.Tx) error {
		all, err := tx.Sites().All()
		ids = ids[:1]
		for _, of := range all {
			ids = append(ids, of.ID)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	counts, now := map[site.ID][]trace.Count{}, s.k.Moment()
	for _, id := range ids {
		counts[id], err = s.k.Traffic.Counts(ctx, id, time.Minute, now.Add(-failingFor).Truncate(time.Minute), now.Add(time.Minute))
		if err != nil {
			return nil, errors.Join(errUnread, err)
		}
	}
	return counts, nil
}

func failingClients(l *look, found find) error {
	if l.unread != nil {
		return l.unread
	}
	known := map[access.CredentialID]bool{}
	for _, c := range l.clients {
		known[c.ID] = true
	}
	answered := map[access.CredentialID]time.Time{}
	for id, of := range l.counts {
		if id == 0 {
			continue
		}
		trace.LastAnswered(answered, of)
		for _, b := range trace.Balances(of) {
			if known[b.Credential] && b.Failing() {
				found(id, string(b.Credential), string(b.Credential), l.named(id), strconv.FormatInt(b.Refused, 10), strconv.FormatInt(b.Refused+b.Answered, 10))
			}
		}
	}
	for _, f := range trace.FailingSignIns(l.counts[0], answered) {
		if known[f.Credential] {
			found(0, string(f.Credential), string(f.Credential), "", strconv.FormatInt(f.N, 10), alert.Moment(f.Since))
		}
	}
	return nil
}

func serverErrors(l *look, found find) error {
	if l.unread != nil {
		return l.unread
	}
	var failed, all int64
	for _, of := range l.counts {
		for _, c := range of {
			if c.Start.Before(l.Now.Add(-errorsFor)) {
				continue
			}
			if all += c.N; c.Class == 5 {
				failed += c.N
			}
		}
	}
	if failed >= fewErrors && failed*100 > all*errorShare {
		found(0, "", strconv.FormatInt(failed, 10), strconv.FormatInt(all, 10))
	}
	return nil
}

func sources(l *look, found find) error {
	all, err := l.ImportSources().All()
	for _, s := range all {
		if !s.Settings.Paused && (s.State.Problem != "" || l.Now.Sub(s.State.LastGood()) > silentAfter) {
			found(s.Site, strconv.FormatInt(int64(s.ID), 10), s.Name, l.named(s.Site), alert.Moment(s.State.LastGood()), s.State.Problem)
		}
	}
	return err
}

func targets(l *look, found find) error {
	all, err := l.PublicationTargets().All()
	for _, t := range all {
		if !t.Settings.Paused && (t.State.Problem != "" || l.Now.Sub(t.State.LastGood()) > silentAfter) {
			found(t.Site, strconv.FormatInt(int64(t.ID), 10), t.Name, l.named(t.Site), alert.Moment(t.State.LastGood()), t.State.Problem)
		}
	}
	return err
}

// backups finds an installation whose backups have ended. Where none was ever made by vitrine backup, there may be others.
func backups(l *look, found find) error {
	board, err := l.Alerts().Board()
	if b := board.Backup; b.Problem != "" || !b.Last.IsZero() && l.Now.Sub(b.Last) > silentAfter {
		found(0, "", alert.Moment(b.Last), b.Problem)
	}
	return err
}

// NoteBackup stores how a backup ended: well, or with a problem.
func NoteBackup(ctx context.Context, store port.Store, at time.Time, problem string) error {
	return store.Update(ctx, func(tx port.Tx) error {
		board, err := tx.Alerts().Hold()
		if err != nil {
			return err
		}
		if board.Backup.Problem = problem; problem == "" {
			board.Backup.Last = at
		}
		return tx.Alerts().PutBoard(board)
	})
}

// ofClient separates the key from the client in the subject of a key.
const ofClient = " of "

// clientOf returns the client in the subject of a key or a secret.
func clientOf(subject string) string {
	if _, client, of := strings.Cut(subject, ofClient); of {
		return client
	}
	return subject
}

func endingSecrets(l *look, found find) error {
	ends := func(at time.Time) bool { return at.Sub(l.Now) < endsWithin && l.Now.Sub(at) < endsWithin }
	for _, c := range l.clients {
		if c.Disabled || c.Revoked() {
			continue
		}
		if c.Former.Hash != "" && ends(c.Former.Until) && l.Now.Before(c.Former.Until) {
			found(0, string(c.ID), "", string(c.ID), alert.Moment(c.Former.Until))
		}
		keys, err := l.Keys().OfCredential(c.ID)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if !k.Expires.IsZero() && !k.Revoked() && ends(k.Expires) {
				id := strconv.FormatInt(int64(k.ID), 10)
				found(k.Site, id+ofClient+string(c.ID), cmp.Or(k.Name, id), string(c.ID), alert.Moment(k.Expires))
			}
		}
	}
	return nil
}
