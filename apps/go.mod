module github.com/vitrine-crm/vitrine/apps

go 1.26.0

require (
	github.com/vitrine-crm/vitrine/adapters v0.0.0-00010101000000-000000000000
	github.com/vitrine-crm/vitrine/core v0.0.0-00010101000000-000000000000
)

require (
	github.com/alecthomas/kong v1.17.0 // indirect
	github.com/getkin/kin-openapi v0.152.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/lib/pq v1.12.3 // indirect
	github.com/prometheus/client_golang v1.25.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace (
	github.com/vitrine-crm/vitrine/adapters => ../adapters
	github.com/vitrine-crm/vitrine/core => ../core
)
