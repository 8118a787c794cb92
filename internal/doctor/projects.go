package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"hermes/internal/apiclient"
)

// checkProjects reads who may ask in the projects that have files of their own: those
// of the working directory and of this machine's links. Such a file changes what the
// configuration folder says.
func (o *openCodeChecks) checkProjects(context.Context) []result {
	folder, err := o.configFolder()
	if err != nil {
		return nil // its own line says so
	}
	var list []result
	for _, directory := range o.projectDirectories() {
		a := newAgentFiles()
		if a.readFolder(folder).Status != "" {
			return nil
		}
		general := a.read
		wrong := a.readProject(directory)
		switch {
		case wrong.Status != "":
			list = append(list, wrong)
		case a.read > general:
			list = append(list, judgeAgents(directory, withDefaultAgents(a.global, a.agents)))
		}
	}
	return list
}

// projectDirectories are the directories to look at.
func (o *openCodeChecks) projectDirectories() []string {
	var list []string
	if here := o.here; here != "" {
		list = append(list, here)
	}
	for _, l := range o.hermes.status().status.Open {
		if l.Host == apiclient.Hostname() && filepath.IsAbs(l.Directory) {
			list = append(list, filepath.Clean(l.Directory))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// readProject reads what OpenCode reads for a directory after its configuration
// folder, in its order: the files from the worktree down to the directory, then the
// .opencode folders from the directory up.
func (a *agentFiles) readProject(directory string) result {
	up := upTo(directory)
	for _, name := range []string{"opencode.jsonc", "opencode.json"} {
		for _, dir := range slices.Backward(up) {
			if wrong := a.readFiles(dir, name); wrong.Status != "" {
				return wrong
			}
		}
	}
	for _, dir := range up {
		folder := filepath.Join(dir, ".opencode")
		if wrong := a.readFiles(folder, "opencode.jsonc", "opencode.json"); wrong.Status != "" {
			return wrong
		}
		a.readMarkdown(folder)
	}
	return result{}
}

// upTo lists the directory and those above it, up to the root of the git worktree or,
// outside of one, of the file system.
func upTo(directory string) []string {
	var list []string
	for {
		list = append(list, directory)
		if _, err := os.Stat(filepath.Join(directory, ".git")); err == nil {
			return list
		}
		above := filepath.Dir(directory)
		if above == directory {
			return list
		}
		directory = above
	}
}
