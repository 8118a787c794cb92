package demo

import (
	"os/exec"
	"runtime"
)

// openBrowser opens the address where there is a screen to do so. When that
// fails, the person has the printed address.
func openBrowser(getenv func(string) string, address string) {
	command := browserCommand(runtime.GOOS, getenv)
	if command == "" {
		return
	}
	cmd := exec.Command(command, address)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// browserCommand is the program that opens addresses, "" where there is none or
// no display.
func browserCommand(system string, getenv func(string) string) string {
	switch {
	case system == "darwin" && getenv("SSH_CONNECTION") == "":
		return "open"
	case system != "darwin" && (getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""):
		return "xdg-open"
	}
	return ""
}
