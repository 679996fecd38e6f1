package archive

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
)

// Keys seal what nobody may read in an archive, and vouch for the whole of it.
// They are made from a server's secret key, and serve for nothing else.
type Keys struct {
	id         string
	aead       cipher.AEAD
	nonce, mac []byte
}

// NewKeys makes keys from a secret of 32 random bytes.
func NewKeys(secret []byte) (k Keys, err error) {
	if len(secret) != 32 {
		return k, fmt.Errorf("archive: a key has 32 bytes, not %d", len(secret))
	}
	derive := func(purpose string) []byte {
		key, failed := hkdf.Key(sha256.New, secret, nil, "vitrine archive "+purpose, 32)
		err = errors.Join(err, failed)
		return key
	}
	sealing, id := derive("sealing"), derive("id")
	k.nonce, k.mac = derive("nonce"), derive("mac")
	if err != nil {
		return Keys{}, err
	}
	k.id = hex.EncodeToString(id[:8])
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return Keys{}, err
	}
	k.aead, err = cipher.NewGCM(block)
	return k, err
}

// String tells which keys these are, and none of them.
func (k Keys) String() string { return "archive keys " + k.id }

// GoString is String.
func (k Keys) GoString() string { return k.String() }

func (k Keys) digest(key []byte, texts ...string) []byte {
	mac := hmac.New(sha256.New, key)
	for _, text := range texts {
		fmt.Fprintf(mac, "%d:%s", len(text), text)
	}
	return mac.Sum(nil)
}

// seal encrypts a secret for one place in an archive. The nonce is a digest of
// both, so that the same secret in the same place looks the same, and no other
// two use the same nonce.
func (k Keys) seal(secret, place string) string {
	nonce := k.digest(k.nonce, place, secret)[:k.aead.NonceSize()]
	return base64.RawStdEncoding.EncodeToString(k.aead.Seal(nonce, nonce, []byte(secret), []byte(place)))
}

func (k Keys) open(sealed, place string) (string, error) {
	b, err := base64.RawStdEncoding.Strict().DecodeString(sealed)
	if err != nil || len(b) < k.aead.NonceSize() {
		return "", errors.New("what should be sealed is not")
	}
	secret, err := k.aead.Open(nil, b[:k.aead.NonceSize()], b[k.aead.NonceSize():], []byte(place))
	if err != nil {
		return "", errors.New("the sealed secret was altered, or comes from another place")
	}
	return string(secret), nil
}
