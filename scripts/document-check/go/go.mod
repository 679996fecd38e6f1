module documentcheck

go 1.26.0

require (
	github.com/oapi-codegen/runtime v1.9.0
	github.com/vitrine-crm/vitrine/adapters/client v0.0.0
)

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/oapi-codegen/nullable v1.2.0 // indirect
)

// From here and from .cache/document-check/go.
replace github.com/vitrine-crm/vitrine/adapters/client => ../../../adapters/client
