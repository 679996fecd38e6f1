package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// sandbox is a server with demo data, and what talks to it.
type sandbox struct {
	folder   string
	server   *rig.Process
	receiver *rig.Receiver
	// network is the client sandbox-network.
	network *rig.Client
	// webhooks are the ids of those whose receivers are good, picky and broken, and of a broken one with a long address.
	webhooks map[string]int64
	// feeds are the pages of sources and portals, below the console: each one that is OK, and one that is failing.
	feeds []string
	// runs are the pages of a run that is undone, of the dry run of its undo, of the undo, and of a dry run of an undo that
	// can be carried out.
	runs []string
	// invitation is a link by which somebody comes in.
	invitation string
	// refused is a request_id of a request that was refused.
	refused string
	// office is the demo operator without a browser.
	office *office
	// groupSecret is the secret of sandbox-group.
	groupSecret string
	// price is the last one that a product got.
	price atomic.Int64
	// mended reports that the broken receiver works again.
	mended atomic.Bool

	mu sync.Mutex
	// received counts what the receivers took, and missed are the products whose change the broken one has not got.
	received map[string]int
	missed   map[int64]bool
}

// startSandbox builds and starts the server. Retries come soon, so that webhooks
// are suspended while somebody watches.
func startSandbox(ctx context.Context) (*sandbox, error) {
	folder, err := os.MkdirTemp("", "console-check-")
	if err != nil {
		return nil, err
	}
	s := &sandbox{
		folder: folder, network: rig.NewClient("sandbox-network", "sandbox-network-secret", time.Minute), webhooks: map[string]int64{},
		groupSecret: "sandbox-group-secret", received: map[string]int{}, missed: map[int64]bool{},
	}
	s.price.Store(300000)
	binary := filepath.Join(folder, "vitrine")
	if err := rig.Build(ctx, binary); err != nil {
		return nil, errors.Join(err, s.end())
	}
	err = errors.Join(os.MkdirAll(filepath.Join(folder, importFolder, "nantes"), 0o700), os.MkdirAll(filepath.Join(folder, exportFolder, "lyon"), 0o700))
	if err == nil {
		s.server, err = rig.NewProcess(filepath.Join(folder, "server.log"), binary, "sandbox",
			"--database="+filepath.Join(folder, "vitrine.db"), "--hooks-retry-delays=200ms,300ms,400ms", "--log-level=warn",
			"--import-folder="+filepath.Join(folder, importFolder), "--export-folder="+filepath.Join(folder, exportFolder))
	}
	if err == nil {
		err = s.server.Start(ctx)
	}
	if err == nil {
		s.receiver, err = rig.Receive(s.answers())
	}
	if err != nil {
		return nil, errors.Join(err, s.end())
	}
	return s, nil
}

// answers returns those of the receivers: one takes everything, one refuses now and
// then, one is broken.
func (s *sandbox) answers() func(rig.Delivery) rig.Reply {
	n := 0
	return func(d rig.Delivery) rig.Reply {
		s.mu.Lock()
		defer s.mu.Unlock()
		path, _, _ := strings.Cut(d.Path, "/")
		s.received[path]++
		switch path {
		case "long":
			return rig.Reply{Status: http.StatusInternalServerError}
		case "broken":
			if !s.mended.Load() {
				return rig.Reply{Status: http.StatusInternalServerError}
			}
			delete(s.missed, d.Resource)
		case "picky":
			if n++; n%5 == 0 {
				return rig.Reply{Status: http.StatusUnprocessableEntity}
			}
		}
		return rig.Reply{Status: http.StatusOK}
	}
}

// count returns how often a receiver was sent something.
func (s *sandbox) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.received[path]
}

// lacks returns how many products changed whose change the broken receiver has not got.
func (s *sandbox) lacks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.missed)
}

// reprice changes the price of a product.
func (s *sandbox) reprice(ctx context.Context, product, price int64) error {
	return s.network.Do(ctx, s.server.Address, 1, http.MethodPatch, fmt.Sprintf("/products/%d", product), rig.Object{
		"product_id": product, "criteria": []rig.Object{{"id": "Prix", "value": price}},
	}, nil)
}

// fail breaks the broken receiver until its webhook is suspended, and has products change before and after that.
func (s *sandbox) fail(ctx context.Context) error {
	s.mended.Store(false)
	for id := range int64(12) {
		if id == 8 {
			if err := s.suspended(ctx, "broken"); err != nil {
				return err
			}
		}
		s.mu.Lock()
		s.missed[id+1] = true
		s.mu.Unlock()
		if err := s.reprice(ctx, id+1, s.price.Add(1000)); err != nil {
			return err
		}
	}
	return nil
}

// webhook returns the page of one of the webhooks.
func (s *sandbox) webhook(path string) string {
	return s.url(fmt.Sprint(console, "webhooks/", s.webhooks[path]))
}

// seeds are pages of site 1 that links lead to late or never, or that differ from others of their kind.
func (s *sandbox) seeds() []string {
	all := []string{s.url(console + "jump"), s.url(console + "me/passkeys"), s.url(console + "credentials/sandbox-website"), s.url(console + "requests/" + s.refused), s.webhook("broken"), s.webhook("long")}
	for _, one := range slices.Concat(s.feeds, s.runs) {
		all = append(all, s.url(console+one))
	}
	return all
}

// everywhere are pages of all sites at once, the last of which asks for which site it is to be.
func (s *sandbox) everywhere() []string {
	var all []string
	for _, one := range []string{"sites", "webhooks", "requests", "requests/traffic", "products"} {
		all = append(all, s.url(console+one+"?site=all"))
	}
	return all
}

func (s *sandbox) url(path string) string { return "http://" + s.server.Address + path }

func (s *sandbox) end() (err error) {
	if s.receiver != nil {
		err = s.receiver.Server.Close()
	}
	if s.server != nil {
		err = errors.Join(err, s.server.Stop())
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

// live has clients do what clients do.
func (s *sandbox) live(ctx context.Context) error {
	clients := map[string]*rig.Client{"sandbox-network": s.network}
	for _, id := range []string{"sandbox-website", "sandbox-group"} {
		clients[id] = rig.NewClient(id, id+"-secret", time.Minute)
	}
	for _, path := range []string{"good", "picky", "broken"} {
		if err := s.subscribe(ctx, path, path); err != nil {
			return err
		}
	}
	for i := range 40 {
		for _, r := range dayOf(i) {
			answer, err := clients[r.client].Call(ctx, s.server.Address, 1, r.method, r.path, r.body)
			if err != nil {
				return err
			}
			if answer.Status == http.StatusUnprocessableEntity || answer.Status == http.StatusBadRequest {
				s.refused = answer.Header.Get("X-Request-Id")
			}
		}
	}
	if s.refused == "" {
		return errors.New("no request was refused, so there is none to look at")
	}
	return s.suspended(ctx, "broken")
}

// subscribe adds a webhook that is delivered to a path of the receiver.
func (s *sandbox) subscribe(ctx context.Context, name, path string) error {
	id, err := s.network.Create(ctx, s.server.Address, 1, "/hooks", rig.Object{"url": s.receiver.URL + path, "origines": []string{"PRODUCT_UPDATE", "CUSTOMER_UPDATE"}})
	s.webhooks[name] = id
	return err
}

// request is one of a client.
type request struct {
	client, method, path string
	body                 any
}

// dayOf returns some requests of the clients, the same for the same number.
func dayOf(i int) []request {
	id := i%30 + 1
	product := fmt.Sprintf("/products/%d", id)
	sent := []request{
		{"sandbox-website", http.MethodGet, product, nil},
		{"sandbox-website", http.MethodPost, "/products/search", rig.Object{"count": 10, "skip": id}},
		{"sandbox-website", http.MethodGet, fmt.Sprintf("/products/%d", 5000+id), nil},
		{"sandbox-group", http.MethodPost, "/products/search", rig.Object{"agencyId": 11, "count": 5}},
		{"sandbox-network", http.MethodPatch, product, rig.Object{"product_id": id, "criteria": []rig.Object{{"id": "Prix", "value": 200000 + 1000*i}}}},
	}
	if i%4 == 0 {
		sent = append(sent, request{"sandbox-network", http.MethodPatch, product, rig.Object{
			"productId": id, "criteria": []rig.Object{{"id": "TypeBien", "value": "Chateau"}, {"id": "Prix", "value": 515000}},
		}})
	}
	return sent
}

// suspended waits until a broken receiver has cost its webhook its deliveries.
func (s *sandbox) suspended(ctx context.Context, name string) error {
	var failed error
	is := rig.Until(ctx, 30*time.Second, 200*time.Millisecond, func() bool {
		var hook struct{ Data struct{ Status string } }
		failed = s.network.Do(ctx, s.server.Address, 1, http.MethodGet, fmt.Sprintf("/hooks/%d", s.webhooks[name]), nil, &hook)
		return hook.Data.Status == "suspended"
	})
	if !is {
		return errors.Join(failed, fmt.Errorf("the webhook of the %s receiver was not suspended", name))
	}
	return nil
}
