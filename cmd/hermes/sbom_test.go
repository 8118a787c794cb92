//go:build packages

package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The release says of the program that is installed from it what it is made of: the modules that `go list` finds behind the command.
func TestPackages_BillOfMaterials(t *testing.T) {
	check := os.Getenv("HERMES_PACKAGES")
	text, err := os.ReadFile(filepath.Join(check, "download/v1.0.1/hermes_linux_amd64.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		Metadata struct {
			Component struct {
				Version string
				Hashes  []struct{ Alg, Content string }
			}
		}
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	program, err := exec.Command("tar", "-xzOf", filepath.Join(check, "download/v1.0.1/hermes_linux_amd64.tar.gz"), "./hermes").Output()
	if err != nil {
		t.Fatal(err)
	}
	if c := bom.Metadata.Component; c.Version != "1.0.1" || len(c.Hashes) != 1 || c.Hashes[0].Content != fmt.Sprintf("%x", sha256.Sum256(program)) {
		t.Errorf("it speaks of another program: %+v", c)
	}
	list := exec.Command("go", "list", "-deps", "-tags", "nethttpomithttp2", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	slices.Sort(want)
	want = slices.Compact(want)
	var got []string
	for _, c := range bom.Components {
		if c.Name != "stdlib" {
			got = append(got, c.Name+" "+c.Version)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || len(got) < 5 {
		t.Errorf("it names\n%s\nand the program is made of\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
