package session

import (
	"crypto/sha256"
	"encoding/hex"
)

// Tag stands for a directory where its name would be too long: 16 characters of 0-9 and
// a-f, always the same ones.
func Tag(directory string) string {
	sum := sha256.Sum256([]byte(directory))
	return hex.EncodeToString(sum[:8])
}

// ShortTag stands for a name in a button: 8 characters of 0-9 and a-f, always the same ones.
func ShortTag(name string) string { return Tag(name)[:8] }
