// Package tokens is about who may come in: the clients of the API, which are
// credentials, the tokens they are handed out, and API keys of their scripts.
//
// A client gets a pair of tokens for a site (IssueToken), which begins a family.
// Before the access token expires it exchanges the refresh token for the next
// pair of the family (RefreshToken). The bearer of a token is
// identified by it (Identify): what the token stands for is remembered as a
// session, for as long as the count of the site's access stays the same. Every
// change of a credential and every revocation raises that count, so that it takes
// effect with the next request on every server. Keys (IdentifyKey) are remembered
// in the same way.
package tokens
