package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// carriedOut runs a command of the program on a database, and returns what it
// prints, what it says is wrong, and its status.
func carriedOut(t *testing.T, database string, args ...string) (out, wrong string, status int) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, append(args, "--database", database)...)
	command.Env = append(os.Environ(), "VITRINE_SECRET_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "VITRINE_PHOTOS=file://"+t.TempDir())
	var printed, said bytes.Buffer
	command.Stdout, command.Stderr = &printed, &said
	if err := command.Run(); err != nil {
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
			t.Fatal(err)
		}
	}
	return printed.String(), said.String(), command.ProcessState.ExitCode()
}

// moved checks the report of a command, and its status.
func moved(t *testing.T, database string, want []string, status int, args ...string) {
	t.Helper()
	out, wrong, got := carriedOut(t, database, args...)
	for _, part := range want {
		if !strings.Contains(out+wrong, part) {
			t.Errorf("%q is not in what %s says: %s%s", part, args[0], out, wrong)
		}
	}
	if got != status {
		t.Errorf("the status of %s is %d: %s%s", args[0], got, out, wrong)
	}
}

// The program itself, from the file of another software to the file for a portal
// and back.
func TestImportAndExportAsAnOperatorRunsThem(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		moved(t, database, nil, 0, "provision", "../vitrine/sandbox.yaml")
		listing := func(reference, title, price string) string {
			columns := make([]string, 329)
			columns[0], columns[1], columns[2], columns[3], columns[4], columns[5] = "a", reference, "vente", "maison", "54000", "Nancy"
			columns[10], columns[19], columns[20], columns[300] = price, title, "Belle !# maison", "4.09"
			return `"` + strings.Join(columns, `"!#"`) + `"`
		}
		rows := []string{
			listing("E2E-1", "Maison", "250 000 €"), strings.TrimSuffix(listing("E2E-2", "Maison", "100000"), `"`),
			listing("E2E-3", strings.Repeat("x", 300), "250.000,00 EUR"), listing("E2E-4", "Maison", "1") + strings.Repeat(`!#"x"`, 500),
			listing("E2E-1", "Maison", "3"), listing("E2E-5", "☃", "NC"),
		}
		file, out := filepath.Join(t.TempDir(), "annonces.csv"), filepath.Join(t.TempDir(), "annonces.csv")
		if err := os.WriteFile(file, []byte(strings.Join(rows, "\r")), 0o600); err != nil {
			t.Fatal(err)
		}
		// A price that is none keeps a listing off the web otherwise, and exports have what is on it.
		into := []string{"--site", "2", "--agency", "21", "--unreadable", "on"}
		from := into[:4]
		want := []string{
			"6 listings: 3 created, 0 changed, 0 unchanged, 3 refused; 0 pictures added", "3 of 6 listings were refused",
			`refused   "E2E-2" (line 2): column 329 has a quote that is not closed`, `refused   "E2E-4" (line 4): the row has 829 columns`,
			`refused   "E2E-1" (line 5): model: the file has this reference more than once`,
			"1 × description fr, title: only the first 254 of its characters were kept", "1 × column 11 (Prix)",
		}
		moved(t, database, want, 1, append([]string{"import", file, "--dry-run"}, into...)...)
		moved(t, database, want, 1, append([]string{"import", file}, into...)...)

		moved(t, database, []string{" listings\n"}, 0, append([]string{"export", "--out", out}, from...)...)
		content, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{`"E2E-1"!#"vente"!#"maison/villa"!#"54000"!#"Nancy"!#""!#""!#""!#""!#"250000"`, `"E2E-3"!#`, `"Belle ! # maison"`, `"?"`} {
			if !bytes.Contains(content, []byte(line)) {
				t.Errorf("%q is not exported", line)
			}
		}
		if n := bytes.Count(content, []byte("\r\n")); bytes.Contains(content, []byte{0x1a}) || n < 3 {
			t.Errorf("%d lines are exported, or one with the byte 1A", n)
		} else {
			moved(t, database, []string{fmt.Sprintf("%d listings: 0 created, 0 changed, %d unchanged, 0 refused", n, n)}, 0, append([]string{"import", out}, into...)...)
		}
	})
}
