package daemon

import (
	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/sessions"
	"hermes/internal/standby"
	"hermes/internal/storage"
)

// newSessions makes the controller of sessions, which shares the loop of the bridge. The bridge tells it only which groups
// became others.
func (d *Daemon) newSessions() *sessions.Controller {
	c := sessions.Config{
		Loop: d.loop, Asks: d.Bridge, Store: d.counted, Chat: d.Bot, Log: d.log, Foreign: d.metrics.foreign.Inc, IdleDelay: d.config.IdleDelay, TurnAfter: d.config.TurnAfter,
		Agents: d.sessionAgent, Places: d.newSessionPlaces, Roles: func() []string { return d.Rules.InForce().Drivers() },
		Fetch: d.Bot.Fetch,
		Chats: d.Bridge,
		Owner: d.links.OwnerOf, Machines: d.machinesOf, Unlink: d.unlink, Links: d.config.PublicURL != "",
		Sending: func(id chat.ID) func() { return d.intake.SendingMessage(id) },
		Skipped: d.metrics.skipped.Inc,
		Follow:  func(ids []session.ID) { d.Gateway.Follow(ids) },
	}
	if server, ok := d.config.VoiceServer(d.out.Voice); ok {
		server.Transport = standby.GuardTransport(server.Transport, d.may())
		c.Hear = server.Transcribe
	}
	return sessions.New(c)
}

// machinesOf are a person's machines, as the chat shows them.
func (d *Daemon) machinesOf(owner chat.UserID) (list []remote.Machine) {
	linked := api.Linking{Open: d.Gateway.Links(), Refused: d.Gateway.Refused()}.OpenCodes()
	for _, l := range d.links.list() {
		if l.Owner != owner || owner == 0 {
			continue
		}
		m := remote.Machine{Link: l.ID, Name: l.Name, Host: l.Host, Seen: l.Seen}
		for _, one := range linked[l.ID] {
			m.Linked = append(m.Linked, remote.Linked{
				OpenCode: one.Version, By: one.Plugin, Process: one.By == api.LinkedByProcess, Protocol: one.Protocol, Refused: one.Refused,
			})
		}
		list = append(list, m)
	}
	return list
}

// unlink revokes a person's own link, by its id.
func (d *Daemon) unlink(owner chat.UserID, id string, by question.Actor) (bool, error) {
	name, err := d.links.revokeOwn(id, owner, by)
	if name == "" || err != nil {
		return false, err
	}
	d.counted.announce(storage.EntryUnlinked)
	d.Gateway.Revoke(id)
	d.log.Info("a link was revoked by its owner", "link", name)
	return true, nil
}

// sessionAgent gives the agent that drives the sessions of an origin now. The controller asks only
// for origins that were heard of and those of places.
func (d *Daemon) sessionAgent(o session.Origin) (sessions.Agent, bool) {
	client, ok := d.Gateway.Reach(o)
	if !ok {
		return nil, false
	}
	return client, true
}

// newSessionPlaces are the directories of HERMES_DIRECTORIES, at the servers that answer now: a
// link reaches no more than the directory of its OpenCode.
func (d *Daemon) newSessionPlaces() []session.Origin {
	var list []session.Origin
	for _, server := range d.Gateway.Servers() {
		for _, directory := range d.config.Directories {
			o := server
			o.Directory = directory
			list = append(list, o)
		}
	}
	return list
}

// mayDrive reports whether there can be people who may drive sessions.
func (d *Daemon) mayDrive() bool {
	return d.sessions != nil && d.Rules.InForce().HasDrivers()
}

// passOn hands on what OpenCode said: to the questions first. What sessions speak
// means nothing to those, and does not keep them busy.
func (d *Daemon) passOn(e event.Event) {
	if e.Kind != event.Spoke {
		d.Bridge.Event(e)
	}
	if d.sessions != nil {
		d.sessions.Event(e)
	}
}
