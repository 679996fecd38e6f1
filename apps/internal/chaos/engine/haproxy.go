package engine

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// HAProxy is a balancer.
type HAProxy struct {
	// Address is where clients turn to.
	Address string
	status  string
	process *process
}

// BalanceServers makes a balancer before servers of Vitrine. It asks each twice a second
// whether it is ready.
func (h *Host) BalanceServers(ctx context.Context, name string, servers ...string) (*HAProxy, error) {
	return h.balanceServers(ctx, name, `
  balance leastconn`, servers)
}

func (h *Host) balanceServers(ctx context.Context, name, how string, servers []string) (*HAProxy, error) {
	var lines strings.Builder
	for i, address := range servers {
		fmt.Fprintf(&lines, "  server n%d %s\n", i+1, address)
	}
	return h.haproxy(ctx, name, `
  mode http`+how+`
  option httpchk GET /readyz
  option redispatch
  default-server check inter 500ms fall 2 rise 1
`+lines.String(), len(servers))
}

// BalanceSites makes a balancer that sends all requests about a site to the same one of some
// servers of Vitrine. Their tokens name the site in front.
func (h *Host) BalanceSites(ctx context.Context, name string, servers ...string) (*HAProxy, error) {
	return h.balanceServers(ctx, name, `
  http-request set-var(txn.site) http_auth_bearer,field(1,.)
  balance hash var(txn.site)
  hash-type consistent sdbm avalanche`, servers)
}

// haproxy starts a balancer, and waits until it sends requests to so many of its servers. It
// takes all of them for ready until it has asked them.
func (h *Host) haproxy(ctx context.Context, name, listen string, ready int) (*HAProxy, error) {
	folder, err := h.Folder(name)
	if err != nil {
		return nil, err
	}
	b := &HAProxy{}
	for _, address := range []*string{&b.Address, &b.status} {
		if *address, err = rig.FreeAddress(); err != nil {
			return nil, err
		}
	}
	config := filepath.Join(folder, "haproxy.cfg")
	err = h.file(config, fmt.Sprintf(`global
  maxconn 2000
defaults
  timeout connect 2s
  timeout client 5m
  timeout server 5m
frontend status
  mode http
  bind %s
  stats enable
  stats uri /
listen all
  bind %s%s`, b.status, b.Address, listen))
	if err != nil {
		return nil, err
	}
	if b.process, err = h.start(filepath.Join(folder, "log"), "haproxy", "-db", "-f", config); err != nil {
		return nil, err
	}
	h.AtClose(func() error { return b.process.end(endNow) })
	return b, b.process.until(ctx, func() bool {
		up, err := b.Up(ctx)
		return err == nil && up == ready
	})
}

// Up counts the servers that the balancer sends requests to.
func (b *HAProxy) Up(ctx context.Context) (n int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.status+"/;csv", nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	rows := csv.NewReader(response.Body)
	rows.FieldsPerRecord = -1
	all, err := rows.ReadAll()
	if err != nil {
		return 0, err
	}
	const name, status = 1, 17
	for _, row := range all {
		if len(row) > status && row[0] == "all" && row[name] != "FRONTEND" && row[name] != "BACKEND" && strings.HasPrefix(row[status], "UP") {
			n++
		}
	}
	return n, nil
}
