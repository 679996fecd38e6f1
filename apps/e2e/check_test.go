package e2e_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestCheckAndStatusBesideAServer: they tell what there is, and leave a server alone.
func TestCheckAndStatusBesideAServer(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		args := " --output table --database '" + database + "' "
		photos := "--photos file://" + folder + "/photos --public-url https://crm.example.org --admin-listen 127.0.0.1:0"
		status, err := shell(t, folder, "vitrine migrate --status"+args)
		if isFile(database) {
			if err == nil || !strings.Contains(status, "is not there yet") {
				t.Errorf("%v: %s", err, status)
			}
		} else if err != nil || !regexp.MustCompile(`(?m)^00110 +tables +pending +-$`).MatchString(status) || strings.Contains(status, "applied") {
			t.Errorf("%v: %s", err, status)
		}
		if checked, err := shell(t, folder, "vitrine check"+args+photos); err != nil || !regexp.MustCompile(`(?m)^warning +database .* the first start makes`).MatchString(checked) {
			t.Errorf("%v: %s", err, checked)
		}
		p := serving(t, database, "--photos=file://"+folder+"/photos")
		status, err = shell(t, folder, "vitrine migrate --status"+args)
		if err != nil || !regexp.MustCompile(`(?m)^00110 +tables +applied +20..-`).MatchString(status) || strings.Contains(status, "pending") {
			t.Errorf("%v: %s", err, status)
		}
		checked, err := shell(t, folder, "vitrine check"+args+photos)
		if err != nil || strings.Contains(checked, "wrong ") || strings.Count(checked, "ok ") != map[bool]int{true: 6, false: 7}[isFile(database)] {
			t.Errorf("%v: %s", err, checked)
		}
		if !isFile(database) && !regexp.MustCompile(`(?m)^ok +clocks +those of the database server and of this machine agree$`).MatchString(checked) {
			t.Errorf("the clocks are not compared: %s", checked)
		}
		if !regexp.MustCompile(`(?m)^ok +schema +up to date: all \d+ migrations for (SQLite|PostgreSQL) are applied, the last is 0\d{4}`).MatchString(checked) {
			t.Errorf("the schema is not told: %s", checked)
		}
		// In a pipe both are for programs.
		args = " --database '" + database + "' "
		var migrations, findings []object
		for command, into := range map[string]*[]object{"vitrine migrate --status" + args: &migrations, "vitrine check" + args + photos: &findings} {
			out, err := shell(t, folder, command)
			if err == nil {
				err = json.Unmarshal([]byte(out), into)
			}
			if err != nil || len(*into) == 0 {
				t.Fatalf("%s: %v, %s", command, err, out)
			}
		}
		if first := migrations[0]; first["version"] != 110.0 || first["name"] != "tables" || first["status"] != "applied" || first["applied_at"] == nil {
			t.Errorf("the first migration is %v", first)
		}
		if first := findings[0]; first["grade"] == "" || first["about"] != "database" || first["text"] == "" {
			t.Errorf("the first finding is %v", first)
		}
		p.network(t).create(object{"model": "after"})
		p.stop()
	})
}
