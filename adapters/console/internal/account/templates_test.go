package account

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"sign-in":     signInPage{},
		"enter":       enterPage{},
		"passkey":     passkeyPage{},
		"me":          mePage{},
		"my-passkeys": passkeysPage{},
		"shown-again": struct{}{},
	})
}
