package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	imported "github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
)

// mailbox is a mail server that keeps what it takes, and refuses as often as it is told.
type mailbox struct {
	net.Listener
	mu       sync.Mutex
	mails    []string
	refuses  int
	accepted func()
}

func newMailbox(t *testing.T) *mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &mailbox{Listener: listener}
	t.Cleanup(func() { _ = m.Close() })
	go func() {
		for {
			c, err := m.Accept()
			if err != nil {
				return
			}
			go m.serve(c)
		}
	}()
	return m
}

// serve speaks SMTP as far as a sender of mail needs it.
func (m *mailbox) serve(c net.Conn) {
	defer c.Close()
	say := func(reply string) { fmt.Fprintf(c, "%s\r\n", reply) }
	lines := textproto.NewReader(bufio.NewReader(c))
	say("220 mail.example.org")
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.ToUpper(line), " "); verb {
		case "DATA":
			say("354 go on")
			text, _ := lines.ReadDotBytes()
			say(m.take(string(text)))
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 mail.example.org")
		}
	}
}

func (m *mailbox) take(text string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mails = append(m.mails, text)
	if m.refuses > 0 {
		m.refuses--
		return "451 come back later"
	}
	if m.accepted != nil {
		m.accepted()
	}
	return "250 queued as 7"
}

// taken returns the mails since it was last asked.
func (m *mailbox) taken() (mails []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	mails, m.mails = m.mails, nil
	return mails
}

// hookbox is a receiver of webhooks that verifies what it gets.
type hookbox struct {
	*httptest.Server
	mu     sync.Mutex
	secret webhook.Secret
	told   []string
}

func newHookbox(t *testing.T) *hookbox {
	t.Helper()
	h := &hookbox{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		signed := webhook.Signed{ID: r.Header.Get("webhook-id"), Timestamp: r.Header.Get("webhook-timestamp"), Signature: r.Header.Get("webhook-signature")}
		if err := h.secret.Verify(signed, body, time.Now()); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		var message struct {
			Test   bool
			Alerts []struct{ State, Cause, Subject, Mend string }
		}
		if err := json.Unmarshal(body, &message); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, a := range message.Alerts {
			h.told = append(h.told, a.State+" "+a.Cause)
		}
		_, _ = io.WriteString(w, "thank you")
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hookbox) taken() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	told := h.told
	h.told = nil
	slices.Sort(told)
	return strings.Join(told, ", ")
}

// alerted is a world that tells of what stands.
type alerted struct {
	*world
	t       *testing.T
	ports   kernel.Ports
	mailbox *mailbox
	hookbox *hookbox
}

// anyLoopback has webhooks of this machine.
var anyLoopback = config.Hooks{Allow: "127.0.0.0/8:*", AllowHTTP: true, Timeout: 10 * time.Second}

func newAlerted(t *testing.T, engine string) alerted {
	t.Helper()
	w := alerted{withOwnStore(t, engine), t, kernel.Ports{}, newMailbox(t), newHookbox(t)}
	w.ports = w.world.ports
	if w.ports.Traffic == nil {
		log := memstore.NewRequestLog()
		w.ports.Requests, w.ports.Traffic = log, log
	}
	var err error
	if w.ports.Messenger, err = wire.NewMessenger(
		config.Mailing{SMTPURL: "smtp://" + w.mailbox.Addr().String(), MailFrom: "Vitrine <vitrine@example.org>"},
		anyLoopback,
	); err != nil {
		t.Fatal(err)
	}
	return w
}

// process is another process over the same store.
func (w alerted) process() *siteapi.Service {
	w.t.Helper()
	allowance, err := anyLoopback.Allowance()
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := siteapi.New(w.ports, kernel.Options{Pepper: make([]byte, 32), Hooks: allowance})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// channels makes a channel of each kind.
func (w alerted) channels() (mail, hook alert.ChannelID) {
	w.t.Helper()
	made := func(in alerts.ChannelInput) alerts.SavedChannel {
		c, err := w.process().Alerts.CreateChannel(w.t.Context(), kernel.Caller{}, in)
		if err != nil {
			w.t.Fatal(err)
		}
		return c
	}
	mail = made(alerts.ChannelInput{Kind: "mail", Address: "a.martin@example.org", Least: "warning", Digest: "at once"}).ID
	signed := made(alerts.ChannelInput{Kind: "webhook", Address: w.hookbox.URL, Least: "warning", Digest: "at once", Signed: true})
	w.hookbox.secret = webhook.Secret(signed.Secret)
	return mail, signed.ID
}

// runs has a new process work, some time later, until so many jobs have ended, and returns how.
func (w alerted) runs(later time.Duration, jobs int) string {
	w.t.Helper()
	w.clock.advance(later)
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	var mu sync.Mutex
	var outcomes []string
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	w.process().Alerts.Run(ctx, "https://crm.example.org/console", lease.Options{
		Tick: tick.C, Trouble: func(err error) { w.t.Error(err) },
		Ended: func(outcome string) {
			mu.Lock()
			defer mu.Unlock()
			if outcomes = append(outcomes, outcome); len(outcomes) == jobs {
				cancel()
			}
		},
	})
	slices.Sort(outcomes)
	return strings.Join(outcomes, " ")
}

func (w alerted) write(unit func(port.Tx) error) {
	w.t.Helper()
	if err := w.store.Update(w.t.Context(), unit); err != nil {
		w.t.Fatal(err)
	}
}

// noteBackup notes how a backup ended.
func (w alerted) noteBackup(problem string) {
	w.t.Helper()
	if err := alerts.NoteBackup(w.t.Context(), w.store, w.clock.now().UTC(), problem); err != nil {
		w.t.Fatal(err)
	}
}

// client returns a client of the API.
func (w alerted) client() (id access.CredentialID) {
	w.t.Helper()
	if err := w.store.View(w.t.Context(), func(tx port.Tx) error {
		all, err := tx.Credentials().All()
		for _, c := range all {
			if !c.Disabled && !c.Revoked() {
				id = c.ID
			}
		}
		return err
	}); err != nil || id == "" {
		w.t.Fatal(id, err)
	}
	return id
}

// troubles are ways to make each cause happen, and to mend it.
func (w alerted) troubles() map[string]struct{ happen, mend func() } {
	hook := webhook.Webhook{ID: 900, Site: 1, URL: "https://x.example.org/secret", CreatedBy: "full"}
	source := imported.ImportSource{ID: 900, Site: 1, Name: "Nantes", Settings: imported.SourceSettings{Every: time.Hour}}
	target := imported.PublicationTarget{ID: 900, Site: 1, Name: "Portail", Settings: imported.TargetSettings{Every: time.Hour}}
	client := w.client()
	key := access.Key{ID: 900, Site: 1, Credential: client, Name: "nightly", Hash: "900"}
	counted := func(of site.ID, by access.CredentialID, class int, n int64) func() {
		return func() {
			c := trace.Count{Kind: trace.Kind{Site: of, Operation: "product.search", Credential: by, Class: class}, Start: w.clock.now().Truncate(time.Minute), Width: time.Minute, Tally: trace.Tally{N: n}}
			if err := w.ports.Traffic.Count(w.t.Context(), []trace.Count{c}, nil); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	return map[string]struct{ happen, mend func() }{
		"webhook-suspended": {
			func() {
				w.write(func(tx port.Tx) error {
					return tx.Webhooks().Put(hook.Suspend("answered 500", w.clock.now().UTC().Truncate(time.Second)))
				})
			},
			func() { w.write(func(tx port.Tx) error { return tx.Webhooks().Put(hook) }) },
		},
		"client-failing": {counted(1, client, 4, 25), counted(1, client, 2, 500)},
		"server-errors":  {counted(1, "", 5, 12), func() { w.clock.advance(time.Hour) }},
		"backup": {
			func() { w.noteBackup("no space left on device") },
			func() { w.noteBackup("") },
		},
		"import-source": {
			func() {
				source.State = imported.SourceState{Added: w.clock.now().UTC().Truncate(time.Second), Problem: "the server answers 404"}
				w.write(func(tx port.Tx) error { return tx.ImportSources().Put(source) })
			},
			func() {
				source.State.Problem = ""
				w.write(func(tx port.Tx) error { return tx.ImportSources().Put(source) })
			},
		},
		"publication-target": {
			func() {
				target.State = imported.TargetState{Added: w.clock.now().Add(-72 * time.Hour).UTC().Truncate(time.Second)}
				w.write(func(tx port.Tx) error { return tx.PublicationTargets().Put(target) })
			},
			func() {
				target.Settings.Paused = true
				w.write(func(tx port.Tx) error { return tx.PublicationTargets().Put(target) })
			},
		},
		"secret-ends": {
			func() {
				key.Expires = w.clock.now().Add(72 * time.Hour).UTC().Truncate(time.Second)
				w.write(func(tx port.Tx) error { return tx.Keys().Put(key) })
			},
			func() {
				key.RevokedAt = w.clock.now().UTC().Truncate(time.Second)
				w.write(func(tx port.Tx) error { return tx.Keys().Put(key) })
			},
		},
	}
}

// Each process of this test ends before the next one begins.
func TestEachCauseIsToldOnceAndIsOverOnce(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := newAlerted(t, engine)
		w.channels()
		troubles := w.troubles()
		w.runs(2*time.Minute, 1) // what the world has anyway is not meant
		w.runs(2*time.Minute, 1)
		w.mailbox.taken()
		w.hookbox.taken()
		for cause, trouble := range troubles {
			w.tells(cause, "standing", trouble.happen)
			w.tells(cause, "over", trouble.mend)
		}
	}, onEveryStore)
}

// tells demands that a change is told once, to each channel, and that the next look tells nothing.
func (w alerted) tells(cause, state string, change func()) {
	w.t.Helper()
	change()
	if got := w.runs(2*time.Minute, 3); got != "looked sent sent" {
		w.t.Errorf("%s %s: %s", cause, state, got)
	}
	mails := w.mailbox.taken()
	if len(mails) != 1 || !strings.Contains(mails[0], "To: <a.martin@example.org>") || state == "standing" && !strings.Contains(mails[0], "What to do:") || strings.Contains(mails[0], "secret") && cause == "webhook-suspended" {
		w.t.Errorf("%s %s: %d mails: %s", cause, state, len(mails), strings.Join(mails, "\n"))
	}
	if got := w.hookbox.taken(); got != state+" "+cause {
		w.t.Errorf("%s %s: the receiver is told %q", cause, state, got)
	}
	if got := w.runs(2*time.Minute, 1); got != "looked" {
		w.t.Errorf("%s %s: the next look: %s", cause, state, got)
	}
	if mails := w.mailbox.taken(); len(mails) != 0 || w.hookbox.taken() != "" {
		w.t.Errorf("%s %s is told again: %q", cause, state, mails)
	}
}

// messageID returns the Message-ID of a mail.
func messageID(mail string) string {
	for line := range strings.Lines(mail) {
		if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Message-ID") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func TestNoAlertIsLostAndARepeatedOneHasTheSameID(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := newAlerted(t, engine)
		w.runs(2*time.Minute, 1)
		made, err := w.process().Alerts.CreateChannel(t.Context(), kernel.Caller{}, alerts.ChannelInput{Kind: "mail", Address: "a.martin@example.org", Least: "critical", Digest: "at once", French: true})
		if err != nil {
			t.Fatal(err)
		}
		w.mailbox.refuses = 2
		w.troubles()["webhook-suspended"].happen()
		var seen []string
		for _, step := range []struct {
			later time.Duration
			want  string
		}{{2 * time.Minute, "failed looked"}, {2 * time.Minute, "failed looked"}} {
			if got := w.runs(step.later, 2); got != step.want {
				t.Errorf("%s, want %s", got, step.want)
			}
			seen = append(seen, w.mailbox.taken()...)
		}
		// The server takes it, and this process ends before it can store that.
		ctx, cancel := context.WithCancel(t.Context())
		w.clock.advance(5 * time.Minute)
		w.mailbox.accepted = cancel
		w.ports.Messenger = dying{w.ports.Messenger}
		w.process().Alerts.Run(ctx, "", lease.Options{Trouble: func(err error) { t.Error(err) }})
		w.ports.Messenger = w.ports.Messenger.(dying).Messenger
		w.mailbox.accepted = nil
		seen = append(seen, w.mailbox.taken()...)
		if got := w.runs(5*time.Minute, 2); got != "looked sent" {
			t.Error(got)
		}
		seen = append(seen, w.mailbox.taken()...)
		if len(seen) != 4 {
			t.Fatalf("%d mails", len(seen))
		}
		for _, mail := range seen {
			if id := messageID(mail); id == "" || id != messageID(seen[0]) || !strings.HasSuffix(id, "@example.org>") || !strings.Contains(mail, "Depuis") {
				t.Errorf("%s", mail)
			}
		}
		if o, err := w.process().Alerts.List(t.Context(), kernel.Caller{}, kernel.Nothing{}); err != nil || len(o.Standing) == 0 || o.Channels[0].State.Problem != "" || o.Channels[0].State.Sent.IsZero() {
			t.Errorf("%+v, %v", o, err)
		}
		if _, err := w.process().Alerts.DeleteChannel(t.Context(), kernel.Caller{}, alerts.ChannelPath{ID: int64(made.ID)}); err != nil {
			t.Error(err)
		}
	}, onEveryStore)
}

// dying is a messenger whose process ends when a channel took something.
type dying struct{ port.Messenger }

// Send implements port.Messenger.
func (d dying) Send(ctx context.Context, c alert.Channel, m alert.Message) (string, error) {
	if _, err := d.Messenger.Send(ctx, c, m); err != nil && ctx.Err() == nil {
		return "", err
	}
	return "", errors.New("the process ends")
}

func TestAChannelIsTriedAndASilenceTellsNothing(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := newAlerted(t, engine)
		mail, hook := w.channels()
		for id, want := range map[alert.ChannelID]string{mail: "queued as 7", hook: "200 thank you"} {
			if r, err := w.process().Alerts.TestChannel(t.Context(), kernel.Caller{}, alerts.ChannelPath{ID: int64(id)}); err != nil || !r.Taken || !strings.Contains(r.Answer, want) {
				t.Errorf("%+v, %v, want %q", r, err, want)
			}
		}
		for _, c := range w.listed() {
			if c.State.Sent.IsZero() {
				t.Errorf("what took a test is stored as %+v", c.State)
			}
		}
		w.mailbox.refuses = 1
		if r, err := w.process().Alerts.TestChannel(t.Context(), kernel.Caller{}, alerts.ChannelPath{ID: int64(mail)}); err != nil || r.Taken || !strings.Contains(r.Answer, "451") || !strings.Contains(r.Answer, "come back later") {
			t.Errorf("%+v, %v", r, err)
		}
		w.mailbox.taken()
		w.runs(2*time.Minute, 1)
		w.tells("webhook-suspended", "standing", w.troubles()["webhook-suspended"].happen)
		key := alert.Key{Cause: "webhook-suspended", Site: 1, Subject: "900"}
		if _, err := w.process().Alerts.Silence(t.Context(), kernel.Caller{}, alerts.Silence{Key: key, Until: w.clock.now().Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if got := w.runs(30*time.Minute, 1); got != "looked" {
			t.Error(got)
		}
		if got := w.runs(time.Hour, 3); got != "looked sent sent" || w.hookbox.taken() != "standing webhook-suspended" {
			t.Errorf("after the silence: %s", got)
		}
	})
}

// listed are the channels, as operators see them.
func (w alerted) listed() []alert.Channel {
	w.t.Helper()
	o, err := w.process().Alerts.List(w.t.Context(), kernel.Caller{}, kernel.Nothing{})
	if err != nil {
		w.t.Fatal(err)
	}
	return o.Channels
}

func TestAServerThatSendsNoMailHasNoChannelOfIt(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := newAlerted(t, engine)
		var err error
		if w.ports.Messenger, err = wire.NewMessenger(config.Mailing{}, anyLoopback); err != nil {
			t.Fatal(err)
		}
		_, err = w.process().Alerts.CreateChannel(t.Context(), kernel.Caller{}, alerts.ChannelInput{Kind: "mail", Address: "a.martin@example.org", Least: "warning", Digest: "at once"})
		refused := fault.From(err)
		if len(refused.Details) != 1 || refused.Details[0].Field != "kind" || refused.Details[0].Message.In(fault.French) != "ce serveur n'envoie pas d'e-mail : --smtp-url n'est pas renseigné" {
			t.Errorf("%v, %+v", err, refused.Details)
		}
		if made := w.listed(); len(made) != 0 {
			t.Errorf("%+v", made)
		}
	})
}

func TestAChangedChannelIsToldWhatItsFormerAddressDidNotTake(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := newAlerted(t, engine)
		w.runs(2*time.Minute, 1)
		made, err := w.process().Alerts.CreateChannel(t.Context(), kernel.Caller{}, alerts.ChannelInput{
			Kind: "webhook", Address: "http://127.0.0.1:1/", Least: "critical", Digest: "at once", Signed: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		w.hookbox.secret = webhook.Secret(made.Secret)
		w.troubles()["webhook-suspended"].happen()
		if got := w.runs(2*time.Minute, 2); got != "failed looked" {
			t.Fatal(got)
		}
		changed := alerts.UpdateChannel{ID: int64(made.ID), ChannelInput: alerts.ChannelInput{Address: w.hookbox.URL, Least: "critical", Digest: "at once", Signed: true}}
		if saved, err := w.process().Alerts.UpdateChannel(t.Context(), kernel.Caller{}, changed); err != nil || saved.Secret != "" {
			t.Fatal(saved, err)
		}
		if got := w.runs(0, 1); got != "sent" || w.hookbox.taken() != "standing webhook-suspended" {
			t.Error(got)
		}
	}, onEveryStore)
}
