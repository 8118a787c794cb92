package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// written is the image of three programs, as the command writes it.
func written(t *testing.T, version string) []byte {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	out := filepath.Join(dir, "image.tar")
	err := write(out, release{version: version, revision: "0123abc"}, file("ca", "the authorities"), []string{
		"linux/amd64=" + file("amd64", "a program"), "linux/arm64=" + file("arm64", "another program"), "linux/arm/v7=" + file("arm", "a third program"),
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// unpack are the entries of a tar, in their order, with what they hold.
func unpack(t *testing.T, text []byte) (headers []*tar.Header, content map[string][]byte) {
	t.Helper()
	content = map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return headers, content
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		headers, content[h.Name] = append(headers, h), b
	}
}

// reader follows the descriptors of a layout, and holds each to its blob.
type reader struct {
	*testing.T
	files map[string][]byte
	used  map[string]bool
}

func read(t *testing.T, image []byte) *reader {
	_, files := unpack(t, image)
	return &reader{t, files, map[string]bool{}}
}

func (r *reader) blob(d descriptor, mediaType string) []byte {
	r.Helper()
	name := "blobs/" + strings.Replace(d.Digest, ":", "/", 1)
	text, ok := r.files[name]
	if !ok || d.Digest != digestOf(text) || d.Size != len(text) || d.MediaType != mediaType {
		r.Fatalf("%+v is not of what %s has (%d bytes, want %s)", d, name, len(text), mediaType)
	}
	r.used[name] = true
	return text
}

func decoded[T any](t *testing.T, text []byte) (v T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// platforms are the descriptors of the images, for each platform.
func (r *reader) platforms() []descriptor {
	r.Helper()
	top := decoded[index](r.T, r.files["index.json"])
	if len(top.Manifests) != 1 || top.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "1.2.3" {
		r.Fatalf("the layout has %+v, not one image with the name 1.2.3", top.Manifests)
	}
	return decoded[index](r.T, r.blob(top.Manifests[0], typeIndex)).Manifests
}

// Every descriptor fits its blob, every blob has a descriptor, and the layer of a platform has its program and what else is needed, and no more.
func TestImage_IsWhole(t *testing.T) {
	r := read(t, written(t, "1.2.3"))
	if got := string(r.files["oci-layout"]); got != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("oci-layout is %s", got)
	}
	programs := map[string]string{"linux/amd64/": "a program", "linux/arm64/": "another program", "linux/arm/v7": "a third program"}
	for _, d := range r.platforms() {
		m := decoded[manifest](t, r.blob(d, typeManifest))
		c := decoded[imageConfig](t, r.blob(m.Config, typeConfig))
		if d.Platform == nil || *d.Platform != c.platform || len(m.Layers) != 1 {
			t.Fatalf("%+v, %+v: %d layers", d.Platform, c.platform, len(m.Layers))
		}
		packed, err := gzip.NewReader(bytes.NewReader(r.blob(m.Layers[0], typeLayer)))
		if err != nil {
			t.Fatal(err)
		}
		layer, err := io.ReadAll(packed)
		if err != nil || !slices.Equal(c.RootFS.DiffIDs, []string{digestOf(layer)}) {
			t.Fatalf("%v; the layer is %s, and the configuration says %q", err, digestOf(layer), c.RootFS.DiffIDs)
		}
		name := c.OS + "/" + c.Architecture + "/" + c.Variant
		holdRoot(t, layer, programs[name])
		delete(programs, name)
	}
	if len(programs) > 0 {
		t.Errorf("there is no image of %v", programs)
	}
	for name := range r.files {
		if strings.HasPrefix(name, "blobs/sha256/") && name != "blobs/sha256/" && !r.used[name] {
			t.Errorf("nothing speaks of %s", name)
		}
	}
}

// holdRoot looks at the file system of an image.
func holdRoot(t *testing.T, layer []byte, program string) {
	t.Helper()
	headers, content := unpack(t, layer)
	var got []string
	for _, h := range headers {
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir || h.Uid != h.Gid {
			t.Errorf("%s is of the kind %q, of %d:%d", h.Name, h.Typeflag, h.Uid, h.Gid)
		}
		got = append(got, fmt.Sprintf("%04o %d %s", h.Mode, h.Uid, h.Name))
	}
	want := []string{
		"0755 0 etc/", "0755 0 etc/ssl/", "0755 0 etc/ssl/certs/", "0644 0 etc/ssl/certs/ca-certificates.crt",
		"0755 0 usr/", "0755 0 usr/local/", "0755 0 usr/local/bin/", "0755 0 usr/local/bin/hermes",
		"0755 0 var/", "0755 0 var/lib/", "0700 65532 var/lib/hermes/",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the image has\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if string(content["usr/local/bin/hermes"]) != program || string(content["etc/ssl/certs/ca-certificates.crt"]) != "the authorities" {
		t.Error("the image has other files than it was made of")
	}
}

// The same gives the same bytes; another time or version does not.
func TestImage_IsReproducible(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	one := written(t, "1.2.3")
	if !bytes.Equal(one, written(t, "1.2.3")) {
		t.Error("two images of the same differ")
	}
	if bytes.Equal(one, written(t, "1.2.4")) {
		t.Error("the version is not in the image")
	}
	headers, _ := unpack(t, one)
	for _, h := range headers {
		if h.ModTime.Unix() != 1700000000 {
			t.Errorf("%s is of %s", h.Name, h.ModTime)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1700000001")
	if bytes.Equal(one, written(t, "1.2.3")) {
		t.Error("the time is not in the image")
	}
}

// The image runs as the one of deploy/Dockerfile does.
func TestImage_RunsAsTheDockerfileSays(t *testing.T) {
	text, err := os.ReadFile("../../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, last, _ := strings.Cut(string(text), "\nFROM scratch\n")
	says := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^(USER|ENV|VOLUME|ENTRYPOINT|CMD) (.+)$`).FindAllStringSubmatch(last, -1) {
		says[line[1]] += line[2]
	}
	c := configOf(release{version: "1.2.3"}, platform{}, "").Config
	env := slices.DeleteFunc(slices.Clone(c.Env), func(s string) bool { return strings.HasPrefix(s, "PATH=") }) // docker sets it by itself
	volumes := ""
	for name := range c.Volumes {
		volumes += name
	}
	quoted := func(words []string) string { b, _ := json.Marshal(words); return string(b) }
	got := map[string]string{
		"USER": c.User, "ENV": strings.Join(env, " "), "VOLUME": volumes, "ENTRYPOINT": quoted(c.Entrypoint), "CMD": quoted(c.Cmd),
	}
	if !reflect.DeepEqual(got, says) {
		t.Errorf("the image has %q, the Dockerfile %q", got, says)
	}
	for _, name := range rootFiles(nil, nil) {
		if path := "/" + strings.TrimSuffix(name.name, "/"); slices.Contains([]string{programPath, statePath}, path) && !strings.Contains(last, " "+path+"\n") {
			t.Errorf("the Dockerfile has no %s", path)
		}
	}
}

func TestImage_SaysWhatIsKnown(t *testing.T) {
	labels := release{version: "1.2.3"}.labels()
	if _, ok := labels["org.opencontainers.image.source"]; ok || labels["org.opencontainers.image.version"] != "1.2.3" {
		t.Errorf("%v", labels)
	}
	labels = release{version: "1.2.3", source: "https://example.org/hermes", revision: "0123abc"}.labels()
	if labels["org.opencontainers.image.source"] != "https://example.org/hermes" || labels["org.opencontainers.image.revision"] != "0123abc" {
		t.Errorf("%v", labels)
	}
}

// What cannot become an image is refused, and no file is left under its name.
func TestImage_Refuses(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("a program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, version, certificates, epoch string
		programs                           []string
		want                               string
	}{
		{"no version", "", program, "", []string{"linux/amd64=" + program}, "-version"},
		{"no program", "1.2.3", program, "", nil, "PLATFORM=PROGRAM"},
		{"no platform", "1.2.3", program, "", []string{program}, "is no platform"},
		{"another system", "1.2.3", program, "", []string{"windows/amd64=" + program}, "is no platform"},
		{"no such program", "1.2.3", program, "", []string{"linux/amd64=" + program + "x"}, "no such file"},
		{"no authorities", "1.2.3", program + "x", "", []string{"linux/amd64=" + program}, "no such file"},
		{"no time", "1.2.3", program, "yesterday", []string{"linux/amd64=" + program}, "SOURCE_DATE_EPOCH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("SOURCE_DATE_EPOCH", c.epoch)
			out := filepath.Join(t.TempDir(), "image.tar")
			err := write(out, release{version: c.version}, c.certificates, c.programs)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("there is a file")
			}
		})
	}
}
