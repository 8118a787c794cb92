package version

import (
	"runtime/debug"
)

// release is the version of a release, as v1.2.3, which its build sets (-ldflags -X): the toolchain knows it only where the tag is
// checked out as it is. Empty: what the toolchain says counts.
var release string

// Own is the version of the binary that runs.
func Own() string {
	return Of(buildInfo())
}

// Number is the version of the module alone, as it is in Own.
func Number() string {
	info := buildInfo()
	if info == nil {
		return ""
	}
	return info.Main.Version
}

// buildInfo is what the toolchain wrote into the binary, with the version of a release in its place.
func buildInfo() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if ok && release != "" {
		info.Main.Version = release
	}
	return info
}

// Of words what the Go toolchain wrote into the binary: the module's
// version, and the commit where there is one. nil means that it wrote nothing.
func Of(info *debug.BuildInfo) string {
	if info == nil {
		return "hermes (unknown version)"
	}
	text := "hermes " + info.Main.Version
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " (modified)"
		}
	}
	return text + " " + info.GoVersion
}
