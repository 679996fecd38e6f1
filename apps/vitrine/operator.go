package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

type operators struct {
	Invite  inviteOperator  `cmd:"" help:"Print a link by which somebody becomes an operator, or comes back who lost their password; without an e-mail, the link for the first operator."`
	List    listOperators   `cmd:"" help:"List the operators."`
	Disable disableOperator `cmd:"" help:"Disable an operator, and end their sessions."`
}

// office runs a task about operators.
func (d data) office(ctx context.Context, task func(*backoffice.Service) error) error {
	return d.existing(ctx, func(s *siteapi.Service) error {
		office, err := wire.Backoffice(s)
		if err != nil {
			return err
		}
		return task(office)
	})
}

type inviteOperator struct {
	data
	config.ConsoleURL
	Email string  `arg:"" optional:"" help:"E-mail the operator signs in with."`
	Name  string  `help:"Name of somebody new."`
	Role  string  `default:"administrator" enum:"administrator,integrator,reader,privacy" help:"Role of somebody new: ${enum}."`
	Sites []int64 `name:"site" help:"Site the role holds for; repeat for several. Without any it holds for all."`
}

// linkRecord is a link as commands print it.
type linkRecord struct {
	Link    string    `json:"link"`
	Expires time.Time `json:"expires"`
}

// Run prints a link.
func (c *inviteOperator) Run(ctx context.Context) error {
	return c.office(ctx, func(s *backoffice.Service) error {
		if c.Email == "" {
			return c.setUp(ctx, s)
		}
		link, err := c.invite(ctx, s)
		if err != nil {
			return err
		}
		return c.print(c.InvitationLink(link.Secret), link)
	})
}

func (c *inviteOperator) setUp(ctx context.Context, s *backoffice.Service) error {
	link, needed, err := s.SetUp(ctx)
	switch {
	case err != nil:
		return err
	case !needed:
		return errors.New("there are operators already: give the e-mail of somebody to invite")
	}
	return c.print(c.SetUpLink(link.Secret), link)
}

// print writes a link, and says on standard error when it is none that a browser opens.
func (c *inviteOperator) print(address string, link backoffice.Link) error {
	if c.ConsoleURL.ConsoleURL == "" {
		fmt.Fprintln(os.Stderr, "the link lacks the scheme and host of the console: put them before it, or say --console-url (VITRINE_CONSOLE_URL)")
	}
	return printJSON(linkRecord{address, link.Expires.Time})
}

// invite lets an operator back in, or invites somebody new.
func (c *inviteOperator) invite(ctx context.Context, s *backoffice.Service) (backoffice.Link, error) {
	known, found, err := operatorWith(ctx, s, c.Email)
	switch {
	case err != nil:
		return backoffice.Link{}, err
	case found:
		return s.RecoverOperator(ctx, backoffice.CommandLine(), backoffice.OperatorPath{ID: known.ID})
	}
	link, err := s.InviteOperator(ctx, backoffice.CommandLine(), backoffice.InviteOperator{
		Email: c.Email, Name: c.Name, Post: backoffice.Post{Role: c.Role, Sites: c.Sites, Everywhere: len(c.Sites) == 0},
	})
	if err != nil && c.Name == "" {
		err = fmt.Errorf("%w; somebody new needs a --name", err)
	}
	return link, err
}

// operatorWith finds the operator with an e-mail.
func operatorWith(ctx context.Context, s *backoffice.Service, email string) (known backoffice.OperatorRecord, found bool, err error) {
	all, err := s.ListOperators(ctx, backoffice.CommandLine(), kernel.Nothing{})
	if err != nil {
		return known, false, err
	}
	spelled, _ := operator.ParseEmail(email)
	for _, o := range all.Operators {
		if o.Email == spelled {
			return o, true, nil
		}
	}
	return known, false, nil
}

type listOperators struct {
	data
	terminal.Listing
}

var operatorColumns = []terminal.Column[operatorRecord]{
	{Title: "id", Of: func(r operatorRecord) string { return fmt.Sprint(r.ID) }},
	{Title: "e-mail", Of: func(r operatorRecord) string { return r.Email }},
	{Title: "name", Of: func(r operatorRecord) string { return r.Name }},
	{Title: "role", Of: func(r operatorRecord) string { return r.Role }},
	{Title: "sites", Of: func(r operatorRecord) string {
		if r.Everywhere {
			return "all"
		}
		return numbers(r.Sites)
	}},
	{Title: "state", Of: func(r operatorRecord) string { return ended(false, r.Disabled) }},
	{Title: "signed in", Of: func(r operatorRecord) string { return minute(r.SignedIn) }},
}

// operatorRecord is an operator as commands print them.
type operatorRecord struct {
	ID         int64      `json:"id"`
	Email      string     `json:"email"`
	Name       string     `json:"name"`
	Role       string     `json:"role"`
	Sites      []int64    `json:"sites"`
	Everywhere bool       `json:"everywhere"`
	Disabled   bool       `json:"disabled"`
	SignedIn   *time.Time `json:"signed_in,omitempty"`
}

// Run prints the operators.
func (c *listOperators) Run(ctx context.Context) error {
	return c.office(ctx, func(s *backoffice.Service) error {
		all, err := s.ListOperators(ctx, backoffice.CommandLine(), kernel.Nothing{})
		if err != nil {
			return err
		}
		records := []operatorRecord{}
		for _, o := range all.Operators {
			r := operatorRecord{
				ID: o.ID, Email: o.Email, Name: o.Name, Role: string(o.Role), Sites: []int64{}, Everywhere: o.Everywhere, Disabled: o.Disabled,
			}
			for _, id := range o.Sites {
				r.Sites = append(r.Sites, int64(id))
			}
			if o.SignedIn != nil {
				r.SignedIn = &o.SignedIn.Time
			}
			records = append(records, r)
		}
		return terminal.List(c.Listing, os.Stdout, records, operatorColumns...)
	})
}

type disableOperator struct {
	data
	Email string `arg:"" help:"E-mail the operator signs in with."`
}

// Run keeps the operator out.
func (c *disableOperator) Run(ctx context.Context) error {
	return c.office(ctx, func(s *backoffice.Service) error {
		known, found, err := operatorWith(ctx, s, c.Email)
		switch {
		case err != nil:
			return err
		case !found:
			return fmt.Errorf("no operator has the e-mail %s", strings.TrimSpace(c.Email))
		}
		if _, err := s.DisableOperator(ctx, backoffice.CommandLine(), backoffice.DisableOperator{ID: known.ID, Disabled: true}); err != nil {
			return err
		}
		return printJSON(map[string]any{"email": known.Email, "disabled": true})
	})
}
