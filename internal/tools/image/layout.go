package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// The media types of image-spec 1.1 (media-types.md).
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// release is what the images of one version have in common.
type release struct {
	version, source, revision string
	created                   time.Time
	certificates              []byte
}

// labels are the annotations that image-spec names (annotations.md). What is not known is left out.
func (r release) labels() map[string]string {
	labels := map[string]string{
		"org.opencontainers.image.title":       "hermes",
		"org.opencontainers.image.description": "carries OpenCode's questions to Telegram, and the answers back",
		"org.opencontainers.image.licenses":    "MIT",
		"org.opencontainers.image.version":     r.version,
		"org.opencontainers.image.created":     r.created.Format(time.RFC3339),
		"org.opencontainers.image.source":      r.source,
		"org.opencontainers.image.revision":    r.revision,
	}
	maps.DeleteFunc(labels, func(_, value string) bool { return value == "" })
	return labels
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
	Variant      string `json:"variant,omitempty"`
}

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type index struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Manifests     []descriptor      `json:"manifests"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// imageConfig is config.md of image-spec.
type imageConfig struct {
	platform
	Created string         `json:"created"`
	Config  runConfig      `json:"config"`
	RootFS  rootFS         `json:"rootfs"`
	History []historyEntry `json:"history"`
}

type runConfig struct {
	User       string
	Env        []string
	Entrypoint []string
	Cmd        []string
	Volumes    map[string]struct{}
	WorkingDir string
	Labels     map[string]string
}

type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

type historyEntry struct {
	Created   string `json:"created"`
	CreatedBy string `json:"created_by"`
}

// layout collects the blobs of an OCI layout, by digest.
type layout struct{ blobs map[string][]byte }

func newLayout() layout { return layout{map[string][]byte{}} }

func (l layout) add(mediaType string, text []byte) descriptor {
	digest := digestOf(text)
	l.blobs[digest] = text
	return descriptor{MediaType: mediaType, Digest: digest, Size: len(text)}
}

func (l layout) addJSON(mediaType string, v any) (descriptor, error) {
	text, err := json.Marshal(v)
	return l.add(mediaType, text), err
}

// addImage adds the image of one platform, and is its manifest.
func (l layout) addImage(r release, p platform, program []byte) (descriptor, error) {
	files, err := tarOf(rootFiles(program, r.certificates), r.created)
	if err != nil {
		return descriptor{}, err
	}
	packed, err := zipped(files)
	if err != nil {
		return descriptor{}, err
	}
	config, err := l.addJSON(typeConfig, configOf(r, p, digestOf(files)))
	if err != nil {
		return descriptor{}, err
	}
	m, err := l.addJSON(typeManifest, manifest{
		SchemaVersion: 2, MediaType: typeManifest, Config: config, Layers: []descriptor{l.add(typeLayer, packed)}, Annotations: r.labels(),
	})
	m.Platform = &p
	return m, err
}

// configOf says how the image runs, as deploy/Dockerfile does.
func configOf(r release, p platform, diffID string) imageConfig {
	at := r.created.Format(time.RFC3339)
	return imageConfig{
		platform: p, Created: at,
		Config: runConfig{
			User:       "65532:65532",
			Env:        []string{"PATH=/usr/local/bin", "HERMES_DB=" + statePath + "/hermes.db"},
			Entrypoint: []string{programPath}, Cmd: []string{"serve"},
			Volumes: map[string]struct{}{statePath: {}}, WorkingDir: "/", Labels: r.labels(),
		},
		RootFS:  rootFS{Type: "layers", DiffIDs: []string{diffID}},
		History: []historyEntry{{Created: at, CreatedBy: "internal/tools/image"}},
	}
}

// pack is the layout as one tar. Its index has a single entry, named by the version, which is the index of all platforms: so a tool that
// takes one image from a layout takes them all.
func (l layout) pack(r release, images []descriptor) ([]byte, error) {
	all, err := l.addJSON(typeIndex, index{SchemaVersion: 2, MediaType: typeIndex, Manifests: images, Annotations: r.labels()})
	if err != nil {
		return nil, err
	}
	all.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.version}
	top, err := json.Marshal(index{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{all}})
	if err != nil {
		return nil, err
	}
	files := []rootFile{
		{name: "oci-layout", mode: 0o644, text: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{name: "index.json", mode: 0o644, text: top},
		{name: "blobs/", mode: 0o755},
		{name: "blobs/sha256/", mode: 0o755},
	}
	for _, digest := range slices.Sorted(maps.Keys(l.blobs)) {
		files = append(files, rootFile{name: "blobs/" + strings.ReplaceAll(digest, ":", "/"), mode: 0o644, text: l.blobs[digest]})
	}
	return tarOf(files, r.created)
}
