package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// machine describes where the run happens, as far as the system tells.
func machine() string {
	line := fmt.Sprintf("%s, %d cores, %s/%s", time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	for _, fact := range []struct{ file, name, label string }{
		{"/proc/cpuinfo", "model name", ""},
		{"/proc/meminfo", "MemTotal", "memory "},
	} {
		if value := lookUp(fact.file, fact.name); value != "" {
			line += ", " + fact.label + value
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		line += ", load before the run " + strings.Join(strings.Fields(string(load))[:3], " ")
	}
	return line
}

// lookUp finds a "name: value" line of a file.
func lookUp(path, name string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// versions says what ran.
func (b *bench) versions() string {
	line := runtime.Version()
	for _, v := range []struct{ driver, place, name, query string }{
		{"postgres", b.postgres, "PostgreSQL", "SHOW server_version"},
		{"sqlite", ":memory:", "SQLite", "SELECT sqlite_version()"},
	} {
		if v.place == "" {
			continue
		}
		var version string
		if db, err := sql.Open(v.driver, v.place); err == nil {
			if db.QueryRowContext(context.Background(), v.query).Scan(&version) == nil {
				line += ", " + v.name + " " + version
			}
			_ = db.Close()
		}
	}
	return line
}
