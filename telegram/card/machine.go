package card

import (
	"fmt"

	"hermes/internal/letters"
	"hermes/internal/outbound"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// machineNote is what a person is told of a machine of theirs.
func machineNote(n outbound.Note, w words.Table) markup.Text {
	m := n.Machine
	switch n.Kind {
	case outbound.NoteLinkCode:
		given := "--url " + m.URL + " --code " + m.Code.Reveal()
		return markup.Join("\n",
			markup.Plain("🔗 "+fmt.Sprintf(w.Machines.Paste, w.Duration(m.For))),
			command("hermes plugin install "+given),
			markup.Plain(w.Machines.Service),
			command("hermes link run "+given),
		)
	case outbound.NoteLinkOther:
		return markup.Plain("🔒 " + w.Machines.Private)
	case outbound.NoteLinkNoURL:
		return markup.Plain("❗ " + w.Machines.NoURL)
	}
	return markup.Join("\n",
		markup.Plain("🔗 "+fmt.Sprintf(w.Machines.Linked, m.Name)),
		markup.Plain(fmt.Sprintf(w.Machines.Host, letters.Escaped(markup.OneLine(m.Host)))),
		markup.Plain(w.Machines.Revoke),
		command("hermes link revoke "+m.Name),
	)
}

// command is a command line, which a tap copies.
func command(line string) markup.Text { return markup.Text{{Text: line, Code: "bash"}} }
