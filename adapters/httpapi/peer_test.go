package httpapi

import "testing"

func TestThePeersAddress(t *testing.T) {
	for peer, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "fe80::1%eth0": "fe80::1", "a name": "invalid IP", "": "invalid IP",
	} {
		if got := address(peer).String(); got != want {
			t.Errorf("the address of %q is %s, want %s", peer, got, want)
		}
	}
}
