package version

import (
	"runtime/debug"
)

// Own is the version of the binary that runs.
func Own() string {
	info, _ := debug.ReadBuildInfo()
	return Of(info)
}

// Number is the version of the module alone, as it is in Own.
func Number() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	return info.Main.Version
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
