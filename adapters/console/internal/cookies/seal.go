package cookies

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
)

// sealOf returns what seals for a session, by a key made of its secret.
func sealOf(session string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(session), nil, "vitrine console flash", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal writes something as the value of a cookie that is worth nothing without the secret of a session, and that nobody
// else can write.
func Seal(something any, session string) (string, error) {
	aead, err := sealOf(session)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(something)
	return base64.RawURLEncoding.EncodeToString(aead.Seal(nil, nil, plain, nil)), err
}

// Open reads what Seal wrote for the same session.
func Open(value, session string, into any) error {
	aead, err := sealOf(session)
	if err != nil {
		return err
	}
	sealed, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return err
	}
	plain, err := aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(plain, into)
}
