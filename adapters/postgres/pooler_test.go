package postgres_test

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// pooled puts PgBouncer before the server at a URL, with a few connections in transaction
// mode. ignored are the settings of a session that it passes over in silence.
func pooled(t *testing.T, databaseURL, ignored string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program = "/usr/sbin/pgbouncer"; !exists(program) {
			t.Skip("there is no pgbouncer")
		}
	}
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().(*net.TCPAddr)
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "vitrine-pgbouncer-") //nolint:usetesting // another user has to reach it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	settings := fmt.Sprintf("[databases]\nv = host=%s port=%s dbname=%s user=%s connect_query='SET search_path TO %s'\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\n"+
		"auth_type = any\npool_mode = transaction\ndefault_pool_size = 4\nignore_startup_parameters = extra_float_digits,search_path%s\n",
		u.Hostname(), u.Port(), strings.TrimPrefix(u.Path, "/"), u.User.Username(), u.Query().Get("search_path"), address.Port, ignored)
	file := filepath.Join(folder, "pgbouncer.ini")
	command := exec.Command(program, file) //nolint:noctx // it ends with the test
	if os.Getuid() == 0 {                  // which it refuses
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Skip(err)
		}
		uid, _ := strconv.Atoi(nobody.Uid)
		gid, _ := strconv.Atoi(nobody.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil { //nolint:gosec // nothing secret
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
	})
	u.Host, u.Path = address.String(), "/v"
	until(t, "the pooler listens", func() bool {
		connection, err := net.DialTimeout("tcp", u.Host, time.Second)
		if err == nil {
			err = connection.Close()
		}
		return err == nil
	})
	return u.String()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestAPoolerIsNotTakenForAServer: what would be wrong behind it is refused at the start,
// and works when it is known.
func TestAPoolerIsNotTakenForAServer(t *testing.T) {
	t.Parallel()
	direct := pgtest.URL(t)
	openURL(t, direct) // the tables, which need a connection of their own to be made
	for name, ignored := range map[string]string{"one that refuses settings": "", "one that passes over them": ",enable_bitmapscan,lock_timeout"} {
		t.Run(name, func(t *testing.T) {
			through := pooled(t, direct, ignored)
			for range 10 {
				if _, err := postgres.Open(t.Context(), through); !errors.Is(err, postgres.ErrPooled) {
					t.Fatalf("%v, want ErrPooled", err)
				}
			}
			s, err := postgres.Open(t.Context(), through, postgres.Pooled(), postgres.Patience(time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			id := site.ID(len(name))
			if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id}) }); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Head(t.Context(), id); err != nil {
				t.Error(err)
			}
		})
	}
}
