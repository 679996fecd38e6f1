package config_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

func TestAServerIsAskedWhereItListens(t *testing.T) {
	for want, a := range map[string]config.Addresses{
		"http://127.0.0.1:8080/readyz":       {Listen: ":8080"},
		"http://127.0.0.1:9090/readyz":       {Listen: "127.0.0.1:8080", AdminListen: "0.0.0.0:9090"},
		"http://127.0.0.1:9091/readyz":       {Listen: "127.0.0.1:8080", AdminListen: "[::]:9091"},
		"http://[::1]:8080/readyz":           {Listen: "[::1]:8080"},
		"http://crm.example.org:8080/readyz": {Listen: "crm.example.org:8080"},
		"https://127.0.0.1:8443/readyz":      {Listen: ":8443", TLSCert: "cert.pem"},
		"http://127.0.0.1:9092/readyz":       {Listen: ":8443", AdminListen: ":9092", TLSCert: "cert.pem"},
		"http://without-a-port/readyz":       {Listen: "without-a-port"},
	} {
		if got := a.Ready(); got != want {
			t.Errorf("%+v: %s, want %s", a, got, want)
		}
	}
}
