// Package archive writes and reads archives of whole sites: JSON Lines and
// pictures in a tar file. docs/archive.md describes the format. The same site
// makes the same bytes.
package archive
