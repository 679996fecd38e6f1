package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// programs returns the folder of the programs of PostgreSQL: that of the PATH, or the newest of the
// usual places. If there is none, they are installed where that needs no questions.
func programs(ctx context.Context) (string, error) {
	if found := find(); found != "" {
		return found, nil
	}
	err := install(ctx)
	if found := find(); found != "" {
		return found, nil
	}
	return "", fmt.Errorf(`PostgreSQL was not found (initdb, pg_basebackup, pg_ctl, postgres), and not installed: %w
  Debian, Ubuntu:  sudo apt-get install postgresql
  Fedora:          sudo dnf install postgresql-server
  macOS:           brew install postgresql
Or put the folder of its programs on the PATH, or name a running server yourself:
  export %s='postgres://user@host:5432/database?sslmode=disable'`, err, variable)
}

func find() string {
	var places []string
	if initdb, err := exec.LookPath("initdb"); err == nil {
		places = append(places, filepath.Dir(initdb))
	}
	debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	version := func(place string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(place)))
		return n
	}
	slices.SortFunc(debian, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	places = append(places, debian...)
	for _, pattern := range []string{
		"/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin",
		"/Applications/Postgres.app/Contents/Versions/latest/bin",
	} {
		more, _ := filepath.Glob(pattern)
		places = append(places, more...)
	}
	for _, place := range places {
		if complete(place) {
			return place
		}
	}
	return ""
}

func complete(place string) bool {
	for _, name := range []string{"initdb", "pg_basebackup", "pg_ctl", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(place, name)); err != nil {
			return false
		}
	}
	return true
}

// The package would create and start a cluster of its own: nobody asked for it.
const installation = `
set -e
settings=/etc/postgresql-common/createcluster.d
mkdir -p $settings
trap 'rm -f $settings/vitrine.conf' EXIT
echo 'create_main_cluster = false' >$settings/vitrine.conf
export DEBIAN_FRONTEND=noninteractive
apt-get -q -o DPkg::Lock::Timeout=300 update
apt-get -q -y -o DPkg::Lock::Timeout=300 --no-install-recommends install postgresql
`

func install(ctx context.Context) error {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("there is no apt-get")
	}
	command := []string{"sh", "-c", installation}
	if os.Geteuid() != 0 {
		command = append([]string{"sudo", "-n"}, command...)
		if err := exec.CommandContext(ctx, "sudo", "-n", "true").Run(); err != nil {
			return errors.New("sudo would ask for a password")
		}
	}
	fmt.Fprintln(os.Stderr, "cluster: PostgreSQL is not installed; installing it with apt-get")
	if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
