package main

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// deployed is a file that says how the server is installed.
func deployed(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// understands fails unless there is such a command, and it takes these variables.
func understands(t *testing.T, command []string, variables []string) {
	t.Helper()
	parser, err := newParser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at, err := kong.Trace(parser, command)
	if err != nil || at.Error != nil || at.Selected() == nil || !at.Selected().Leaf() {
		t.Fatalf("there is no vitrine %s: %v, %v", strings.Join(command, " "), err, at.Error)
	}
	for _, name := range variables {
		if !slices.ContainsFunc(at.Flags(), func(f *kong.Flag) bool {
			secret, inFile := strings.CutSuffix(name, config.FileSuffix)
			return slices.Contains(f.Envs, name) || inFile && config.IsSecret(f) && slices.Contains(f.Envs, secret)
		}) {
			t.Errorf("vitrine %s does not read %s", strings.Join(command, " "), name)
		}
	}
}

var assignment = regexp.MustCompile(`^#?([A-Z_]+)=(\S*)$`)

// The file is read by systemd, and by shells of those who run commands.
func TestTheEnvironmentFileNamesOptionsOfTheServer(t *testing.T) {
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(deployed(t, "vitrine.env")), "\n") {
		if known := assignment.FindStringSubmatch(line); known != nil {
			names = append(names, known[1])
		} else if line != "" && !strings.HasPrefix(line, "# ") {
			t.Errorf("neither a comment nor NAME=value: %s", line)
		}
	}
	if len(names) < 5 {
		t.Fatalf("it names %v", names)
	}
	understands(t, []string{"serve"}, names)
	if i := slices.IndexFunc(names, isSecret); i >= 0 {
		t.Errorf("%s is in it, which is a secret", names[i])
	}
}

// isSecret reports whether a variable is for a secret, rather than for the name of its
// file. That of the database may be for an SQLite file.
func isSecret(name string) bool {
	return !strings.HasSuffix(name, config.FileSuffix) && regexp.MustCompile("KEY|PASSWORD|SECRET").MatchString(name)
}

// section is what a unit of systemd says under a name, in order.
func section(unit, name string) map[string][]string {
	said, within := map[string][]string{}, false
	for _, line := range strings.Split(unit, "\n") {
		if strings.HasPrefix(line, "[") {
			within = line == "["+name+"]"
		} else if key, value, ok := strings.Cut(line, "="); ok && within && !strings.HasPrefix(line, "#") {
			said[key] = append(said[key], value)
		}
	}
	return said
}

func TestTheUnitRunsACommandThatThereIs(t *testing.T) {
	service := section(deployed(t, "vitrine.service"), "Service")
	command := strings.Fields(service["ExecStart"][0])
	if filepath.Base(command[0]) != "vitrine" {
		t.Errorf("it runs %s", command[0])
	}
	loaded := map[string]bool{}
	for _, credential := range service["LoadCredential"] {
		name, path, _ := strings.Cut(credential, ":")
		loaded["%d/"+name] = strings.HasPrefix(path, "/etc/vitrine/")
	}
	for _, set := range service["Environment"] {
		name, path, _ := strings.Cut(set, "=")
		understands(t, command[1:], []string{name})
		if isSecret(name) || !loaded[path] {
			t.Errorf("it is told a secret by %s", set)
		}
	}
	if len(loaded) == 0 {
		t.Error("it is told no secret")
	}
	stop, err := time.ParseDuration(service["TimeoutStopSec"][0])
	if err != nil || stop < 30*time.Second {
		t.Errorf("it is killed after %s, %v", stop, err)
	}
	state := "/var/lib/" + service["StateDirectory"][0] + "/"
	for _, known := range regexp.MustCompile(`(?m)^#?VITRINE_(?:DATABASE|PHOTOS)=(?:file://)?(/\S+)$`).FindAllStringSubmatch(deployed(t, "vitrine.env"), -1) {
		if !strings.HasPrefix(known[1], state) {
			t.Errorf("the unit does not let it write %s", known[1])
		}
	}
}

func TestTheUnitIsOneForSystemd(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("there is no systemd-analyze")
	}
	unit := filepath.Join(t.TempDir(), "vitrine.service")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(deployed(t, "vitrine.service"), "/usr/local/bin/vitrine", self)
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// It also judges the units of this machine, which are none of ours.
	out, _ := exec.CommandContext(t.Context(), "systemd-analyze", "verify", unit).CombinedOutput()
	for _, line := range strings.Split(string(out), "\n") {
		if strings.Contains(line, filepath.Base(unit)) {
			t.Error(line)
		}
	}
}

// instructions are those of a container file with a name, without their lines' ends.
func instructions(t *testing.T, name string) (found []string) {
	t.Helper()
	text := strings.ReplaceAll(deployed(t, "Containerfile"), "\\\n", " ")
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			found = append(found, strings.TrimSpace(rest))
		}
	}
	return found
}

// words are the command of an instruction in its JSON form.
func words(t *testing.T, instruction string) (command []string) {
	t.Helper()
	_, list, _ := strings.Cut(instruction, "[")
	if err := json.Unmarshal([]byte("["+list), &command); err != nil {
		t.Fatalf("%s: %v", instruction, err)
	}
	return command
}

func TestTheImageRunsTheServerAndAsksForItsHealth(t *testing.T) {
	entry, served := instructions(t, "ENTRYPOINT"), instructions(t, "CMD")
	if len(entry) != 1 || len(served) != 1 || words(t, entry[0])[0] != "/vitrine" {
		t.Fatalf("it runs %v %v", entry, served)
	}
	var names []string
	for _, known := range regexp.MustCompile(`([A-Z_]+)=`).FindAllStringSubmatch(strings.Join(instructions(t, "ENV"), " "), -1) {
		names = append(names, known[1])
	}
	if len(names) != 3 {
		t.Errorf("it sets %v", names)
	}
	understands(t, words(t, served[0]), names)
	understands(t, words(t, instructions(t, "HEALTHCHECK")[0])[1:], []string{"VITRINE_ADMIN_LISTEN"})
	if user := instructions(t, "USER"); len(user) != 1 || !regexp.MustCompile(`^[1-9]\d+:[1-9]\d+$`).MatchString(user[0]) {
		t.Errorf("it runs as %v", user)
	}
	if stages := instructions(t, "FROM"); stages[len(stages)-1] != "scratch" {
		t.Errorf("it is made of %v", stages)
	}
}

// composed is the compose file as its tools read it.
func composed(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{filepath.Join("..", "..", "deploy", "compose.yaml")}, cli.WithInterpolation(true))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func TestTheComposeFileRunsTheServerWithPostgreSQL(t *testing.T) {
	project := composed(t)
	server, database := project.Services["vitrine"], project.Services["database"]
	understands(t, []string{"serve"}, slices.Collect(maps.Keys(server.Environment)))
	for name, want := range map[string]string{"POSTGRES_USER": "vitrine", "POSTGRES_DB": "vitrine"} {
		if got := database.Environment[name]; got == nil || *got != want {
			t.Errorf("%s is not %s", name, want)
		}
	}
	if _, err := os.Stat(filepath.Join(server.Build.Context, server.Build.Dockerfile)); err != nil {
		t.Error(err)
	}
	if server.DependsOn["database"].Condition != types.ServiceConditionHealthy || database.HealthCheck == nil {
		t.Error("the server does not wait for the database")
	}
	if len(server.Ports) != 1 || server.Ports[0].HostIP != "127.0.0.1" || server.Ports[0].Target != 8080 {
		t.Errorf("it is reached at %+v", server.Ports)
	}
}

func TestTheComposeFileHasItsSecretsInFiles(t *testing.T) {
	project := composed(t)
	for service, want := range map[string][]string{
		"vitrine":  {"VITRINE_DATABASE_FILE=database-url", "VITRINE_SECRET_KEY_FILE=secret-key"},
		"database": {"POSTGRES_PASSWORD_FILE=database-password"},
	} {
		s := project.Services[service]
		var told []string
		for name, value := range s.Environment {
			if path, inFile := strings.CutPrefix(*value, "/run/secrets/"); inFile {
				told = append(told, name+"="+path)
				if !slices.ContainsFunc(s.Secrets, func(secret types.ServiceSecretConfig) bool { return secret.Source == path }) {
					t.Errorf("%s is told of a file that it is not given: %s", service, path)
				}
			} else if isSecret(name) || strings.Contains(*value, "postgres://") {
				t.Errorf("%s has a secret in its environment: %s", service, name)
			}
		}
		if slices.Sort(told); !slices.Equal(told, want) {
			t.Errorf("%s reads %v", service, told)
		}
	}
	folder, ignored := filepath.Join("..", "..", "deploy", "secrets"), "deploy/secrets"
	for name, secret := range project.Secrets {
		if want, err := filepath.Abs(filepath.Join(folder, name)); err != nil || secret.File != want {
			t.Errorf("%s is in %s", name, secret.File)
		}
	}
	for _, list := range []string{".gitignore", ".dockerignore"} {
		if text, err := os.ReadFile(filepath.Join("..", "..", list)); err != nil || !strings.Contains(string(text), ignored) {
			t.Errorf("%s does not name %s, %v", list, ignored, err)
		}
	}
}
