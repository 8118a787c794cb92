package opencode

import (
	"cmp"
	"context"
	"slices"

	"hermes/internal/question"
)

type wireAgent struct {
	Name   string `json:"name"`
	Mode   string `json:"mode"` // primary, subagent or all
	Hidden bool   `json:"hidden"`
}

func (c *Client) agents(ctx context.Context) ([]wireAgent, error) {
	var list []wireAgent
	err := c.get(ctx, "agents", "/agent", c.query(), &list)
	return list, undriven(err)
}

// Agents names the agents that a session can be given to, in OpenCode's order.
func (c *Client) Agents(ctx context.Context) ([]string, error) {
	return c.agentsBut(ctx, "subagent")
}

// Subagents names the agents that a prompt can mention with @.
func (c *Client) Subagents(ctx context.Context) ([]string, error) {
	return c.agentsBut(ctx, "primary")
}

func (c *Client) agentsBut(ctx context.Context, mode string) ([]string, error) {
	list, err := c.agents(ctx)
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
func (c *Client) Models(ctx context.Context) ([]question.Model, error) {
	var wire struct {
		Providers []struct {
			ID     string         `json:"id"`
			Models map[string]any `json:"models"`
		} `json:"providers"`
	}
	err := c.get(ctx, "models", "/config/providers", c.query(), &wire)
	var list []question.Model
	for _, p := range wire.Providers {
		for id := range p.Models {
			list = append(list, question.Model{Provider: p.ID, ID: id})
		}
	}
	slices.SortFunc(list, func(a, b question.Model) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID))
	})
	return list, undriven(err)
}

// Commands names OpenCode's own commands, without their /.
func (c *Client) Commands(ctx context.Context) ([]string, error) {
	list, err := c.commands(ctx)
	names := make([]string, 0, len(list))
	for _, command := range list {
		names = append(names, command.Name)
	}
	return names, err
}

func (c *Client) commands(ctx context.Context) ([]wireCommand, error) {
	var list []wireCommand
	err := c.get(ctx, "commands", "/command", c.query(), &list)
	return list, undriven(err)
}
