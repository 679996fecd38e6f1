package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

type initialize struct {
	data
	Name       string `help:"Name of the network."`
	Agency     string `help:"Name of its first agency; by default that of the network."`
	PostalCode string `help:"Postal code of the agency."`
	City       string `help:"Town of the agency."`
	Firstname  string `help:"First name of who works there first."`
	Lastname   string `help:"Last name of who works there first."`
	Email      string `help:"E-mail of who works there first."`
	Site       int64  `default:"1" help:"Number of the site."`
	Out        string `type:"path" help:"Write a provisioning file in place of making the site, to keep it in version control."`
}

// Run makes the site, or the file that describes it.
func (c *initialize) Run(ctx context.Context) error {
	if c.Out != "" {
		return c.writeFile(ctx)
	}
	if err := wire.CheckKeyFirst(ctx, c.Database, c.Secrets); err != nil {
		return err
	}
	wanted, err := c.answered(ctx)
	if err != nil {
		return err
	}
	return c.orNothing(ctx, anything, func(store *sqlstore.Store) error {
		service, err := wire.Service(ctx, store, c.Secrets, kernel.Options{})
		if err != nil {
			return err
		}
		office, err := wire.Backoffice(service)
		if err != nil {
			return err
		}
		made, err := office.CreateSite(ctx, backoffice.CommandLine(), wanted)
		if errors.Is(err, fault.Invalid) { // the answers are right, so the number is taken
			return fmt.Errorf("%w. Another --site makes another site; the console adds agencies and users to one", byFlags(err))
		}
		if err != nil {
			return err
		}
		fmt.Fprint(os.Stderr, c.afterwards(made))
		return printJSON(made)
	})
}

// afterwards says what to do with a site that was made.
func (c *initialize) afterwards(made backoffice.CreatedSite) string {
	database := "--database " + c.Shown()
	if c.IsPostgres() {
		database = "--database … --photos file:///var/lib/vitrine/photos" // the name may have a password in it
	}
	secret := "$SECRET" // a script has it from the record, and its log is read by others
	if terminal.Is(os.Stdout) {
		secret = made.Secret
	}
	return fmt.Sprintf(`
The site is made. Serve it, with the same VITRINE_SECRET_KEY:

  vitrine serve %[1]s --listen 127.0.0.1:8081 --console-listen 127.0.0.1:8083

A token for its client, which may do everything there, and whose secret is shown this once:

  curl -u %[2]s:%[3]s -d site_id=%[4]d http://127.0.0.1:8081/api/client/token/site

The console is at http://127.0.0.1:8083/console/; the server logs a link for its first operator.

`, database, made.Client, secret, made.Site)
}

// writeFile writes the file by which vitrine provision makes the site.
func (c *initialize) writeFile(ctx context.Context) error {
	if _, err := os.Stat(c.Out); !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fmt.Errorf("%s is there already", c.Out))
	}
	wanted, err := c.answered(ctx)
	if err != nil {
		return err
	}
	described, err := wanted.Setup()
	if err != nil {
		return err
	}
	described.Vocabulary = setup.FrenchVocabulary
	err = replace(c.Out, 0o644, func(file io.Writer) error {
		_, err := fmt.Fprintf(file, "# A site for vitrine provision; docs/operating/provisioning.md says what else it may have.\n")
		return errors.Join(err, setup.Encode(file, transfer.Setup{Sites: []transfer.SetupSite{described}}))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, `
The file has no secret. Carry it out, and make a client of the API, whose secret is shown once:

  vitrine provision %[1]s
  vitrine credential create site-%[2]d --site %[2]d --pack all --permission all --right all

`, c.Out, c.Site)
	return nil
}

// question is what is asked for a flag that is missing or wrong.
type question struct {
	field, text string
	answer      *string
}

func (c *initialize) questions() []question {
	return []question{
		{"name", "Name of the network", &c.Name}, {"postal_code", "Postal code of its first agency", &c.PostalCode}, {"city", "Town of the agency", &c.City},
		{"firstname", "First name of who works there first", &c.Firstname}, {"lastname", "Last name", &c.Lastname}, {"email", "E-mail", &c.Email},
	}
}

// wanted returns what the flags and answers say.
func (c *initialize) wanted() backoffice.NewSite {
	return backoffice.NewSite{
		ID: c.Site, Name: c.Name, Agency: c.Agency, PostalCode: c.PostalCode, City: c.City, Firstname: c.Firstname, Lastname: c.Lastname, Email: c.Email,
	}
}

// answered returns what is wanted, once nothing is missing. On a terminal it asks.
func (c *initialize) answered(ctx context.Context) (backoffice.NewSite, error) {
	if terminal.Is(os.Stdin) {
		if err := c.ask(ctx, os.Stdin, os.Stderr); err != nil {
			return backoffice.NewSite{}, err
		}
	}
	if c.Site < 1 { // to the backoffice 0 is the next number
		return backoffice.NewSite{}, errors.New("--site is a number of at least 1")
	}
	wanted := c.wanted()
	_, err := wanted.Setup()
	if err != nil {
		return wanted, fmt.Errorf("%w. On a terminal vitrine init asks", byFlags(err))
	}
	return wanted, nil
}

// ask asks for what is missing or wrong, until it is right.
func (c *initialize) ask(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for _, q := range c.questions() {
		for {
			problem := c.problem(q)
			if problem == "" {
				break
			}
			if *q.answer != "" {
				fmt.Fprintln(out, " ", problem)
			}
			fmt.Fprintf(out, "%s: ", q.text)
			line, err := readLine(ctx, lines)
			if err != nil {
				return err
			}
			*q.answer = strings.TrimSpace(line)
		}
	}
	return nil
}

// readLine reads a line, unless the context ends before there is one.
func readLine(ctx context.Context, in *bufio.Reader) (string, error) {
	type answer struct {
		line string
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		line, err := in.ReadString('\n')
		read <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", interrupted(ctx.Err(), "nothing was made")
	case got := <-read:
		if errors.Is(got.err, io.EOF) {
			return "", errors.New("the answers ended before the questions")
		}
		return got.line, got.err
	}
}

// problem returns what is wrong with the answer to a question; empty for nothing.
func (c *initialize) problem(q question) string {
	_, err := c.wanted().Setup()
	if err == nil {
		return ""
	}
	for _, d := range fault.From(err).Details {
		if d.Field == q.field {
			return strings.Replace(d.Message.String(), q.field, q.text, 1)
		}
	}
	return ""
}

// byFlags returns an error about fields as one about flags.
func byFlags(err error) error {
	told, ok := errors.AsType[*fault.Error](err)
	if !ok || len(told.Details) == 0 {
		return err
	}
	var problems []string
	for _, d := range told.Details {
		flag := "--" + strings.ReplaceAll(d.Field, "_", "-")
		text := d.Message.String()
		if rest, about := strings.CutPrefix(text, d.Field+" "); about {
			text = flag + " " + rest
		} else {
			text = flag + ": " + text
		}
		problems = append(problems, text)
	}
	return errors.New(strings.Join(problems, "; "))
}
