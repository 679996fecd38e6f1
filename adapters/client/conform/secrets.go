package conform

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// secrets are texts that no report may have.
type secrets struct {
	mu    sync.Mutex
	known []string // longest first
}

// secretKeys are keys of JSON and forms whose values are secrets.
var secretKeys = []string{"access_token", "refresh_token", "token", "secret", "previous_secret", "client_secret", "signing_secret", "password"}

// learn adds texts. What is shorter than 6 characters would mask what is none.
func (s *secrets) learn(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		for _, form := range []string{text, url.QueryEscape(text), strings.TrimPrefix(text, "whsec_")} {
			if len(form) >= 6 && !slices.Contains(s.known, form) {
				s.known = append(s.known, form)
			}
		}
	}
	slices.SortFunc(s.known, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

// read learns what JSON calls a secret.
func (s *secrets) read(text []byte) { s.find(decode(text)) }

func (s *secrets) find(value any) {
	switch v := value.(type) {
	case object:
		for name, member := range v {
			if text, ok := member.(string); ok && slices.Contains(secretKeys, name) {
				s.learn(text)
			}
			s.find(member)
		}
	case list:
		for _, member := range v {
			s.find(member)
		}
	}
}

// form learns what a form or JSON that is sent calls a secret.
func (s *secrets) form(text []byte) {
	s.read(text)
	if values, err := url.ParseQuery(string(text)); err == nil {
		for _, name := range secretKeys {
			s.learn(values.Get(name))
		}
	}
}

// mask returns a text without secrets.
func (s *secrets) mask(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.known {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}
