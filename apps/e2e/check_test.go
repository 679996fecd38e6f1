package e2e_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestCheckAndStatusBesideAServer: they tell what there is, and leave a server alone.
func TestCheckAndStatusBesideAServer(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		args := " --database '" + database + "' "
		photos := "--photos file://" + folder + "/photos --public-url https://crm.example.org --admin-listen 127.0.0.1:0"
		status, err := shell(t, folder, "vitrine migrate --status"+args)
		if isFile(database) {
			if err == nil || !strings.Contains(status, "is not there yet") {
				t.Errorf("%v: %s", err, status)
			}
		} else if err != nil || !regexp.MustCompile(`(?m)^00001 +tables +pending$`).MatchString(status) || strings.Contains(status, "applied") {
			t.Errorf("%v: %s", err, status)
		}
		if checked, err := shell(t, folder, "vitrine check"+args+photos); err != nil || !regexp.MustCompile(`(?m)^warning +database .* the first start makes`).MatchString(checked) {
			t.Errorf("%v: %s", err, checked)
		}
		p := serving(t, database, "--photos=file://"+folder+"/photos")
		status, err = shell(t, folder, "vitrine migrate --status"+args)
		if err != nil || !regexp.MustCompile(`(?m)^00001 +tables +applied 20..-`).MatchString(status) || strings.Contains(status, "pending") {
			t.Errorf("%v: %s", err, status)
		}
		checked, err := shell(t, folder, "vitrine check"+args+photos)
		if err != nil || strings.Contains(checked, "wrong ") || strings.Count(checked, "ok ") != 6 {
			t.Errorf("%v: %s", err, checked)
		}
		p.network(t).create(object{"model": "after"})
		p.stop()
	})
}
