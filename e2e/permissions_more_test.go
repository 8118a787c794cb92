//go:build e2e

package e2e_test

import "strings"

func twoAsks(d *desk) {
	d.here.ask("two at once", run("touch first", "mkdir second"))
	first, second := d.phone.cardWith("touch first"), d.phone.cardWith("mkdir second")
	d.phone.tap(second, "✅ Allow once")
	d.here.awaitFile("second")
	d.here.noFile("first")
	d.phone.end(second, command("✅", "mkdir second", "Allowed once by Ada · hh:mm")...)
	d.phone.tap(first, "✅ Allow once")
	d.here.toldOf("touch first", d.here.quiet())
	d.here.toldOf("mkdir second", d.here.quiet())
	d.here.awaitFile("first")
	d.phone.end(first, command("✅", "touch first", "Allowed once by Ada · hh:mm")...)
}

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

// equalAsks: one card for both, and both run.
func equalAsks(d *desk) {
	d.here.ask("twice the same", run("echo x >> twice", "echo x >> twice"))
	card := d.phone.cardWith("echo x >> twice")
	d.phone.reads(card, "· 2 identical requests")
	d.phone.tap(card, "✅ Allow once")
	eventually(d.t, "both have run", func() bool { return d.here.read("twice") == "x\nx\n" })
	d.phone.reads(card, "Allowed once by Ada")
	d.phone.ends[card] = settled(d.phone.message(card).Text)
}

func permissionWhileDown(d *desk) {
	d.hermes.stop(d.t)
	d.here.ask("nobody listens", run("touch waits"))
	d.here.awaitPermission("touch waits")
	d.hermes.start(d.t)
	card := d.phone.cardWith("touch waits")
	d.phone.reads(card, "🔐 Run a command · shop-api\ntouch waits\n")
	d.phone.tap(card, "✅ Allow once")
	d.here.toldOf("touch waits", d.here.quiet())
	d.phone.end(card, command("✅", "touch waits", "Allowed once by Ada · hh:mm")...)
}

func allowedWhileDown(d *desk) {
	d.here.ask("in the dark", run("touch dark"))
	card := d.phone.cardWith("touch dark")
	d.phone.kills++
	d.hermes.kill()
	d.phone.tap(card, "✅ Allow once")
	d.hermes.start(d.t)
	d.here.toldOf("touch dark", d.here.quiet())
	d.here.awaitFile("dark")
	d.phone.end(card, command("✅", "touch dark", "Allowed once by Ada · hh:mm")...)
}

func killedAtAllow(d *desk)   { allowAndKill(d, "tap", "answerCallbackQuery") }
func killedAtAllowed(d *desk) { allowAndKill(d, "edit", "editMessageText") }

// allowAndKill kills hermes when its first call of a method after the tap arrives.
// The command runs once. The tap is answered while the decision is sent: if OpenCode has that
// and hermes has not stored so, nothing tells later whose it was.
func allowAndKill(d *desk, name, method string) {
	line := "echo x >> " + name
	d.here.ask("crash", run(line))
	card := d.phone.cardWith(line)
	killed := d.killAt(method)
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
	if !strings.Contains(end, "Allowed once by Ada") && !(name == "tap" && unsure) {
		d.t.Errorf("the message ends with %q", end)
	}
	d.phone.ends[card] = settled(end)
	if got := d.here.read(name); got != "x\n" {
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

func askExpired(d *desk) {
	d.restart("HERMES_QUESTION_TTL=2s", "HERMES_ON_EXPIRY=accept-first")
	d.here.ask("nobody is there", run("touch late"))
	card := d.phone.cardWith("touch late")
	d.phone.end(card, command("⌛", "touch late", "Nobody answered in 2 s: rejected. The agent was told.")...)
	d.here.goOn("after the time")
	d.here.toldOf("touch late", d.here.rejection(""))
	d.here.noFile("late")
}
