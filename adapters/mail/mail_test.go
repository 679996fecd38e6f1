package mail_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/mail"
)

func TestAWrongServerOrSenderIsRefusedWithoutThePassword(t *testing.T) {
	for address, problem := range map[string]string{
		"mail.example.org":                          "the address of the mail server is",
		"https://u:hunter2@mail.example.org":        "begins with smtps:// or smtp://",
		"smtps://u:hunter2@":                        "the address of the mail server is",
		"smtps://u:hunter2@mail.example.org/inbox":  "the address of the mail server is",
		"smtps://u:hunter2@mail.example.org?tls=no": "the address of the mail server is",
		"smtp://u:hun%ter2@mail.example.org":        "the address of the mail server is",
	} {
		_, err := mail.New(address, "vitrine@example.org")
		if err == nil || !strings.Contains(err.Error(), problem) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "hun%ter2") {
			t.Errorf("%s: %v, want %s", address, err, problem)
		}
	}
	if _, err := mail.New("smtps://u:hunter2@mail.example.org:465", "vitrine"); err == nil || !strings.Contains(err.Error(), "the sender of mail") {
		t.Error(err)
	}
	for _, address := range []string{"smtps://mail.example.org", "smtp://u:p%40ss@mail.example.org:2525", "smtp://127.0.0.1:25"} {
		if _, err := mail.New(address, "Vitrine <vitrine@example.org>"); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
