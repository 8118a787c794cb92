package setup

import (
	"encoding/xml"
	"fmt"
	"os"
	"strings"

	"hermes/deploy"
)

// launchdService is deploy/hermes.plist with the paths of this machine.
func launchdService(binary, env string) *service {
	path, log := deploy.LaunchdPlistPath(), deploy.LaunchdLogPath()
	domain := fmt.Sprintf("gui/%d", os.Getuid())
	load := []string{"launchctl", "bootstrap", domain, path}
	return &service{
		kind: "launchd", path: path, content: launchdPlist(binary, env, log),
		there:   []string{"launchctl", "print", domain},
		runs:    []string{"launchctl", "print", domain + "/hermes"},
		start:   [][]string{load},
		restart: [][]string{{"launchctl", "bootout", domain + "/hermes"}, load},
		look:    "tail " + log, stop: "launchctl bootout " + domain + "/hermes",
	}
}

func launchdPlist(binary, env, log string) string {
	args := configArgument(env, func(s string) string { return "\n\t\t<string>" + xmlText(s) + "</string>" })
	_, plist, _ := strings.Cut(deploy.LaunchdPlist(), "-->\n")
	head, _, _ := strings.Cut(deploy.LaunchdPlist(), "<!--")
	return head + "<!-- Hermes as a launch agent of one user, written by hermes setup. -->\n" +
		strings.NewReplacer("@HERMES@", xmlText(binary), "@ARGS@", args, "@LOG@", xmlText(log)).Replace(plist)
}

func xmlText(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}
