package v2

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/opencode/prompt"
)

type agentInfo struct {
	ID     string `json:"id"` // by which prompts name it
	Mode   string `json:"mode"`
	Hidden bool   `json:"hidden"`
}

// listLocated reads something of the endpoint's directory that the service wraps in data.
func listLocated[T any](ctx context.Context, d *Driver, op, path string) ([]T, error) {
	var read struct {
		Data []T `json:"data"`
	}
	err := d.Endpoint.Get(ctx, op, path, in(d.Endpoint.Directory), &read)
	return read.Data, err
}

// Agents names the agents that a session can be given to, in OpenCode's order.
func (d *Driver) Agents(ctx context.Context) ([]string, error) { return d.agentsBut(ctx, "subagent") }

// Subagents names the agents that a prompt can mention with @.
func (d *Driver) Subagents(ctx context.Context) ([]string, error) { return d.agentsBut(ctx, "primary") }

func (d *Driver) agentsBut(ctx context.Context, mode string) ([]string, error) {
	all, err := listLocated[agentInfo](ctx, d, "agents", "/api/agent")
	var names []string
	for _, a := range all {
		if a.Mode != mode && !a.Hidden {
			names = append(names, a.ID)
		}
	}
	return names, err
}

// A directory that has just been loaded has no models for some hundred milliseconds.
const (
	modelTries = 5
	modelEvery = 250 * time.Millisecond
)

// Models lists the models that can be used, by provider and name.
func (d *Driver) Models(ctx context.Context) ([]session.Model, error) {
	for try := 1; ; try++ {
		models, err := d.modelsNow(ctx)
		if err != nil || len(models) > 0 || try == modelTries || retry.Wait(ctx, modelEvery) != nil {
			return models, err
		}
	}
}

func (d *Driver) modelsNow(ctx context.Context) ([]session.Model, error) {
	all, err := listLocated[struct {
		modelRef
		Enabled *bool `json:"enabled"`
	}](ctx, d, "models", "/api/model")
	var models []session.Model
	for _, m := range all {
		if m.Enabled == nil || *m.Enabled {
			models = append(models, session.Model{Provider: m.Provider, ID: m.ID})
		}
	}
	slices.SortStableFunc(models, func(a, b session.Model) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID))
	})
	return models, err
}

// commandInfo is a command of OpenCode's own.
type commandInfo struct {
	Name     string  `json:"name"`
	Template *string `json:"template"`
}

// takesText reports whether the command may be given a text; not if its template is not known.
func (c commandInfo) takesText() bool { return c.Template != nil && prompt.TakesText(*c.Template) }

// Commands names OpenCode's own commands, without their /.
func (d *Driver) Commands(ctx context.Context) ([]string, error) {
	all, err := d.listCommands(ctx)
	names := make([]string, 0, len(all))
	for _, c := range all {
		names = append(names, c.Name)
	}
	return names, err
}

func (d *Driver) listCommands(ctx context.Context) ([]commandInfo, error) {
	return listLocated[commandInfo](ctx, d, "commands", "/api/command")
}
