//go:build e2e

package e2e_test

import "strings"

// rejectedTogether: OpenCode rejects all of a session's asks with one.
func rejectedTogether(d *desk) {
	d.here.ask("both go", run("touch one", "mkdir two"))
	one, two := d.phone.cardWith("touch one"), d.phone.cardWith("mkdir two")
	d.phone.tap(one, "🚫 Reject")
	d.phone.end(one, command("🚫", "touch one", "Rejected by Ada · hh:mm")...)
	d.phone.end(two, command("🚫", "mkdir two", "Rejected by Ada, together with another request of this session · hh:mm")...)
	d.here.goOn("after both")
	d.here.toldOf("touch one", d.here.rejection(""))
	d.here.toldOf("mkdir two", d.here.rejection(""))
	d.here.noFile("one")
	d.here.noFile("two")
}

// killedAtAllow kills hermes when the answer to the tap arrives. The command runs once. The tap
// is answered while the decision is sent: if OpenCode has that and hermes has not stored so,
// nothing tells later whose it was.
func killedAtAllow(d *desk) {
	const line = "echo x >> tap"
	d.here.ask("crash", run(line))
	card := d.phone.cardWith(line)
	killed := d.killAt("answerCallbackQuery")
	d.phone.kills++
	d.phone.tap(card, "✅ Allow once")
	select {
	case <-killed:
	case <-d.t.Context().Done():
	}
	d.phone.telegram.SetFault(nil)
	d.hermes.start(d.t)
	d.here.toldOf(line, d.here.quiet())
	d.phone.reads(card, "Allowed ")
	end := d.phone.message(card).Text
	unsure := strings.Contains(end, "It is unclear whether Ada's answer arrived: Allow once")
	if !strings.Contains(end, "Allowed once by Ada") && !unsure {
		d.t.Errorf("the message ends with %q", end)
	}
	d.phone.ends[card] = settled(end)
	if got := d.here.read("tap"); got != "x\n" {
		d.t.Errorf("the command left %q, want that it ran once", got)
	}
}

// alwaysAllowed: asked once more, then no session is asked again.
func alwaysAllowed(d *desk) {
	d.here.ask("from now on", run("touch always"))
	card := d.phone.cardWith("touch always")
	d.phone.tap(card, "🔓 Always allow")
	d.phone.reads(card, "Allow from now on, in "+d.here.Dir+", until OpenCode restarts, without asking: touch *")
	d.here.noFile("always")
	d.phone.tap(card, "🔓 Always allow")
	d.here.toldOf("touch always", d.here.quiet())
	d.here.awaitFile("always")
	d.phone.end(card, command("🔓", "touch always", "Allowed from now on by Ada (touch *) · hh:mm")...)
	d.here.ask("not asked", run("touch unasked"))
	d.here.toldOf("touch unasked", d.here.quiet())
	d.here.awaitFile("unasked")
}

// askKilled: what was always allowed is forgotten, too.
func askKilled(d *desk) {
	d.here.ask("killed", run("mkdir lost"))
	card := d.phone.cardWith("mkdir lost")
	d.here.Restart()
	if d.way == linkedServe {
		d.here.wake()
	}
	d.phone.end(card, command("⚠️", "mkdir lost", "No longer waiting: OpenCode was restarted.")...)
	d.here.noFile("lost")
	d.here.ask("after the kill", run("touch again"))
	again := d.phone.cardWith("touch again")
	d.phone.tap(again, "✅ Allow once")
	d.here.toldOf("touch again", d.here.quiet())
	d.phone.end(again, command("✅", "touch again", "Allowed once by Ada · hh:mm")...)
}
