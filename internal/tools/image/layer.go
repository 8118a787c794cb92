package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"time"
)

// Whoever runs in the image, without a name and without rights.
const nobody = 65532

// Where things are in the image, as in deploy/Dockerfile.
const (
	programPath = "/usr/local/bin/hermes"
	statePath   = "/var/lib/hermes"
)

// rootFiles are all that the image has: the program, the authorities, an empty folder for the state, and the folders above them. Only the
// state is of the image's user.
func rootFiles(program, certificates []byte) []rootFile {
	return []rootFile{
		{name: "etc/", mode: 0o755},
		{name: "etc/ssl/", mode: 0o755},
		{name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, text: certificates},
		{name: "usr/", mode: 0o755},
		{name: "usr/local/", mode: 0o755},
		{name: "usr/local/bin/", mode: 0o755},
		{name: programPath[1:], mode: 0o755, text: program},
		{name: "var/", mode: 0o755},
		{name: "var/lib/", mode: 0o755},
		{name: statePath[1:] + "/", mode: 0o700, owner: nobody},
	}
}

// rootFile is a file or, with a name that ends in a slash, a folder.
type rootFile struct {
	name  string
	mode  int64
	owner int // user and group
	text  []byte
}

// tarOf packs files in their order.
func tarOf(files []rootFile, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.text)), ModTime: at, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if f.name[len(f.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func zipped(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// digestOf is the name of a blob.
func digestOf(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }
