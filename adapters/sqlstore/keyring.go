package sqlstore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeyBytes is the length of the keys of a Keyring.
const KeyBytes = 32

// Keyring holds the keys under which secrets are kept: the current one seals,
// and it and the older ones open. A key is replaced by making it an older one;
// what is written from then on is sealed with the new one, and Reseal writes
// the rest.
type Keyring struct {
	current string
	// keys are found by their id, which is made from the key, so that nobody
	// has to name them.
	keys map[string]cipher.AEAD
}

// NewKeyring makes a keyring of random keys of KeyBytes bytes.
func NewKeyring(current []byte, older ...[]byte) (Keyring, error) {
	k := Keyring{keys: map[string]cipher.AEAD{}}
	for i, key := range append([][]byte{current}, older...) {
		if len(key) != KeyBytes {
			return Keyring{}, fmt.Errorf("sqlstore: a key has %d bytes, not %d", KeyBytes, len(key))
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return Keyring{}, fmt.Errorf("sqlstore: %w", err)
		}
		gcm, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return Keyring{}, fmt.Errorf("sqlstore: %w", err)
		}
		id := keyID(key)
		if i == 0 {
			k.current = id
		}
		k.keys[id] = gcm
	}
	return k, nil
}

func keyID(key []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("vitrine key id"))
	return hex.EncodeToString(mac.Sum(nil)[:4])
}

// String tells which keys there are, and none of them.
func (k Keyring) String() string { return fmt.Sprintf("%d keys, current %s", len(k.keys), k.current) }

// GoString is String.
func (k Keyring) GoString() string { return k.String() }

// Sealed gives the store the keys for secrets of webhooks, for what answers a repeated request
// and for whatever else is sealed. Without them these can be neither written nor read.
func Sealed(keys Keyring) Option { return func(s *Store) { s.keyring = keys } }

var (
	errNoKeyring = errors.New("secrets need a keyring, and the store was opened without one: see sqlstore.Sealed")
	errNotSealed = errors.New("what is stored is not a sealed secret")
	errAltered   = errors.New("the sealed secret was altered, or comes from another place")
)

const sealedForm = "v1"

// Seal encrypts a secret for one place, which nothing else is sealed for. In no other
// place can it be opened.
func (k Keyring) Seal(secret, place string) (string, error) {
	key := k.keys[k.current]
	if key == nil {
		return "", errNoKeyring
	}
	sealed := key.Seal(nil, nil, []byte(secret), []byte(place))
	return sealedForm + ":" + k.current + ":" + base64.RawStdEncoding.EncodeToString(sealed), nil
}

// keyOf is the id of the key that sealed something.
func keyOf(sealed string) (id, body string, err error) {
	form, rest, _ := strings.Cut(sealed, ":")
	id, body, ok := strings.Cut(rest, ":")
	if form != sealedForm || !ok {
		return "", "", errNotSealed
	}
	return id, body, nil
}

// Open decrypts what was sealed for a place.
func (k Keyring) Open(sealed, place string) (string, error) {
	if len(k.keys) == 0 {
		return "", errNoKeyring
	}
	id, body, err := keyOf(sealed)
	if err != nil {
		return "", err
	}
	key := k.keys[id]
	if key == nil {
		return "", fmt.Errorf("the secret is sealed with the key %q, which is not on the keyring", id)
	}
	b, err := base64.RawStdEncoding.Strict().DecodeString(body)
	if err != nil {
		return "", errAltered
	}
	secret, err := key.Open(nil, nil, b, []byte(place))
	if err != nil {
		return "", errAltered
	}
	return string(secret), nil
}
