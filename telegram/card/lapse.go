package card

import (
	"fmt"

	"hermes/internal/letters"
	"hermes/internal/outbound"
	"hermes/telegram/markup"
	"hermes/telegram/words"
)

// maxLapsed is how many machines a note names.
const maxLapsed = 20

// lapseNote is what a person is told of machines that they have to look after.
func lapseNote(l outbound.Lapse, w words.Table) markup.Text {
	m := w.Machines
	switch l.Kind {
	case outbound.LapseSilent:
		return markup.Join("\n",
			markup.Plain("🔌 "+fmt.Sprintf(m.Silent, w.Duration(l.For))), lapsed(l.Machines), markup.Plain(m.Forget), command("hermes link revoke "+l.Machines[0].Name))
	case outbound.LapseOld:
		return markup.Join("\n", markup.Plain("🔌 "+m.Old), lapsed(l.Machines), markup.Plain(m.UpdateOld), command("hermes plugin install"))
	case outbound.LapseTooOld:
		return markup.Join("\n", markup.Plain("❗ "+m.TooOld), lapsed(l.Machines), markup.Plain(m.UpdateTooOld), command("hermes plugin install"))
	}
	return markup.Join("\n", markup.Plain("❗ "+m.TooNew), lapsed(l.Machines), markup.Plain(m.UpdateHere))
}

// lapsed is a line for each machine.
func lapsed(machines []outbound.LapsedMachine) markup.Text {
	var lines []markup.Text
	for _, m := range machines[:min(len(machines), maxLapsed)] {
		line := "• " + m.Name
		if said := letters.Escaped(markup.OneLine(m.Host)); said != "" && said != m.Name {
			line += " (" + said + ")"
		}
		if said := letters.Escaped(markup.OneLine(m.Version)); said != "" {
			line += ": " + said
		}
		lines = append(lines, markup.Plain(line))
	}
	if more := len(machines) - maxLapsed; more > 0 {
		lines = append(lines, markup.Plain(fmt.Sprintf("… +%d", more)))
	}
	return markup.Join("\n", lines...)
}
