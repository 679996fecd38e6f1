package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

const monitoring = "../../deploy/monitoring"

// alerts are the rules by name.
func alerts(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(monitoring, "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	rules := map[string]string{}
	for _, group := range file.Groups {
		for _, r := range group.Rules {
			if r.Alert == "" || r.Annotations["summary"] == "" || !slices.Contains([]string{"critical", "warning"}, r.Labels["severity"]) {
				t.Errorf("%+v lacks something", r)
			}
			rules[r.Alert] = r.Expr
		}
	}
	return rules
}

// panels are the queries of the dashboard by title.
func panels(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(monitoring, "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	queries := map[string][]string{}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			queries[p.Title] = append(queries[p.Title], target.Expr)
		}
	}
	return queries
}

var (
	quoted   = regexp.MustCompile(`"[^"]*"`)
	grouping = regexp.MustCompile(`\b(by|without|on|ignoring) *\([^)]*\)`)
	selector = regexp.MustCompile(`([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^}]*\})?`)
	matcher  = regexp.MustCompile(`([a-z_]+) *(=~|!~|!=|=)`)
)

// metricsOf are the metrics of a query, each with the labels it is selected by.
func metricsOf(query string) map[string][]string {
	found := map[string][]string{}
	query = grouping.ReplaceAllString(quoted.ReplaceAllString(query, `""`), "")
	for _, m := range selector.FindAllStringSubmatchIndex(query, -1) {
		name, rest := query[m[2]:m[3]], strings.TrimSpace(query[m[1]:])
		before := strings.TrimSuffix(query[:m[0]], " ")
		isWord := strings.HasPrefix(rest, "(") || name == "and" || name == "or" || name == "unless"
		isDuration := before != "" && strings.ContainsRune("0123456789[$", rune(before[len(before)-1]))
		if isWord || isDuration || name == "up" {
			continue
		}
		found[name] = []string{}
		if m[4] >= 0 {
			for _, label := range matcher.FindAllStringSubmatch(query[m[4]:m[5]], -1) {
				found[name] = append(found[name], label[1])
			}
		}
	}
	return found
}

func TestQueriesAreTakenApart(t *testing.T) {
	for query, want := range map[string]string{
		`sum by (le, op) (rate(a_bucket{op!~"x|y", code=~"5.."}[5m])) / sum(rate(b_total[$__rate_interval])) > 0.01`: "a_bucket:op,code b_total:",
		`up{job="vitrine"} == 0`: "", `min_over_time(a[1h]) > 0 and deriv(b[1h]) > 0`: "a: b:", `histogram_quantile(0.99, a)`: "a:",
	} {
		var got []string
		for name, labels := range metricsOf(query) {
			got = append(got, name+":"+strings.Join(labels, ","))
		}
		slices.Sort(got)
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", query, text, want)
		}
	}
}

var described = regexp.MustCompile(`fqName: "([^"]+)".*constLabels: \{([^}]*)\}.*variableLabels: \{([^}]*)\}`)

// exposed are the metrics of a server that delivers and locates, each with its labels.
func exposed(t *testing.T) map[string][]string {
	t.Helper()
	c := config.Server{Database: config.Database{Database: filepath.Join(t.TempDir(), "v.db")}, Listen: "127.0.0.1:0"}
	c.SecretKey, c.Geocoding, c.RequestsMax = key(1), config.Geocoding{Geocoder: "ban"}, 10
	c.PhotosMemory, c.Hooks.Timeout = 16, 1
	store, err := wire.ReadyStore(t.Context(), c.Database, c.Secrets, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	server, err := wire.NewServer(t.Context(), c, store, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := server.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	all := make(chan *prometheus.Desc)
	go func() {
		server.Metrics.Describe(all)
		close(all)
	}()
	found := map[string][]string{}
	for d := range all {
		parts := described.FindStringSubmatch(d.String())
		if parts == nil {
			t.Fatalf("%s is not understood", d)
		}
		labels := append(strings.Split(parts[3], ","), "instance", "job", "le")
		for _, label := range strings.Split(parts[2], ",") {
			name, _, _ := strings.Cut(label, "=")
			labels = append(labels, name)
		}
		found[parts[1]] = labels
	}
	return found
}

// TestAlertsAndDashboardAskForMetricsThereAre: a query for another one is empty for
// ever, and says nothing.
func TestAlertsAndDashboardAskForMetricsThereAre(t *testing.T) {
	there := exposed(t)
	check := func(where, query string) {
		used := metricsOf(query)
		if len(used) == 0 && !strings.Contains(query, "up{") {
			t.Errorf("%s asks for nothing: %s", where, query)
		}
		for name, labels := range used {
			known, ok := there[name]
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				if base, cut := strings.CutSuffix(name, suffix); cut && !ok {
					known, ok = there[base]
				}
			}
			if !ok {
				t.Errorf("%s asks for %s, which is not there", where, name)
				continue
			}
			for _, label := range labels {
				if !slices.Contains(known, label) {
					t.Errorf("%s: %s has no label %s, but %v", where, name, label, known)
				}
			}
		}
	}
	for name, query := range alerts(t) {
		check(name, query)
	}
	for title, queries := range panels(t) {
		for _, query := range queries {
			check(title, query)
		}
	}
	page, err := os.ReadFile("../../docs/monitoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range there {
		if strings.HasPrefix(name, "vitrine_") && !strings.Contains(string(page), name) {
			t.Errorf("docs/monitoring.md does not tell of %s", name)
		}
	}
}

// TestMonitoringDocTellsOfEveryAlert: whoever is woken finds what to do.
func TestMonitoringDocTellsOfEveryAlert(t *testing.T) {
	page, err := os.ReadFile("../../docs/monitoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range alerts(t) {
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/monitoring.md does not say what to do about %s", name)
		}
	}
	watched := regexp.MustCompile(`(?s)\*\*To watch:\*\*(.*?)(?:\n\n|\z)`)
	var all strings.Builder
	for _, expr := range alerts(t) {
		all.WriteString(expr + "\n")
	}
	names := regexp.MustCompile(`vitrine_[a-z_]+`)
	found := 0
	for _, operating := range sourceFiles(t, "docs/operating", ".md") {
		for _, note := range watched.FindAllStringSubmatch(operating.text, -1) {
			for _, name := range names.FindAllString(note[1], -1) {
				found++
				if !strings.Contains(all.String(), name) {
					t.Errorf("%s says to watch %s, and no alert does", operating.path, name)
				}
			}
		}
	}
	if found == 0 {
		t.Error("docs/operating says to watch nothing")
	}
}
