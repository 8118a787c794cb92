// Package plugin holds the plugin that runs inside OpenCode, hermes.js, and puts it into OpenCode's configuration folder:
//
//	<configuration folder>/plugin/hermes.js      the plugin, under a line that says its version and SHA-256
//	<configuration folder>/plugin/hermes.json    0600: where hermes is, at one address or several, and the token of a link
//	<configuration folder>/plugin/hermes.js.kept-1, -2, …   what a person had made of hermes.js
//
// Where there is no hermes.json the plugin takes HERMES_URL (several are separated by commas) and HERMES_TOKEN, both, from OpenCode's environment.
//
// OpenCode 1.x loads every .js and .ts file at the top of plugin/ and of plugins/, so nothing else here may end so.
package plugin

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"regexp"
)

//go:embed hermes.js
var source []byte

var (
	versionLine = regexp.MustCompile(`(?m)^const HERMES_PLUGIN_VERSION = "([^"]+)"`)
	sealLine    = regexp.MustCompile(`^// hermes plugin (\S+) sha256=([0-9a-f]{64})`)
)

// Version is the version of the plugin in this binary.
func Version() string {
	return string(versionLine.FindSubmatch(source)[1])
}

// sealedSource is what install writes: the source under a line by which a later version knows that nobody has changed it.
func sealedSource() []byte {
	line := fmt.Sprintf("// hermes plugin %s sha256=%s; a changed file is kept aside by hermes plugin install\n", Version(), hexSum(source))
	return append([]byte(line), source...)
}

func hexSum(b []byte) string {
	digest := sha256.Sum256(b)
	return hex.EncodeToString(digest[:])
}

// versionOfSealed says which version of the plugin file is; ok is false if hermes did not write it just so.
func versionOfSealed(file []byte) (version string, ok bool) {
	line, rest, _ := bytes.Cut(file, []byte("\n"))
	found := sealLine.FindSubmatch(line)
	if found == nil || string(found[2]) != hexSum(rest) {
		return "", false
	}
	return string(found[1]), true
}
