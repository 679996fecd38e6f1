package wire

import (
	"cmp"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/pages"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// publicPages returns what browsers are shown that open the API's address.
func publicPages(service *siteapi.Service, c config.Server, document func() ([]byte, error)) *pages.Pages {
	o := pages.Options{
		Document: document, Environment: c.Environment, Demo: c.Demo, Health: c.AdminListen == "",
		Origin: strings.TrimRight(cmp.Or(c.PublicURL, "http://127.0.0.1:8080"), "/"),
	}
	if c.ConsoleBeside && c.ConsoleListen == "" {
		o.Console = config.ConsolePath + "/"
	}
	if c.Portal {
		o.Portal = config.PortalPath + "/"
	}
	for _, operation := range service.Operations() {
		if operation.First {
			o.First = append(o.First, pages.Call{Method: operation.Method, Path: kernel.BasePath + operation.Path})
		}
	}
	return pages.New(o)
}
