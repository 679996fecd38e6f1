// Package showcase is the website of a mirror: pages of listings that are made by the server and work
// without a script. What is published is an allow-list: a field that published.go does not name is on no page.
package showcase
