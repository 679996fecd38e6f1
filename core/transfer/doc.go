// Package transfer brings whole sites and portfolios in and out: provisioning
// from a setup, import and export of listings. It has no operations of the
// contract; operators and command lines call it.
package transfer
