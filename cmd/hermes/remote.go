package main

import (
	"context"

	"hermes/internal/question"
	"hermes/internal/sessions"
)

// newRemote makes the desk that drives sessions. It is given to the bridge, and asks
// the bridge in turn only beside its own loop.
func (d *daemon) newRemote() (*sessions.Desk, error) {
	c := sessions.Config{
		Store: counted{d.store, d.metrics, d.entries}, Chat: d.bot, Log: d.log, Foreign: d.metrics.foreign.Inc, IdleDelay: d.config.IdleDelay,
		Agents: d.driven, Places: d.places, Roles: d.drivers,
		Fetch:   d.bot.Fetch,
		Home:    func(id question.ChatID) bool { return d.bridge.Home(id) },
		Skipped: d.metrics.skipped.Inc,
		Follow:  func(ids []question.SessionID) { d.gateway.Follow(ids) },
		Waiting: func(ctx context.Context) ([]question.Thread, error) { return d.bridge.Open(ctx) },
		Late: func(ctx context.Context, id question.ID, l question.Late, with question.Change) error {
			return d.bridge.Late(ctx, id, l, with)
		},
		Again: func(ctx context.Context, in question.Input) { d.bridge.Handle(ctx, in) },
	}
	if server, ok := d.config.voices(d.out.voice); ok {
		c.Hear = server.Hear
	}
	return sessions.New(c)
}

// driven gives the agent that drives the sessions of an origin now. The desk asks only
// for origins that were heard of and those of places.
func (d *daemon) driven(o question.Origin) (sessions.Agent, bool) {
	client, ok := d.gateway.Reach(o)
	if !ok {
		return nil, false
	}
	return client, true
}

// places are the directories of HERMES_DIRECTORIES, at the servers that answer now: a
// link reaches no more than the directory of its OpenCode.
func (d *daemon) places() []question.Origin {
	var list []question.Origin
	for _, server := range d.gateway.Servers() {
		for _, directory := range d.config.Directories {
			o := server
			o.Directory = directory
			list = append(list, o)
		}
	}
	return list
}

// drivers are the roles that may drive sessions.
func (d *daemon) drivers() []string {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	return d.rules.Drivers()
}

// drivable reports whether there can be people who may drive sessions.
func (d *daemon) drivable() bool {
	return d.remote != nil && d.inForce().Driven()
}

// heard passes on what OpenCode said: to the questions first. What sessions speak
// means nothing to those, and does not keep them busy.
func (d *daemon) heard(e question.Event) {
	if e.Kind != question.Spoke {
		d.bridge.Event(e)
	}
	if d.remote != nil {
		d.remote.Event(e)
	}
}
