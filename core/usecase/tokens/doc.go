// Package tokens has the use cases of authentication: the clients of the API, which are
// credentials, their tokens, and the API keys of their scripts.
//
// A client gets a pair of tokens for a site (IssueToken), which begins a family.
// Before the access token expires it exchanges the refresh token for the next
// pair of the family (RefreshToken). Identify returns the caller of a token, and caches its
// grant as a session while the access revision of the site stays the same. Every change of a
// credential and every revocation raises that revision, so that it takes effect with the next
// request on every server. Keys (IdentifyKey) are cached in the same way.
package tokens
