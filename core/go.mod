module github.com/vitrine-crm/vitrine/core

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/teambition/rrule-go v1.8.2
	golang.org/x/net v0.60.0
	golang.org/x/text v0.43.0
	pgregory.net/rapid v1.3.0
)
