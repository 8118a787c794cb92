package sessionview

import (
	"cmp"
	"fmt"
	"strings"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/card"
	"hermes/telegram/markup"
)

// machines lists a person's machines, each with what is linked there and what waits; nothing for none.
func (v view) machines() markup.Text {
	if len(v.Machines) == 0 {
		return nil
	}
	lines := []markup.Text{markup.Plain("🖥 " + v.w.Machines.Yours)}
	for _, m := range v.Machines {
		lines = append(lines, v.machine(m))
	}
	return markup.Join("\n", lines...)
}

func (v view) machine(m remote.Machine) markup.Text {
	parts := []markup.Text{markup.Plain("· " + theirs(m.Name))}
	if m.Host != "" && m.Host != m.Name {
		parts = append(parts, markup.Plain(theirs(m.Host)))
	}
	for _, l := range m.Linked {
		parts = append(parts, markup.Plain(v.linked(l)))
	}
	if len(m.Linked) == 0 {
		parts = append(parts, v.lastSeen(m))
	}
	if m.Waiting > 0 {
		parts = append(parts, markup.Plain(fmt.Sprintf(v.w.Machines.Waiting, m.Waiting)))
	}
	return markup.Join(" · ", parts...)
}

func (v view) lastSeen(m remote.Machine) markup.Text {
	if m.Seen.IsZero() {
		return markup.Plain(v.w.Machines.NeverSeen)
	}
	return markup.Phrase(v.w.Machines.LastSeen, markup.Clock(m.Seen, v.now))
}

// linked names an OpenCode, and what links it.
func (v view) linked(l remote.Linked) string {
	format := v.w.Machines.ByPlugin
	if l.Process {
		format = v.w.Machines.ByProcess
	}
	text := fmt.Sprintf(format, theirs(cmp.Or(l.OpenCode, "?")), theirs(cmp.Or(l.By, "?")), l.Protocol)
	if l.Refused {
		text += " · " + v.w.Machines.Refused
	}
	return text
}

// theirs is a word that a machine says of itself.
func theirs(s string) string {
	return markup.Isolate(markup.Shorten(strings.TrimSpace(markup.OneLine(s)), 63))
}

// help says what there is to write.
func (v view) help() Message {
	text := v.w.Sessions.Help
	if v.Links {
		text += "\n" + v.w.Machines.Help
	}
	return textMessage(markup.Plain(text))
}

// maxUnlinks bounds the buttons below a list of machines.
const maxUnlinks = 20

// unlinkRows are the buttons that ask whether a machine's link shall be revoked.
func (v view) unlinkRows() (rows [][]card.Button) {
	for _, m := range v.Machines[:min(len(v.Machines), maxUnlinks)] {
		rows = append(rows, []card.Button{{
			Label: "🗑 " + fmt.Sprintf(v.w.Machines.Unlink, theirs(m.Name)), Order: inbound.Button{Kind: inbound.ButtonUnlinks, Tag: session.ShortTag(m.Link)},
		}})
	}
	return rows
}

// askToUnlink asks whether the link of a machine shall be revoked.
func (v view) askToUnlink() Message {
	m, tag := v.ofMachine("🗑", v.w.Machines.UnlinkAsk)(), session.ShortTag(v.firstMachine().Link)
	m.Rows = [][]card.Button{{
		{Label: "🗑 " + v.w.Machines.DoUnlink, Order: inbound.Button{Kind: inbound.ButtonUnlink, Tag: tag, At: v.At}, Style: card.StyleDanger},
		{Label: v.w.Machines.Keep, Order: inbound.Button{Kind: inbound.ButtonLinked, Tag: tag}},
	}}
	return m
}

// ofMachine is a sentence about a machine, by its name.
func (v view) ofMachine(sign, format string) func() Message {
	return func() Message {
		return textMessage(markup.Plain(sign + " " + fmt.Sprintf(format, theirs(v.firstMachine().Name))))
	}
}

// firstMachine is the one that a message is about.
func (v view) firstMachine() remote.Machine {
	if len(v.Machines) == 0 {
		return remote.Machine{}
	}
	return v.Machines[0]
}
