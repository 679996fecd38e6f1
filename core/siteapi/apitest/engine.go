package apitest

import (
	"io"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Engine is what an engine is tested over: a kernel without use cases. Two of
// them over the same store are two processes.
type Engine struct {
	Fixture
	Kernel *kernel.Kernel
}

// NewEngine is a kernel over a store as it is. Processes are named at random: those
// that share a store need different bytes.
func NewEngine(t *testing.T, store port.Store, c *Clock, random io.Reader) Engine {
	t.Helper()
	ports := Ports(store, c)
	ports.Rand = random
	k, err := kernel.NewKernel(ports, kernel.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	return Engine{Fixture{t, store, c}, k}
}

// AddSites stores the sites 1 and 2 with one agency each, 10 and 20, and the
// client full, which reaches both.
func (e Engine) AddSites() {
	e.T.Helper()
	e.Update(func(tx port.Tx) error {
		sites := []site.ID{1, 2}
		for _, id := range sites {
			agency := site.Agency{ID: AgencyOf(id), Site: id, Active: true}
			if err := kernel.FirstError(tx.Sites().Put(site.Site{ID: id, Agencies: []site.AgencyID{agency.ID}}), tx.Agencies().Put(agency)); err != nil {
				return err
			}
		}
		return tx.Credentials().Put(access.Credential{ID: "full", Sites: sites, Packs: access.AllPacks})
	})
}

// AgencyOf is the agency of a site of AddSites.
func AgencyOf(id site.ID) site.AgencyID { return site.AgencyID(10 * id) }

// Write runs a unit of work of a request about a site.
func (e Engine) Write(id site.ID, unit func(kernel.Unit) error) {
	e.T.Helper()
	c, err := e.Kernel.System(e.T.Context(), id)
	if err == nil {
		_, err = kernel.Write(e.T.Context(), e.Kernel, c, func(u kernel.Unit) (kernel.None, error) { return kernel.None{}, unit(u) })
	}
	if err != nil {
		e.T.Fatal(err)
	}
}
