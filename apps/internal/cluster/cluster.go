package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Cluster is a running PostgreSQL cluster in a folder of its own.
type Cluster struct {
	folder   string // everything that it writes
	programs string // the folder of initdb, postgres and pg_ctl
	port     int
	owner    *syscall.Credential // nil for the caller
}

// Start creates a cluster and starts it. Unless it is durable, nothing of it is ever flushed to the disk.
func Start(ctx context.Context, durable bool) (_ *Cluster, err error) {
	c := &Cluster{}
	if c.programs, err = programs(ctx); err != nil {
		return nil, err
	}
	if c.owner, err = owner(); err != nil {
		return nil, err
	}
	if err = c.makeFolder(ctx, durable); err != nil {
		return nil, err
	}
	if err = c.create(ctx, durable); err == nil {
		c.port, err = c.start(ctx, "data")
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// open finds the running cluster in a folder.
func open(ctx context.Context, folder string) (*Cluster, error) {
	c := &Cluster{folder: filepath.Clean(folder)}
	running, err := os.ReadFile(filepath.Join(c.folder, "data", "postmaster.pid"))
	if err != nil {
		return nil, err
	}
	// The fourth line has the port.
	lines := strings.Split(string(running), "\n")
	if len(lines) < 4 {
		return nil, fmt.Errorf("%s is not running", c.folder)
	}
	if c.port, err = strconv.Atoi(lines[3]); err != nil {
		return nil, err
	}
	if c.programs, err = programs(ctx); err != nil {
		return nil, err
	}
	c.owner, err = owner()
	return c, err
}

// URL returns where the cluster is reached, over loopback.
func (c *Cluster) URL() string {
	return fmt.Sprintf("postgres://vitrine@127.0.0.1:%d/postgres?sslmode=disable", c.port)
}

// Crash has every process of the cluster drop what it is doing, and starts it again: it recovers from its log.
func (c *Cluster) Crash(ctx context.Context) error {
	return c.pgCtl(ctx, "data", "-m", "immediate", "-t", "60", "restart")
}

// Standby starts a standby of the cluster and returns its port.
func (c *Cluster) Standby(ctx context.Context, name string) (int, error) {
	name = "standby-" + name
	err := c.run(ctx, c.program("pg_basebackup"), "-D", filepath.Join(c.folder, name), "-d", c.URL(), "-R", "-X", "stream", "-c", "fast", "--no-sync")
	if err != nil {
		return 0, err
	}
	return c.start(ctx, name)
}

// EndStandby ends a standby and removes it.
func (c *Cluster) EndStandby(name string) error {
	name = "standby-" + name
	return errors.Join(c.stop(name), os.RemoveAll(filepath.Join(c.folder, name)))
}

// Close ends the cluster and its standbys, and removes everything.
func (c *Cluster) Close() error {
	running, err := filepath.Glob(filepath.Join(c.folder, "*", "postmaster.pid"))
	for _, pid := range running {
		err = errors.Join(err, c.stop(filepath.Base(filepath.Dir(pid))))
	}
	return errors.Join(err, os.RemoveAll(c.folder))
}

// stop ends a server of the cluster at once, and kills it if it does not end.
func (c *Cluster) stop(name string) error {
	pid, _ := os.ReadFile(filepath.Join(c.folder, name, "postmaster.pid"))
	err := c.pgCtl(context.Background(), name, "-m", "immediate", "-t", "30", "stop")
	if err == nil {
		return nil
	}
	first, _, _ := strings.Cut(string(pid), "\n")
	if process, _ := strconv.Atoi(first); process > 1 {
		_ = syscall.Kill(process, syscall.SIGKILL)
	}
	return err
}

// start starts a server of the cluster and returns its port. It tries ports until one is free: asking first would only be a guess.
// They are below those that systems give to outgoing connections, so that a server finds its port again after a crash.
func (c *Cluster) start(ctx context.Context, name string) (port int, err error) {
	log := filepath.Join(c.folder, name, "server.log")
	for range 10 {
		port = 15000 + rand.IntN(17000)
		// A server that is half started could not be found and ended: it is waited for.
		if err = c.pgCtl(context.WithoutCancel(ctx), name, "-o", fmt.Sprintf("-p %d", port), "-t", "120", "start"); err == nil {
			return port, nil
		}
		said, _ := os.ReadFile(log)
		_ = os.Remove(log)
		if !bytes.Contains(said, []byte("could not bind")) {
			return 0, fmt.Errorf("%w\n%s", err, said)
		}
	}
	return 0, err
}

func (c *Cluster) pgCtl(ctx context.Context, name string, args ...string) error {
	data := filepath.Join(c.folder, name)
	return c.run(ctx, c.program("pg_ctl"), append([]string{"-D", data, "-l", filepath.Join(data, "server.log"), "-w"}, args...)...)
}

func (c *Cluster) program(name string) string { return filepath.Join(c.programs, name) }

// run runs a program as the owner of the cluster, from a folder that it can surely read and
// without the settings meant for the caller's own clusters. If the context ends, so does all that the program started.
func (c *Cluster) run(ctx context.Context, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = "/"
	cmd.Env = slices.DeleteFunc(os.Environ(), func(set string) bool { return strings.HasPrefix(set, "PG") }) //nolint:forbidigo // as the caller has it
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: c.owner}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, bytes.TrimSpace(out))
	}
	return nil
}

// owner returns who runs the cluster, because PostgreSQL refuses to run as root; nil for the caller.
func owner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // the caller is the owner
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as")
}

// makeFolder makes a temporary folder that the owner can reach. What must be durable goes where
// a memory file system is least likely.
func (c *Cluster) makeFolder(ctx context.Context, durable bool) (err error) {
	bases := []string{os.TempDir(), "/tmp", "/var/tmp"}
	if durable {
		bases = []string{os.Getenv("TMPDIR"), "/var/tmp", "/tmp"} //nolint:forbidigo // where the caller has temporary files
	}
	for _, base := range bases {
		if base == "" {
			continue
		}
		if c.folder, err = os.MkdirTemp(base, "vitrine-pg."); err != nil {
			continue
		}
		if c.owner != nil {
			err = os.Chown(c.folder, int(c.owner.Uid), int(c.owner.Gid))
		}
		if err == nil {
			err = c.run(ctx, "test", "-w", c.folder)
		}
		if err == nil {
			return nil
		}
		_ = os.RemoveAll(c.folder)
	}
	return fmt.Errorf("found no temporary folder for a cluster: %w", err)
}

func (c *Cluster) create(ctx context.Context, durable bool) (err error) {
	data := filepath.Join(c.folder, "data")
	// Not every system knows C.UTF-8; C sorts the same.
	for _, locale := range []string{"C.UTF-8", "C"} {
		if err = c.run(ctx, c.program("initdb"), "-D", data, "-U", "vitrine", "-A", "trust", "--no-sync", "--locale="+locale, "-E", "UTF8"); err == nil {
			break
		}
		_ = os.RemoveAll(data)
	}
	if err != nil {
		return err
	}
	chosen := settings + unflushed
	if durable {
		chosen = settings + flushed
		if c.run(ctx, c.program("postgres"), "-D", data, "-C", "wal_compression", "-c", "wal_compression=lz4") == nil {
			chosen += "wal_compression = lz4\n"
		}
	}
	file, err := os.OpenFile(filepath.Join(data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(chosen)
	return errors.Join(err, file.Close())
}

const (
	settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
wal_keep_size = 512MB # for standbys that are made of it
jit = off
`
	unflushed = `
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
deadlock_timeout = 100ms # tests of deadlocks wait for it
`
	flushed = `
fsync = on
synchronous_commit = on
full_page_writes = on
shared_buffers = 512MB
max_wal_size = 8GB
random_page_cost = 1.1
max_parallel_workers_per_gather = 0
`
)
