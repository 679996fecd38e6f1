// Package passwords turns passwords of operators into hashes with argon2id, and knows
// which passwords many people have.
package passwords

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	zxcvbn "github.com/ccojocar/zxcvbn-go"
	"golang.org/x/crypto/argon2"

	"github.com/vitrine-crm/vitrine/core/port"
)

// The price of a hash: 19 MiB, twice over, in one thread, as OWASP recommends. Hashes
// say what they were made with, so that it can be raised later.
const (
	memory  = 19 * 1024
	passes  = 2
	threads = 1
	saltLen = 16
	hashLen = 32
)

// atOnce is how many hashes are made at the same time: who signs in waits, and the
// memory is bounded.
const atOnce = 2

// Argon2 is port.Passwords. It is safe for concurrent use.
type Argon2 struct {
	random io.Reader
	turns  chan struct{}
}

var _ port.Passwords = (*Argon2)(nil)

// New makes hashes with salts of a source of unpredictable bytes.
func New(random io.Reader) *Argon2 {
	return &Argon2{random: random, turns: make(chan struct{}, atOnce)}
}

// Hash implements port.Passwords. The hash is a PHC string.
func (a *Argon2) Hash(password string) (string, error) {
	salt := make([]byte, saltLen)
	if _, err := io.ReadFull(a.random, salt); err != nil {
		return "", fmt.Errorf("drawing a salt: %w", err)
	}
	h := newParts(salt)
	h.hash = a.derive(h, password)
	return h.String(), nil
}

// Verify implements port.Passwords. Without a hash it takes as long as with one.
func (a *Argon2) Verify(hash, password string) (bool, error) {
	somebody := hash != ""
	h := newParts(make([]byte, saltLen))
	if somebody {
		var err error
		if h, err = parse(hash); err != nil {
			return false, err
		}
	}
	matches := subtle.ConstantTimeCompare(a.derive(h, password), h.hash) == 1
	return matches && somebody, nil
}

// derive returns the hash of a password that is as long as that of the parts.
func (a *Argon2) derive(h parts, password string) []byte {
	a.turns <- struct{}{}
	defer func() { <-a.turns }()
	return argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.threads, uint32(len(h.hash))) //nolint:gosec // parse bounds it
}

// parts are what a PHC string says of a hash.
type parts struct {
	memory, passes uint32
	threads        uint8
	salt, hash     []byte
}

// newParts returns those of a hash that is yet to be derived.
func newParts(salt []byte) parts {
	return parts{memory: memory, passes: passes, threads: threads, salt: salt, hash: make([]byte, hashLen)}
}

// String writes the parts as a PHC string.
func (p parts) String() string {
	code := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, p.memory, p.passes, p.threads, code.EncodeToString(p.salt), code.EncodeToString(p.hash))
}

// errNoHash is the error of what is no hash of this package; it does not show it.
var errNoHash = errors.New("a stored password is no hash of argon2id")

// maxMemory bounds what a stored hash can demand, in KiB.
const maxMemory = 1 << 20

func parse(phc string) (p parts, err error) {
	fields := strings.Split(phc, "$")
	if len(fields) != 6 || fields[0] != "" || fields[1] != "argon2id" || fields[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, errNoHash
	}
	if _, err := fmt.Sscanf(fields[3], "m=%d,t=%d,p=%d", &p.memory, &p.passes, &p.threads); err != nil {
		return p, errNoHash
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(fields[4])
	hash, hashErr := base64.RawStdEncoding.DecodeString(fields[5])
	if saltErr != nil || hashErr != nil || len(hash) < 16 || len(hash) > 64 || p.passes == 0 || p.threads == 0 || p.memory == 0 || p.memory > maxMemory {
		return p, errNoHash
	}
	p.salt, p.hash = salt, hash
	return p, nil
}

// guessable is the score, of 0 to 4, below which a password is one of those that are
// tried first: common ones, with their usual endings, rows of keys, and dates.
const guessable = 2

// IsCommon implements port.Passwords. The lists of common passwords, names and words
// are those of zxcvbn, which knows English; what is common in French is added.
func (a *Argon2) IsCommon(password string) bool {
	return zxcvbn.PasswordStrength(strings.ToLower(password), french()).Score < guessable
}

// french are words that French passwords are often made of.
func french() []string {
	return []string{
		"azertyuiop", "motdepasse", "mot de passe", "bonjour", "soleil", "doudou", "loulou", "chouchou", "jetaime", "je t'aime", "amour", "marseille",
		"france", "paris", "chocolat", "camille", "nicolas", "coucou", "bienvenue", "agence", "immobilier", "immobiliere", "vitrine",
	}
}
