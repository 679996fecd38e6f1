package receiver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// TrialOptions say how a Trial behaves.
type TrialOptions struct {
	// Secret verifies deliveries; "" for not verifying them.
	Secret webhook.Secret
	// Script are the answers, each given once in turn; the last one repeats.
	// Without any every delivery is answered 200.
	Script []Answer
	// Delay is how long to wait before answering.
	Delay time.Duration
	// Out gets a line for each delivery.
	Out io.Writer
}

// Trial is a receiver for development. It takes deliveries by POST on any path,
// answers them by a script, and shows what it got by GET on /.
type Trial struct {
	options TrialOptions
	mux     *http.ServeMux

	mu      sync.Mutex
	next    int
	history []Received
}

// maxHistory bounds what a trial remembers.
const maxHistory = 1000

// Received is a delivery that came in, as GET / shows it.
type Received struct {
	At        time.Time `json:"at"`
	Path      string    `json:"path"`
	ID        string    `json:"webhook_id"`
	EventType string    `json:"event_type"`
	Resource  string    `json:"resource_id"`
	Attempt   string    `json:"attempt"`
	// Signature is verified, not verified, unsigned, or signed when there was no
	// secret to verify it with.
	Signature string `json:"signature"`
	// Problem is why it is not verified.
	Problem string `json:"problem,omitempty"`
	Status  int    `json:"answered"`
	Reason  string `json:"reason,omitempty"`
	Body    string `json:"body"`
}

// NewTrial returns a trial.
func NewTrial(o TrialOptions) *Trial {
	if len(o.Script) == 0 {
		o.Script = []Answer{{Status: http.StatusOK}}
	}
	if o.Out == nil {
		o.Out = io.Discard
	}
	t := &Trial{options: o, mux: http.NewServeMux()}
	t.mux.HandleFunc("POST /", t.receive)
	t.mux.HandleFunc("GET /{$}", t.show)
	return t
}

// ServeHTTP takes a delivery or shows those that came.
func (t *Trial) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.mux.ServeHTTP(w, r) }

// Serve serves until told to stop.
func (t *Trial) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: t, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (t *Trial) receive(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	body, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	got := Received{
		At: now, Path: r.URL.Path, ID: r.Header.Get(headerID), EventType: r.Header.Get("X-Event-Type"), Resource: resource(body),
		Attempt: r.Header.Get("X-Delivery-Attempt"), Body: string(body),
	}
	got.Signature, got.Problem = t.judge(r.Header, body, now)
	answer := t.remember(&got)

	select {
	case <-time.After(t.options.Delay):
	case <-r.Context().Done():
		return
	}
	if answer.Reason == "" {
		w.WriteHeader(answer.Status)
		return
	}
	writeJSON(w, answer.Status, map[string]any{"error": map[string]string{"message": answer.Reason}})
}

func (t *Trial) judge(h http.Header, body []byte, now time.Time) (signature, problem string) {
	if h.Get(headerSignature) == "" {
		return "unsigned", ""
	}
	if t.options.Secret == "" {
		return "signed", ""
	}
	if err := verify(h, body, now, []webhook.Secret{t.options.Secret}); err != nil {
		return "not verified", err.Error()
	}
	return "verified", ""
}

// remember chooses the answer, and keeps and prints the delivery.
func (t *Trial) remember(got *Received) Answer {
	t.mu.Lock()
	defer t.mu.Unlock()
	answer := t.options.Script[t.next]
	t.next = min(t.next+1, len(t.options.Script)-1)
	got.Status, got.Reason = answer.Status, answer.Reason
	if len(t.history) == maxHistory {
		t.history = append(t.history[:0], t.history[1:]...)
	}
	t.history = append(t.history, *got)

	line := fmt.Sprintf("%s  %s  %s %s  attempt %s  %s", got.At.Format("15:04:05.000"),
		shown(got.ID), shown(got.EventType), shown(got.Resource), shown(got.Attempt), got.Signature)
	if got.Problem != "" {
		line += " (" + shown(got.Problem) + ")"
	}
	line += fmt.Sprintf("  -> %d", answer.Status)
	if answer.Reason != "" {
		line += " " + answer.Reason
	}
	fmt.Fprintln(t.options.Out, line)
	return answer
}

func (t *Trial) show(w http.ResponseWriter, _ *http.Request) {
	t.mu.Lock()
	all := append([]Received{}, t.history...)
	t.mu.Unlock()
	writeJSON(w, http.StatusOK, map[string]any{"data": all})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(v) // the client is gone, and nobody else to tell
}

// resource finds the id of the resource in a payload of any format.
func resource(body []byte) string {
	var payload struct {
		Resource json.Number `json:"resource_id"`
		Data     struct {
			ID       json.Number `json:"id"`
			Resource json.Number `json:"resource_id"`
		} `json:"data"`
		Value []struct {
			Key string `json:"ResourceRecordKey"`
		} `json:"value"`
	}
	if json.Unmarshal(body, &payload) != nil {
		return ""
	}
	for _, id := range []json.Number{payload.Resource, payload.Data.ID, payload.Data.Resource} {
		if id != "" {
			return id.String()
		}
	}
	if len(payload.Value) > 0 {
		return payload.Value[0].Key
	}
	return ""
}

// shown is text from outside as a terminal may show it.
func shown(text string) string {
	const longest = 200
	if text == "" {
		return "-"
	}
	if len(text) > longest {
		text = text[:longest] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return '?'
	}, text)
}
