package kernel_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// ownKernel is a kernel of its own over the store of a world.
type ownKernel struct {
	*kernel.Kernel
	world *apitest.World
}

func newKernel(t *testing.T) ownKernel {
	t.Helper()
	return kernelOver(t, apitest.New(t), kernel.Options{})
}

func kernelOver(t *testing.T, w *apitest.World, o kernel.Options) ownKernel {
	t.Helper()
	o.Domain, o.Pepper = "https://crm.example.org/", make([]byte, 16)
	k, err := kernel.NewKernel(apitest.Ports(w.Store, w.Clock), o)
	if err != nil {
		t.Fatal(err)
	}
	return ownKernel{k, w}
}

// caller is one who may do everything at a site, as it is now.
func (k ownKernel) caller(id site.ID) kernel.Caller {
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
func (k ownKernel) write(unit func(kernel.Unit) error) error {
	_, err := kernel.Write(k.world.T.Context(), k.Kernel, k.caller(1), func(u kernel.Unit) (kernel.None, error) { return kernel.None{}, unit(u) })
	return err
}
