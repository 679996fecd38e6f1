package engine

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// Patroni keeps a primary and a standby, and makes another primary when it is lost.
type Patroni struct {
	Members []*Member
	host    *Host
	etcd    string
}

// Member is one PostgreSQL that Patroni looks after.
type Member struct {
	Name, Address string

	host    *Host
	data    string
	api     string // of its Patroni
	config  string
	process *process
}

// TimeToLive is how many seconds a primary may be silent before another is made.
const TimeToLive = 20

// NewPatroni starts etcd and two members, of which the first is primary. When they are
// synchronous, nothing is confirmed that the standby does not have. reached is asked where
// the other member reaches one that listens at an address.
func (h *Host) NewPatroni(ctx context.Context, synchronous bool, reached func(string) (string, error)) (*Patroni, error) {
	p := &Patroni{host: h}
	if err := p.startEtcd(ctx); err != nil {
		return nil, err
	}
	for _, name := range []string{"pg1", "pg2"} {
		m, err := p.member(name, synchronous, reached)
		if err != nil {
			return nil, err
		}
		role := "primary"
		if len(p.Members) > 0 {
			if role = "replica"; synchronous {
				role = "sync"
			}
		}
		p.Members = append(p.Members, m)
		if err := m.start(); err != nil {
			return nil, err
		}
		if err := m.process.until(ctx, func() bool { return m.Is(ctx, role) }); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Patroni) startEtcd(ctx context.Context) error {
	folder, err := p.host.Folder("etcd")
	if err != nil {
		return err
	}
	peer, err := rig.FreeAddress()
	if err != nil {
		return err
	}
	if p.etcd, err = rig.FreeAddress(); err != nil {
		return err
	}
	process, err := p.host.start(filepath.Join(folder, "log"), "etcd", "--data-dir", filepath.Join(folder, "data"), "--name", "e1",
		"--listen-client-urls", "http://"+p.etcd, "--advertise-client-urls", "http://"+p.etcd,
		"--listen-peer-urls", "http://"+peer, "--initial-advertise-peer-urls", "http://"+peer, "--initial-cluster", "e1=http://"+peer)
	if err != nil {
		return err
	}
	p.host.AtClose(func() error { return process.end(endNow) })
	return process.until(ctx, func() bool { return answers(ctx, "http://"+p.etcd+"/health") })
}

func (p *Patroni) member(name string, synchronous bool, reached func(string) (string, error)) (*Member, error) {
	folder, err := p.host.Folder(name)
	if err != nil {
		return nil, err
	}
	m := &Member{Name: name, host: p.host, data: filepath.Join(folder, "data"), config: filepath.Join(folder, "patroni.yml")}
	for _, address := range []*string{&m.Address, &m.api} {
		if *address, err = rig.FreeAddress(); err != nil {
			return nil, err
		}
	}
	programs, err := Find("initdb")
	if err == nil {
		programs, err = filepath.EvalSymlinks(programs) // the others are next to it
	}
	if err != nil {
		return nil, err
	}
	connect, err := reached(m.Address)
	if err != nil {
		return nil, err
	}
	return m, p.host.file(m.config, fmt.Sprintf(`scope: vitrine
name: %[1]s
restapi: {listen: "%[2]s", connect_address: "%[2]s"}
etcd3: {host: "%[3]s"}
bootstrap:
  dcs: {ttl: %[4]d, loop_wait: 5, retry_timeout: 5, maximum_lag_on_failover: 67108864, synchronous_mode: %[5]t,
        postgresql: {use_pg_rewind: true, use_slots: true, parameters: {wal_log_hints: "on", max_connections: 200}}}
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums]
  pg_hba: ["host replication all 127.0.0.1/32 trust", "host all all 127.0.0.1/32 trust", "local all all trust"]
postgresql:
  {listen: "%[6]s", connect_address: "%[10]s", data_dir: "%[7]s", bin_dir: "%[8]s", pgpass: "%[9]s/pgpass",
   authentication: {replication: {username: replicator, password: x}, superuser: {username: postgres, password: x}},
   parameters: {unix_socket_directories: "%[9]s"}}
`, name, m.api, p.etcd, TimeToLive, synchronous, m.Address, m.data, filepath.Dir(programs), folder, connect))
}

func (m *Member) start() (err error) {
	m.process, err = m.host.start(filepath.Join(filepath.Dir(m.config), "log"), "patroni", m.config)
	if err == nil {
		m.host.AtClose(func() error {
			_ = m.process.end(endNow)
			return m.killServer()
		})
	}
	return err
}

// Is reports whether the member has a role, such as primary or sync.
func (m *Member) Is(ctx context.Context, role string) bool {
	return answers(ctx, "http://"+m.api+"/"+role)
}

func answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// Kill kills the member's Patroni and its server, as a machine does that loses its power.
func (m *Member) Kill() error {
	if err := m.process.end(syscall.SIGKILL); err != nil {
		return err
	}
	return m.killServer()
}

// killServer kills the server if there is one: it is no child of ours.
func (m *Member) killServer() error {
	text, err := os.ReadFile(filepath.Join(m.data, "postmaster.pid"))
	if err != nil {
		return nil //nolint:nilerr // there is none
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		return err
	}
	// The file may be left over from one that is no more, and its number somebody else's.
	if said, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err != nil || !strings.Contains(string(said), m.data) {
		return nil //nolint:nilerr // it has ended
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}

// Switchover makes a primary of the second member.
func (p *Patroni) Switchover(ctx context.Context) error {
	_, err := p.host.Run(ctx, "patronictl", "-c", p.Members[0].config, "switchover", "--master", p.Members[0].Name, "--candidate", p.Members[1].Name, "--force")
	return err
}
