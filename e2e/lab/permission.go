package lab

import "os"

// AskForAll is an Options.Config for which every tool asks that can change
// something: commands (which ask in any instance of the lab), edits, and the
// network. What reaches out of the project asks by default.
func AskForAll(config map[string]any) {
	rules := config["permission"].(map[string]any)
	for _, name := range []string{"bash", "edit", "webfetch", "external_directory"} {
		rules[name] = "ask"
	}
}

// Exists reports whether there is a file or folder, by which a test sees whether a
// tool call was carried out.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
