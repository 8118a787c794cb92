package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
)

// The sum is that of 32 bytes of 0xff.
const (
	someSum  = "h1://////////////////////////////////////////8="
	someHash = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
)

func TestBOM_NamesModules(t *testing.T) {
	for _, c := range []struct {
		name    string
		module  debug.Module
		purl    string
		refuses string
	}{
		{name: "a release", module: debug.Module{Path: "go.etcd.io/bbolt", Version: "v1.4.3", Sum: someSum}, purl: "pkg:golang/go.etcd.io/bbolt@v1.4.3"},
		{name: "capitals and a plus", module: debug.Module{Path: "github.com/Some/One", Version: "v2.0.0+incompatible", Sum: someSum}, purl: "pkg:golang/github.com/some/one@v2.0.0%2Bincompatible"},
		{
			name:   "in the place of another",
			module: debug.Module{Path: "a.org/x", Version: "v1.0.0", Sum: "h1:", Replace: &debug.Module{Path: "b.org/x", Version: "v1.0.1", Sum: someSum}},
			purl:   "pkg:golang/b.org/x@v1.0.1",
		},
		{name: "from a folder", module: debug.Module{Path: "a.org/x", Version: "v1.0.0", Replace: &debug.Module{Path: "../x"}}, refuses: "no sum"},
		{name: "of another kind", module: debug.Module{Path: "a.org/x", Version: "v1.0.0", Sum: "h2" + someSum[2:]}, refuses: "no sum"},
		{name: "too short", module: debug.Module{Path: "a.org/x", Version: "v1.0.0", Sum: "h1:/w=="}, refuses: "no sum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := bomOf(&debug.BuildInfo{GoVersion: "go1.26.8 X:nothing", Main: debug.Module{Path: "hermes"}, Deps: []*debug.Module{&c.module}}, "1.2.3", []byte("a program"))
			if c.refuses != "" {
				if err == nil || !strings.Contains(err.Error(), c.refuses) {
					t.Errorf("%v, want %q", err, c.refuses)
				}
				return
			}
			if err != nil || len(b.Components) != 2 {
				t.Fatalf("%v, %+v", err, b)
			}
			if got := b.Components[0].PURL; got != "pkg:golang/stdlib@1.26.8" {
				t.Errorf("the standard library is %s", got)
			}
			if got := b.Components[1]; got.PURL != c.purl || got.Ref != c.purl || !reflect.DeepEqual(got.Hashes, []hash{{"SHA-256", someHash}}) {
				t.Errorf("it is %+v, want %s", got, c.purl)
			}
		})
	}
}

// This test is a program of Go as well.
func TestBOM_OfAProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "hermes.cdx.json")
	written := func(epoch string) []byte {
		t.Setenv("SOURCE_DATE_EPOCH", epoch)
		if err := write(out, "1.2.3", self); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := written("1700000000")
	for _, want := range []string{`"bomFormat": "CycloneDX"`, `"specVersion": "1.5"`, `"timestamp": "2023-11-14T22:13:20Z"`, `"version": "1.2.3"`, `"pkg:golang/stdlib@`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("it lacks %s:\n%s", want, text)
		}
	}
	if !bytes.Equal(text, written("1700000000")) {
		t.Error("the same program gives different texts")
	}
	if strings.Contains(string(written("")), "timestamp") {
		t.Error("there is a time that nobody gave")
	}
	if err := write(out, "1.2.3", "sbom_test.go"); err == nil {
		t.Error("a text is taken for a program")
	}
}
