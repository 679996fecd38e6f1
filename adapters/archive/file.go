package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Version is that of the schema. It changes when a record of the same words means
// something else, or an old record cannot be read any more; a field that is added
// is no such thing.
const Version = 1

const (
	formatName   = "vitrine-archive"
	manifestName = "manifest.json"
	endName      = "end.json"
	pictureDir   = "pictures/"
	recordsEnd   = ".jsonl"
)

// manifest is the first file of an archive.
type manifest struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Site    int64  `json:"site"`
	// Key names the keys that secrets are sealed with.
	Key string `json:"key"`
	// HashKey is the key of the hashes of client secrets and tokens, sealed.
	HashKey string `json:"hash_key,omitempty"`
}

// end is the last file of an archive.
type end struct {
	Records  int `json:"records"`
	Pictures int `json:"pictures"`
	// SHA256 is the digest of all files before, and MAC says that somebody with
	// the keys made them.
	SHA256 string `json:"sha256"`
	MAC    string `json:"mac"`
}

func hexOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// hashKeyPlace is where the key of the hashes is sealed.
func hashKeyPlace(site int64) string { return fmt.Sprintf("hash_key of site %d", site) }
