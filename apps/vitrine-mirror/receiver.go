package main

import (
	"crypto/subtle"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

// receiver takes deliveries. It answers 200 once the mark is on the disk.
type receiver struct {
	runner *runner
	remote *remote
	log    *slog.Logger
	// token is the last element of the path.
	token string
	// refused counts deliveries that were not the server's.
	refused atomic.Int64
	// said is when a refusal was last logged, in nanoseconds since 1970.
	said atomic.Int64
}

// maxDelivery bounds a delivery, which is an id and a time.
const maxDelivery = 64 << 10

// ServeHTTP takes a delivery at /hook/{token}.
func (h *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !same(r.PathValue("token"), h.token) {
		h.refuse(w, r, http.StatusNotFound, "there is no such address")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivery))
	if err != nil {
		h.refuse(w, r, http.StatusBadRequest, "the body cannot be read")
		return
	}
	if !h.genuine(r, body) {
		h.refuse(w, r, http.StatusUnauthorized, "the signature, or "+keyHeader+", is wrong")
		return
	}
	var told struct {
		EventType  string `json:"event_type"`
		ResourceID int64  `json:"resource_id"`
	}
	if err := json.Unmarshal(body, &told); err != nil {
		h.refuse(w, r, http.StatusUnprocessableEntity, "the body is no delivery of the default format")
		return
	}
	if key, mirrored := keyOf(told.EventType, told.ResourceID); mirrored {
		if err := h.runner.observe(r.Context(), mirror.Delivered{Keys: []mirror.Key{key}}); err != nil {
			// The server tries again, and suspends the webhook if that goes on: then the mirror catches up.
			h.log.Error("writing the copy", "error", err)
			http.Error(w, "the copy cannot be written", http.StatusServiceUnavailable)
			return
		}
	}
	w.WriteHeader(http.StatusOK)
}

// genuine reports whether a delivery is the server's: it has the key, and where the server signs, a signature of the last
// five minutes.
func (h *receiver) genuine(r *http.Request, body []byte) bool {
	if !same(r.Header.Get(keyHeader), h.remote.key) {
		return false
	}
	secret := h.remote.signing()
	if secret == "" {
		return true
	}
	if _, err := client.Verify(r.Header, body, secret); err == nil {
		return true
	}
	renewed, err := h.remote.resecret(r.Context())
	if err != nil || renewed == secret {
		return false
	}
	_, err = client.Verify(r.Header, body, renewed)
	return err == nil
}

func (h *receiver) refuse(w http.ResponseWriter, r *http.Request, code int, why string) {
	refused := h.refused.Add(1)
	// Strangers can send any number; one a minute is logged.
	if last, at := h.said.Load(), time.Now().UnixNano(); at-last >= int64(time.Minute) && h.said.CompareAndSwap(last, at) {
		h.log.Warn("refusing a delivery", "from", r.RemoteAddr, "because", why, "refused", refused)
	}
	http.Error(w, why, code)
}

// same compares in a time that does not depend on what is the same.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
