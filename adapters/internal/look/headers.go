package look

import "net/http"

// Policy is what browsers may load for pages besides what they always may: scripts,
// styles, pictures, fonts and answers of the same origin.
type Policy struct {
	// Scripts and Images are further sources of them, TrustedTypes what may make a
	// script of a text; empty for none.
	Scripts, Images, TrustedTypes string
}

// Set tells browsers to run nothing but the scripts of the policy, to take nothing for
// what it is not said to be, and to show the pages inside no other one.
func (p Policy) Set(header http.Header) {
	trusted := p.TrustedTypes
	if trusted == "" {
		trusted = "'none'"
	}
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'"+also(p.Scripts)+"; style-src 'self'; img-src 'self'"+also(p.Images)+"; font-src 'self'; "+
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types "+trusted)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
}

func also(source string) string {
	if source == "" {
		return ""
	}
	return " " + source
}
