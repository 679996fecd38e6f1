package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/git"
)

// programTags are those of the module that the program is in: the tool-chain takes
// them for its versions too.
const programTags = "apps/"

// programs are those that are released, each a folder of apps.
var programs = []string{"vitrine", "vitrine-mirror"}

// source is what a program is built of.
type source struct {
	folder, program string
	// version is a tag such as v1.2.3, or buildinfo.Development.
	version  string
	commit   string
	date     time.Time
	modified bool
}

// sourceIn asks git about a folder.
func sourceIn(ctx context.Context, folder string) (source, error) {
	s := source{folder: folder, program: programs[0], version: buildinfo.Development}
	told, err := s.git(ctx, "log", "-1", "--format=%H %cI")
	if err != nil {
		return s, err
	}
	commit, date, _ := strings.Cut(told, " ")
	s.commit = commit
	if s.date, err = time.Parse(time.RFC3339, date); err != nil {
		return s, err
	}
	s.date = s.date.UTC()
	changes, err := s.git(ctx, "status", "--porcelain")
	if err != nil {
		return s, err
	}
	s.modified = changes != ""
	tagged, err := s.git(ctx, "tag", "--points-at", "HEAD", "--list", programTags+"v*", "--sort=-version:refname")
	if err != nil {
		return s, err
	}
	if latest, _, _ := strings.Cut(tagged, "\n"); latest != "" && !s.modified {
		s.version = strings.TrimPrefix(latest, programTags)
	}
	return s, nil
}

// git runs git in the source, and returns what it prints without the end of the line.
func (s source) git(ctx context.Context, args ...string) (string, error) {
	out, err := git.Run(ctx, s.folder, args...)
	return strings.TrimSpace(out), err
}

// named returns the version as files are named after it: one that is no tag has its commit.
func (s source) named() string {
	name := s.version
	if name == buildinfo.Development {
		name += "-" + s.commit[:min(12, len(s.commit))]
	}
	if s.modified {
		name += "-modified"
	}
	return name
}

func (s source) name(p platform) string {
	return s.program + "_" + s.named() + "_" + p.os + "_" + p.arch
}

// platform is what a program runs on.
type platform struct{ os, arch string }

func parsePlatform(name string) (platform, error) {
	system, arch, ok := strings.Cut(name, "/")
	if !ok || system == "" || arch == "" {
		return platform{}, fmt.Errorf("%q is not a platform such as linux/amd64", name)
	}
	return platform{system, arch}, nil
}

func (p platform) binary(program string) string {
	if p.os == "windows" {
		return program + ".exe"
	}
	return program
}

func (p platform) archive() string {
	if p.os == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// build makes the program, static and with nothing in it of where it was built.
func build(ctx context.Context, s source, p platform, to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	const about = "github.com/vitrine-crm/vitrine/apps/internal/buildinfo."
	flags := []string{
		"-s", "-w", "-buildid=",
		"-X " + about + "version=" + s.version, "-X " + about + "commit=" + s.commit,
		"-X main.linked=" + s.version,
		"-X " + about + "date=" + s.date.Format(time.RFC3339), "-X " + about + "modified=" + strconv.FormatBool(s.modified),
	}
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", strings.Join(flags, " "), "-o", to, "./apps/"+s.program)
	command.Dir = s.folder
	command.Env = append(command.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	return command.Run()
}
