// Package drawing draws pictures of properties for demo data: façades and
// rooms, simple ones, made of flat shapes. The same description gives the same
// picture each time.
package drawing
