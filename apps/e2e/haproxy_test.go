package e2e_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// proxied starts the HAProxy of deploy/haproxy before two cells, and says where it is.
func proxied(t *testing.T, cells [2]*world) (address, socket string, maps func(name string) string) {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/haproxy"); err != nil {
			t.Skip("haproxy is not installed")
		}
	}
	folder, deployed := t.TempDir(), filepath.Join("..", "..", "deploy", "haproxy")
	socket = filepath.Join(folder, "admin.sock")
	if address, err = rig.FreeAddress(); err != nil {
		t.Fatal(err)
	}
	at := func(i int) string { return strings.TrimPrefix(cells[i].url, "http://") }
	moved := strings.NewReplacer(
		"/etc/haproxy/", folder+"/", "/run/haproxy/admin.sock", socket, "127.0.0.1:8000", address,
		"127.0.0.1:8081", at(0), "127.0.0.1:8082", at(0), "127.0.0.1:8083", at(1), "127.0.0.1:8084", at(1),
		" check inter 500ms fall 2 rise 1", "", // nobody asks these servers whether they are ready
	)
	for _, name := range []string{"haproxy.cfg", "sites.map", "tokens.map", "agencies.map"} {
		content, err := os.ReadFile(filepath.Join(deployed, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), []byte(moved.Replace(string(content))), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	proxy := exec.CommandContext(t.Context(), program, "-f", filepath.Join(folder, "haproxy.cfg"))
	var said strings.Builder
	proxy.Stdout, proxy.Stderr = &said, &said
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = proxy.Process.Kill()
		_ = proxy.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	eventually(t, "the proxy listens", func() bool {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
	return "http://" + address, socket, func(name string) string { return filepath.Join(folder, name) }
}

// Requests reach the cell of their site: by the form where a token is asked for, by the
// token everywhere else. A changed map holds for the next request.
func TestAProxyFindsTheCellOfASite(t *testing.T) {
	t.Parallel()
	var cells [2]*world
	for i, name := range []string{"cell-1", "cell-2"} {
		w, err := newWorld("sqlite", configured(func(c *config.Server) { c.Environment = name }))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.end)
		cells[i] = w
	}
	proxy, socket, maps := proxied(t, cells)
	// reaches sends a request, with a token or, if there is a form, as a client.
	reaches := func(what string, status int, cell, method, path, token string, form url.Values) answer {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, proxy+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		if form != nil {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.SetBasicAuth(token, token+"-secret")
		} else if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		got, err := cells[0].http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		a := answer{t: t, request: what, status: got.StatusCode, header: got.Header, body: read(got.Body)}
		if a.status != status || got.Header.Get("X-Environment") != cell {
			t.Errorf("%s was answered by %q\nwant %d by %q", a, got.Header.Get("X-Environment"), status, cell)
		}
		return a
	}
	for client, c := range map[string]struct{ site, agency, cell string }{"sandbox-network": {"1", "11", "cell-1"}, "sandbox-rival": {"2", "21", "cell-2"}} {
		pair := reaches("a token for a site", 200, c.cell, "POST", "/api/client/token/site", client, url.Values{"site_id": {c.site}})
		reaches("a token for an agency", 200, c.cell, "POST", "/api/client/token/site", client, url.Values{"manufacturer_id": {c.agency}})
		access := pair.text("access_token")
		reaches("a read", 200, c.cell, "GET", "/api/v2/site/discovery", access, nil)
		reaches("a picture", 404, c.cell, "GET", "/photos/"+c.site+"/1/none.jpg", "", nil)
		next := reaches("a refresh", 200, c.cell, "POST", "/api/client/token/refresh", client, url.Values{"refresh_token": {pair.text("refresh_token")}})
		reaches("what came of it", 200, c.cell, "GET", "/api/v2/site/discovery", next.text("access_token"), nil)
		reaches("a revocation", 200, c.cell, "POST", "/api/client/token/revoke", client, url.Values{"token": {access}})
		reaches("what was revoked", 401, c.cell, "GET", "/api/v2/site/discovery", access, nil)
	}
	rival := cells[1].rival(t).token
	reaches("before the map is changed", 200, "cell-2", "GET", "/api/v2/site/discovery", rival, nil)
	control, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer control.Close()
	if _, err := io.WriteString(control, "set map "+maps("tokens.map")+" 2 c1\n"); err != nil {
		t.Fatal(err)
	}
	if said := strings.TrimSpace(string(read(control))); said != "" {
		t.Fatal(said)
	}
	reaches("after the map is changed", 401, "cell-1", "GET", "/api/v2/site/discovery", rival, nil)
	reaches("nobody's", 401, "cell-1", "GET", "/api/v2/site/discovery", "", nil)
}
