package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
)

// bom is the part of CycloneDX 1.5 that is said of a program. Licences are left out: nothing in the program tells them.
type bom struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"` // of this text
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"`
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"` // hexadecimal
}

// bomOf is the program with its modules, in the order of their paths, and the standard library. A module that has no sum is an error: what it is cannot be said.
func bomOf(info *debug.BuildInfo, version string, program []byte) (bom, error) {
	sum := sha256.Sum256(program)
	self := componentOf("application", info.Main.Path, version)
	self.Name = "hermes"
	self.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	b := bom{Format: "CycloneDX", SpecVersion: "1.5", Version: 1, Metadata: metadata{Component: self}}
	goVersion, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	b.Components = []component{componentOf("library", "stdlib", goVersion)} // the name that Go's vulnerability database has
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := componentOf("library", m.Path, m.Version)
		h, err := hashOf(m.Sum)
		if err != nil {
			return bom{}, fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
		}
		c.Hashes = []hash{h}
		b.Components = append(b.Components, c)
	}
	return b, nil
}

// componentOf names a module, also by a package URL: lower case, as the type golang of purl-spec has it.
func componentOf(kind, path, version string) component {
	purl := "pkg:golang/" + strings.ToLower(path) + "@" + url.QueryEscape(version)
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}

// hashOf is a sum of go.sum: the SHA-256 of the list of a module's files with theirs (golang.org/x/mod/sumdb/dirhash, Hash1), as other writers
// of CycloneDX for Go give it, and not that of the archive.
func hashOf(sum string) (hash, error) {
	packed, ok := strings.CutPrefix(sum, "h1:")
	raw, err := base64.StdEncoding.DecodeString(packed)
	if !ok || err != nil || len(raw) != sha256.Size {
		return hash{}, fmt.Errorf("%q is no sum of go.sum", sum)
	}
	return hash{"SHA-256", hex.EncodeToString(raw)}, nil
}
