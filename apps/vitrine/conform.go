package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/client/conform"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
)

type conformance struct {
	Run  conformRun  `cmd:"" default:"withargs" help:"Hold a server against the contract; the word run may be left out."`
	Diff conformDiff `cmd:"" help:"Tell what fell and what holds anew from one report to a later one."`
}

type conformRun struct {
	URL string `arg:"" optional:"" name:"url" help:"Scheme and host of the server."`

	ClientID           string `placeholder:"ID" help:"Client of the API that the checks ask as."`
	ClientSecret       string `env:"VITRINE_CONFORM_CLIENT_SECRET" secret:"" placeholder:"SECRET" help:"Its secret. Better given as a variable."`
	Site               int64  `placeholder:"ID" help:"Site that it asks for."`
	SecondClientID     string `placeholder:"ID" help:"Client of another site, for checks that sites do not see each other."`
	SecondClientSecret string `env:"VITRINE_CONFORM_SECOND_CLIENT_SECRET" secret:"" placeholder:"SECRET" help:"Its secret. Better given as a variable."`
	SecondSite         int64  `placeholder:"ID" help:"Site that it asks for."`

	Level          string   `enum:"all,contract,extensions" default:"all" help:"Which checks are made: ${enum}; contract is what the contract states, extensions what Vitrine adds."`
	Only           []string `placeholder:"PATTERN" help:"Checks by their names, such as search.*."`
	Write          bool     `help:"Make the checks that write, too; what they make has CONFORM in its reference, and is deleted."`
	Yes            bool     `help:"Write without asking."`
	Slow           bool     `help:"Make the checks that wait for retries, too: as long as the delays of the server."`
	Receiver       string   `placeholder:"URL" help:"Public address of what listens at --receiver-listen, for webhooks; on this machine none is needed."`
	ReceiverListen string   `placeholder:"ADDRESS" help:"Address to receive webhooks on."`
	Seed           uint64   `help:"Decides the order of the checks and what they pick; the same one repeats a run."`
	Report         string   `enum:",tap,junit,html,json" default:"" placeholder:"tap,junit,html,json" help:"Report to write, besides what is printed: ${enum}."`
	Out            string   `placeholder:"FILE" help:"File for the report; without one it goes to standard output, and what is printed to the other one."`
	List           bool     `help:"Print the checks, and make none."`
}

// couldNotRun is why nothing was held against the contract.
type couldNotRun struct{ why error }

func (e *couldNotRun) Error() string { return e.why.Error() }
func (e *couldNotRun) Unwrap() error { return e.why }

// status is what the program ends with, so that scripts tell it from checks that fell.
func (e *couldNotRun) status() int { return 2 }

// Run makes the checks and reports what they found. It fails if one fell.
func (c *conformRun) Run(ctx context.Context) error {
	if c.List {
		return c.list(os.Stdout)
	}
	target := conform.Target{
		URL: c.URL, Receiver: c.Receiver, ReceiverListen: c.ReceiverListen,
		Credential: conform.Credential{ID: c.ClientID, Secret: c.ClientSecret, SiteID: c.Site},
		Second:     conform.Credential{ID: c.SecondClientID, Secret: c.SecondClientSecret, SiteID: c.SecondSite},
	}
	if c.URL == "" || c.ClientID == "" || c.ClientSecret == "" || c.Site == 0 {
		return &couldNotRun{errors.New("an address, --client-id, --client-secret and --site are needed")}
	}
	if c.Write {
		if err := c.consent(ctx, target, os.Stdin, terminal.Is(os.Stdin)); err != nil {
			return &couldNotRun{err}
		}
	}
	level := conform.Level(c.Level)
	if level == "all" {
		level = ""
	}
	report, err := conform.Run(ctx, target, conform.Options{Level: level, Only: c.Only, Write: c.Write, Slow: c.Slow, Seed: c.Seed})
	if err != nil && len(report.Checks) == 0 {
		return &couldNotRun{err}
	}
	if err := errors.Join(err, c.tell(report)); err != nil {
		return &couldNotRun{err}
	}
	if n := report.Summary.Fell; n > 0 {
		return fmt.Errorf("what the contract says does not hold: %d of %d checks fell", n, len(report.Checks))
	}
	return nil
}

// consent asks whether the server may be written to, unless it says that it is a sandbox.
func (c *conformRun) consent(ctx context.Context, target conform.Target, in io.Reader, asked bool) error {
	environment, err := conform.Environment(ctx, target)
	switch {
	case err != nil:
		return err
	case c.Yes || environment == "sandbox":
		return nil
	case !asked:
		return errors.New("nothing was written: the server does not say that it is a sandbox, and there is nobody to ask; --yes writes all the same")
	}
	fmt.Fprintf(os.Stderr, "Write to %s? What is made has CONFORM in its reference, and is deleted where the server can. [y/N] ", c.URL)
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was written")
	}
	return nil
}

// tell prints the report for people, and writes the one that is wanted.
func (c *conformRun) tell(report conform.Report) error {
	out := os.Stdout
	switch {
	case c.Report == "":
	case c.Out == "":
		out = os.Stderr
		if err := report.Write(os.Stdout, c.Report); err != nil {
			return err
		}
	default:
		file, err := os.Create(c.Out)
		if err != nil {
			return err
		}
		if err := errors.Join(report.Write(file, c.Report), file.Close()); err != nil {
			return err
		}
	}
	return report.Write(out, "")
}

type listedCheck struct {
	ID       string `json:"id"`
	Level    string `json:"level"`
	Needs    string `json:"needs"`
	Number   int    `json:"number,omitempty"`
	Clause   string `json:"clause,omitempty"`
	Sentence string `json:"sentence"`
}

// list prints the checks, and as JSON with everything.
func (c *conformRun) list(out *os.File) error {
	var checks []listedCheck
	for _, check := range conform.Checks() {
		checks = append(checks, listedCheck{check.ID, string(check.Level), check.Needs.String(), check.Number, check.Clause, check.Sentence})
	}
	as := terminal.Listing{Output: "table"}
	if c.Report == "json" {
		as.Output = "json"
	}
	return terminal.List(as, out, checks,
		terminal.Column[listedCheck]{Title: "check", Of: func(c listedCheck) string { return c.ID }},
		terminal.Column[listedCheck]{Title: "level", Of: func(c listedCheck) string { return c.Level }},
		terminal.Column[listedCheck]{Title: "needs", Of: func(c listedCheck) string { return c.Needs }},
		terminal.Column[listedCheck]{Title: "sentence", Of: func(c listedCheck) string { return c.Sentence }},
	)
}

type conformDiff struct {
	Old string `arg:"" type:"existingfile" help:"Report of before, as JSON."`
	New string `arg:"" type:"existingfile" help:"Report of later, as JSON."`
}

// Run prints what changed. It fails if something fell anew.
func (c *conformDiff) Run() error {
	var reports [2]conform.Report
	for i, path := range []string{c.Old, c.New} {
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &reports[i])
		}
		if err != nil {
			return &couldNotRun{fmt.Errorf("%s: %w", path, err)}
		}
	}
	fell, err := conform.Diff(os.Stdout, reports[0], reports[1])
	if err == nil && fell {
		err = errors.New("something fell anew")
	}
	return err
}
