package receiver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/receiver"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func ExampleVerify() {
	const secret webhook.Secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

	// This is all there is to a receiver.
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := receiver.Verify(r, secret)
		if err != nil {
			fmt.Println(err)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Printf("%s: %s\n", r.Header.Get("webhook-id"), body)
		w.WriteHeader(http.StatusAccepted)
	})

	// And this stands in for Vitrine.
	for _, body := range []string{
		`{"event_type":"PRODUCT_UPDATE","resource_id":508,"timestamp":"2026-11-02T11:30:01.023Z"}`,
		`{"event_type":"PRODUCT_DELETE","resource_id":508,"timestamp":"2026-11-02T11:30:01.023Z"}`,
	} {
		now := time.Now()
		signature, err := secret.Sign("msg_1", now, []byte(strings.Replace(body, "DELETE", "UPDATE", 1)))
		if err != nil {
			fmt.Println(err)
			return
		}
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("webhook-id", "msg_1")
		r.Header.Set("webhook-timestamp", fmt.Sprint(now.Unix()))
		r.Header.Set("webhook-signature", signature)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		fmt.Println(answer.Code)
	}
	// Output:
	// msg_1: {"event_type":"PRODUCT_UPDATE","resource_id":508,"timestamp":"2026-11-02T11:30:01.023Z"}
	// 202
	// no signature matches
	// 401
}
