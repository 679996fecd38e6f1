package operators

import "testing"

func TestFieldsOfRecordsInWords(t *testing.T) {
	for field, want := range map[string]string{"RevokedAt": "revoked at", "Former.Until": "former until", "URL": "URL", "ID": "ID", "AuthID": "auth ID", "DryRun": "dry run", "Sites": "sites"} {
		if got := inWords(field); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}
