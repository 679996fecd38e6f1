package kit

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
)

// Flash is what is said once, on the page after a form was sent. It travels in a
// cookie that is gone when it has been shown, so that any process can show it. The
// cookie is sealed with a key made of the session's secret: nobody else can put
// something there, and it is worth nothing by itself.
type Flash struct {
	Tone Tone
	Text Text
	// Secret is something that is shown on that page alone, such as that of a new client,
	// and Keep what is to be done with it.
	Secret string
	Keep   Text
}

func flashSeal(session string) (cipher.AEAD, error) {
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

// seal writes the flash as the value of a cookie.
func (f Flash) seal(session string) (string, error) {
	aead, err := flashSeal(session)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(f)
	return base64.RawURLEncoding.EncodeToString(aead.Seal(nil, nil, plain, nil)), err
}

// openFlash reads the value of a cookie that seal wrote for the same session.
func openFlash(value, session string) (*Flash, error) {
	aead, err := flashSeal(session)
	if err != nil {
		return nil, err
	}
	sealed, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, err
	}
	f := &Flash{}
	return f, json.Unmarshal(plain, f)
}
