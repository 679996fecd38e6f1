package api_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// kernel is a kernel of its own over the store of a world.
type kernel struct {
	*api.Kernel
	world *apitest.World
}

func newKernel(t *testing.T) kernel {
	t.Helper()
	return kernelOver(t, apitest.New(t), api.Options{})
}

func kernelOver(t *testing.T, w *apitest.World, o api.Options) kernel {
	t.Helper()
	o.Domain, o.Pepper = "https://crm.example.org/", make([]byte, 16)
	k, err := api.NewKernel(apitest.Ports(w.Store, w.Clock), o)
	if err != nil {
		t.Fatal(err)
	}
	return kernel{k, w}
}

// caller is one who may do everything at a site, as it is now.
func (k kernel) caller(id site.ID) api.Caller {
	k.world.T.Helper()
	c, err := k.Admit(k.world.T.Context(), access.Grant{
		Credential: "full", Site: id, Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	})
	if err != nil {
		k.world.T.Fatal(err)
	}
	return c
}

// write runs a unit of work on behalf of that caller at site 1.
func (k kernel) write(unit func(api.Unit) error) error {
	_, err := api.Write(k.world.T.Context(), k.Kernel, k.caller(1), func(u api.Unit) (api.None, error) { return api.None{}, unit(u) })
	return err
}
