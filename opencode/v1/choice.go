package v1

import (
	"cmp"
	"context"
	"slices"

	"hermes/internal/session"
)

type agentInfo struct {
	Name   string `json:"name"`
	Mode   string `json:"mode"` // primary, subagent or all
	Hidden bool   `json:"hidden"`
}

func (d *Driver) listAgents(ctx context.Context) ([]agentInfo, error) {
	var list []agentInfo
	err := d.Endpoint.Get(ctx, "agents", "/agent", d.Endpoint.Query(), &list)
	return list, notDriven(err)
}

// Agents names the agents that a session can be given to, in OpenCode's order.
func (d *Driver) Agents(ctx context.Context) ([]string, error) {
	return d.agentsBut(ctx, "subagent")
}

// Subagents names the agents that a prompt can mention with @.
func (d *Driver) Subagents(ctx context.Context) ([]string, error) {
	return d.agentsBut(ctx, "primary")
}

func (d *Driver) agentsBut(ctx context.Context, mode string) ([]string, error) {
	list, err := d.listAgents(ctx)
	var names []string
	for _, a := range list {
		if a.Mode != mode && !a.Hidden {
			names = append(names, a.Name)
		}
	}
	return names, err
}

// Models lists the models of the providers that OpenCode is signed in to, by provider
// and name.
func (d *Driver) Models(ctx context.Context) ([]session.Model, error) {
	var wire struct {
		Providers []struct {
			ID     string         `json:"id"`
			Models map[string]any `json:"models"`
		} `json:"providers"`
	}
	err := d.Endpoint.Get(ctx, "models", "/config/providers", d.Endpoint.Query(), &wire)
	var list []session.Model
	for _, p := range wire.Providers {
		for id := range p.Models {
			list = append(list, session.Model{Provider: p.ID, ID: id})
		}
	}
	slices.SortStableFunc(list, func(a, b session.Model) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID))
	})
	return list, notDriven(err)
}

// Commands names OpenCode's own commands, without their /.
func (d *Driver) Commands(ctx context.Context) ([]string, error) {
	list, err := d.listCommands(ctx)
	names := make([]string, 0, len(list))
	for _, command := range list {
		names = append(names, command.Name)
	}
	return names, err
}

func (d *Driver) listCommands(ctx context.Context) ([]commandInfo, error) {
	var list []commandInfo
	err := d.Endpoint.Get(ctx, "commands", "/command", d.Endpoint.Query(), &list)
	return list, notDriven(err)
}
