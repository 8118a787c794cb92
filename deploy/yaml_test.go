package deploy_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"
)

// readYAML reads all documents of a file, each into a T, and fails the test at a field that T does not have and at a key that is there twice.
func readYAML[T any](t *testing.T, name string) []T { return readDocuments[T](t, name, true) }

// readLoosely is readYAML for a T that has only some of the fields.
func readLoosely[T any](t *testing.T, name string) []T { return readDocuments[T](t, name, false) }

func readDocuments[T any](t *testing.T, name string, strictly bool) (list []T) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(strictly)
	for {
		var one T
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, one)
	}
}
