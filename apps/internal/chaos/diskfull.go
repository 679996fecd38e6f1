package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	diskMiB = 400
	// diskLeft is how much is left when the disk is filled: enough for the log that is
	// there to be written over, not for more rows.
	diskLeft = 1 << 20
	fullFor  = 8 * time.Second
)

// fillingTheDisk fills the file system of PostgreSQL while the server is written to.
func fillingTheDisk(ctx context.Context, t *trial) (_ []figure, err error) {
	folder, err := t.smallDisk()
	if err != nil {
		return nil, err
	}
	database, err := t.host.NewPostgresIn(ctx, folder, "min_wal_size = 128MB", "max_wal_size = 160MB", "wal_keep_size = 0", "wal_init_zero = on")
	if err != nil {
		return nil, err
	}
	s, err := t.sceneAt(ctx, database.URL("postgres"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	servers, err := s.fleet(ctx, 1)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, servers[0], 1); err != nil {
		return nil, err
	}
	s.load.address = func(int) string { return servers[0].Address }
	figures, err := s.fillingTheDisk(ctx, database, folder)
	if err != nil {
		return nil, err
	}
	accounted, err := s.drainAndAccount(ctx, servers[0])
	return append(figures, accounted...), errors.Join(err, servers[0].Stop())
}

// smallDisk makes a small file system.
func (t *trial) smallDisk() (string, error) {
	if os.Getuid() != 0 {
		return "", skip("only root can make a small file system")
	}
	folder, err := t.host.Folder("disk")
	if err != nil {
		return "", err
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=0777", diskMiB)); err != nil {
		return "", skip("no small file system can be made here: " + err.Error())
	}
	t.host.AtClose(func() error { return syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder, nil
}

func (s *scene) fillingTheDisk(ctx context.Context, database *engine.Postgres, folder string) ([]figure, error) {
	var seen watch
	s.load.observe = seen.written
	defer s.writing(ctx)()
	if _, _, err := s.during(ctx, nil, calmFor); err != nil {
		return nil, err
	}
	filler := filepath.Join(folder, "filler")
	if err := fill(filler, folder); err != nil {
		return nil, err
	}
	full, starts := time.Now(), 0
	for time.Since(full) < fullFor {
		if _, _, err := s.during(ctx, nil, 100*time.Millisecond); err != nil {
			return nil, err
		}
		if err := fill(filler, folder); err != nil { // what was left
			return nil, err
		}
	}
	if err := os.Remove(filler); err != nil {
		return nil, err
	}
	freed := time.Now()
	if database.Gone() { // its log found no room, and its operator starts it
		starts++
		if err := database.Start(ctx); err != nil {
			return nil, err
		}
	}
	if !rig.Until(ctx, time.Minute, 50*time.Millisecond, func() bool {
		_, written := seen.firstWrite(freed)
		return written
	}) {
		return nil, errors.New("no write succeeds though there is room again")
	}
	first, _ := seen.firstWrite(freed)
	refused := 0
	for _, one := range seen.in(span{full, freed}) {
		if one.status == http.StatusServiceUnavailable {
			refused++
		}
	}
	return []figure{
		count("writes refused while the disk was full", refused).atLeast(1),
		count("... starts of PostgreSQL that were needed", starts),
		milliseconds("first write once there was room", first),
	}, nil
}

// fill writes a file until little is left of its file system.
func fill(filler, folder string) error {
	var left syscall.Statfs_t
	if err := syscall.Statfs(folder, &left); err != nil {
		return err
	}
	file, err := os.OpenFile(filler, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	block := make([]byte, 64<<10)
	for room := int64(left.Bavail)*left.Bsize - diskLeft; room > 0; room -= int64(len(block)) {
		if _, err := file.Write(block); err != nil {
			return nil // it is full
		}
	}
	return nil
}
