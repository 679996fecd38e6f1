package engine

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"syscall"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// endNow ends engines that have nothing to finish.
const endNow = syscall.SIGTERM

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// PgBouncer makes a pooler in transaction mode before the PostgreSQL at an address, with
// so many connections of a user to each database there. It returns its own address.
func (h *Host) PgBouncer(ctx context.Context, name, target, user string, connections int) (string, error) {
	folder, err := h.Folder(name)
	if err != nil {
		return "", err
	}
	address, err := rig.FreeAddress()
	if err != nil {
		return "", err
	}
	config := filepath.Join(folder, "pgbouncer.ini")
	err = h.file(config, fmt.Sprintf(`[databases]
* = host=127.0.0.1 port=%s user=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
pool_mode = transaction
default_pool_size = %d
max_client_conn = 500
auth_type = any
ignore_startup_parameters = extra_float_digits,lock_timeout,enable_bitmapscan
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 4
`, portOf(target), user, portOf(address), connections))
	if err != nil {
		return "", err
	}
	p, err := h.start(filepath.Join(folder, "log"), "pgbouncer", config)
	if err != nil {
		return "", err
	}
	h.AtClose(func() error { return p.end(syscall.SIGQUIT) })
	there := "postgres://" + user + "@" + address + "/postgres?sslmode=disable"
	return address, p.until(ctx, func() bool { return rig.Execute(ctx, there, "SELECT 1") == nil })
}
