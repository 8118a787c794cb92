package opencode2sim

import (
	"strings"
	"time"
)

func location(r *request) (answer, *fail) {
	dir, f := r.directory()
	if f != nil {
		return no(f)
	}
	return ok(r.sim.opts.location(dir))
}

// listOf answers a list that belongs to a directory.
func listOf(r *request, items []data) (answer, *fail) {
	dir, f := r.directory()
	if f != nil {
		return no(f)
	}
	return r.listed(dir, list(items))
}

func listAgents(r *request) (answer, *fail) {
	var found []data
	for _, a := range r.sim.opts.agents() {
		effect := "allow"
		if a.Mute {
			effect = "deny"
		}
		found = append(found, data{
			"id": a.Name, "name": strings.ToUpper(a.Name[:1]) + a.Name[1:], "mode": a.Mode, "hidden": a.Hidden,
			"request": data{"settings": data{}, "headers": data{}, "body": data{}},
			"permissions": []data{
				{"action": "*", "resource": "*", "effect": "allow"},
				{"action": "question", "resource": "*", "effect": effect},
			},
		})
	}
	return listOf(r, found)
}

func listModels(r *request) (answer, *fail) {
	var found []data
	for _, name := range r.sim.opts.models() {
		provider, id, _ := strings.Cut(name, "/")
		found = append(found, data{
			"id": id, "modelID": id, "providerID": provider, "name": strings.ToUpper(id[:1]) + id[1:],
			"capabilities": data{"tools": true, "input": []string{"text"}, "output": []string{"text"}},
			"variants":     []data{}, "time": data{"released": 0}, "cost": []data{}, "status": "active", "enabled": true,
			"limit": data{"context": 200000, "output": 8000},
		})
	}
	return loaded(r, found)
}

// loaded is listOf for what a directory knows only some time after its boot.
func loaded(r *request, items []data) (answer, *fail) {
	dir, f := r.directory()
	if f == nil && time.Since(r.sim.runner.booted[dir]) < r.sim.opts.ModelLag {
		items = nil
	}
	return listOf(r, items)
}

func listProviders(r *request) (answer, *fail) {
	var found []data
	seen := map[string]bool{}
	for _, name := range r.sim.opts.models() {
		if provider, _, _ := strings.Cut(name, "/"); !seen[provider] {
			seen[provider] = true
			found = append(found, data{"id": provider, "name": provider, "package": "@ai-sdk/openai-compatible"})
		}
	}
	return loaded(r, found)
}

func listCommands(r *request) (answer, *fail) {
	var found []data
	for _, c := range r.sim.opts.commands() {
		found = append(found, data{"name": c.Name, "template": c.Template, "description": c.Description})
	}
	return listOf(r, found)
}

func listServers(r *request) (answer, *fail) {
	var found []data
	for _, name := range r.sim.opts.servers() {
		found = append(found, data{"name": name, "status": data{"status": "connected"}})
	}
	return listOf(r, found)
}

// vcsStatus and vcsDiff are of the working tree (section 5); nothing here changes one,
// so they tell what Options.Changes says.
func vcsStatus(r *request) (answer, *fail) {
	return listOf(r, changes(r, false))
}

func vcsDiff(r *request) (answer, *fail) {
	mode := r.URL.Query().Get("mode")
	switch {
	case mode == "":
		return no(invalid("Query", "Missing key\n  at [\"mode\"]"))
	case mode != "working" && mode != "branch":
		return no(invalid("Query", "Expected Vcs.Mode, got "+show(mode)+"\n  at [\"mode\"]"))
	}
	return listOf(r, changes(r, true))
}

// sessionDiff is Release's (section 5, [S]).
func sessionDiff(r *request) (answer, *fail) {
	if _, f := r.session(); f != nil {
		return no(f)
	}
	return wrapped(changes(r, true))
}

func changes(r *request, patches bool) []data {
	found := []data{}
	for _, c := range r.sim.opts.Changes {
		one := data{"file": c.File, "additions": c.Additions, "deletions": c.Deletions, "status": c.Status}
		if patches {
			one["patch"] = c.Patch
		}
		found = append(found, one)
	}
	return found
}
