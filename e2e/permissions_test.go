//go:build e2e

package e2e_test

import (
	"path/filepath"
	"slices"
	"testing"

	"hermes/e2e/lab"
)

// TestPermissions plays permission asks with the real hermes and the real OpenCode.
// Whether something was run is read from the disk.
func TestPermissions(t *testing.T) {
	atEach(t, linkedServe, everyEntry(), func(t *testing.T, e entry) {
		newDesk(t, e, "shop-api").playAll(t, slices.Concat([]scene{
			{"once", allowedOnce, quick},
			{"reject", rejected, quick},
			{"reject with a note", rejectedWithNote, quick},
			{"a change", changed, quick},
			{"a folder outside", outside, quick},
			{"subagent", askedBySubagent, everywhere},
			{"allowed in OpenCode first", allowedThere, everywhere},
			{"rejected in OpenCode first", rejectedThere, everywhere},
			{"session stopped", stoppedAsk, everywhere},
			{"rejected together", rejectedTogether, quick},
			{"hermes killed at the tap", killedAtAllow, hermesAlone},
			{"the agent approves its own ask", approvesItself, quick | hermesAlone},
		}, fileScenes(), []scene{
			// Nothing takes back what is always allowed but a restart of OpenCode.
			{"always", alwaysAllowed, quick},
			{"OpenCode killed", askKilled, quick},
		}))
	})
}

// command is how a command stands on its card, with the first line for its state, and
// without what the agent says of it.
func command(sign, text string, end ...string) []string {
	return append([]string{sign + " Run a command · shop-api", text}, end...)
}

func allowedOnce(d *desk) {
	d.here.ask("make it", run("touch once"))
	card := d.phone.cardWith("touch once")
	d.phone.reads(card, "🔐 Run a command · shop-api\ntouch once\n")
	d.phone.reads(card, "“Always allow” covers, until OpenCode restarts: touch *")
	d.here.noFile("once")
	d.phone.tap(card, "✅ Allow once")
	d.here.toldOf("touch once", d.here.quiet())
	d.here.awaitFile("once")
	d.phone.end(card, command("✅", "touch once", "Allowed once by Ada · hh:mm")...)
}

func rejected(d *desk) {
	d.here.ask("not that", run("touch rejected"))
	card := d.phone.cardWith("touch rejected")
	d.phone.tap(card, "🚫 Reject")
	d.phone.end(card, command("🚫", "touch rejected", "Rejected by Ada · hh:mm")...)
	d.here.goOn("after the rejection")
	d.here.toldOf("touch rejected", d.here.rejection(""))
	d.here.noFile("rejected")
}

// rejectedWithNote: the agent goes on at once, and the model has the note.
func rejectedWithNote(d *desk) {
	const note = `Brücke: use "make" <b>`
	d.here.ask("better so", run("touch noted"))
	card := d.phone.cardWith("touch noted")
	d.phone.reads(card, "touch noted\ndescription: d\n")
	d.phone.tap(card, "💬 Reject, say why")
	d.phone.reads(card, "Reply to this message with your note to the agent.")
	d.phone.say(note, d.phone.box())
	d.here.toldOf("touch noted", d.here.rejection(note))
	d.phone.end(card, command("💬", "touch noted", "Rejected by Ada: "+note+" · hh:mm")...)
	d.here.noFile("noted")
}

func changed(d *desk) {
	file := d.here.path("changed.txt")
	d.here.ask("write it", tool("write", map[string]string{"filePath": file, "content": "one\ntwo\n"}))
	card := d.phone.cardWith("changed.txt")
	d.phone.reads(card, "🔐 Change a file · shop-api\nchanged.txt\n")
	d.phone.reads(card, "\n+one\n+two")
	d.here.noFile("changed.txt")
	d.phone.tap(card, "✅ Allow once")
	d.here.awaitFile("changed.txt")
	d.phone.reads(card, "Allowed once by Ada")
	d.phone.ends[card] = settled(d.phone.message(card).Text)
}

// outside: two asks for one call, one after the other.
func outside(d *desk) {
	file := filepath.Join(filepath.Dir(d.here.Dir), "outside")
	d.here.ask("reach out", run("touch "+file))
	first := d.phone.cardWith("Access outside the project")
	d.phone.reads(first, filepath.Dir(file)+"/*")
	d.phone.tap(first, "✅ Allow once")
	second := d.phone.cardWith("Run a command")
	if lab.Exists(file) {
		d.t.Error("it ran before the second ask was decided")
	}
	d.phone.tap(second, "✅ Allow once")
	d.here.toldOf("touch "+file, d.here.quiet())
	if !lab.Exists(file) {
		d.t.Error("it did not run")
	}
	d.phone.reads(first, "Allowed once by Ada")
	d.phone.ends[first] = settled(d.phone.message(first).Text)
	d.phone.end(second, command("✅", "touch "+file, "Allowed once by Ada · hh:mm")...)
}

func askedBySubagent(d *desk) {
	d.here.ask("ship it", "TASK "+lab.Agent+" "+run("touch sub"))
	card := d.phone.cardWith("touch sub")
	d.phone.reads(card, d.here.title("ship it")+" › sub task (@"+lab.Agent+" subagent) · waits until hh:mm")
	d.phone.tap(card, "✅ Allow once")
	d.here.toldOf(`{"command":"touch sub"`, d.here.quiet())
	d.here.awaitFile("sub")
	d.phone.end(card, command("✅", "touch sub", "Allowed once by Ada · hh:mm")...)
}

func allowedThere(d *desk) {
	d.here.ask("allowed here", run("touch there"))
	card := d.phone.cardWith("touch there")
	d.here.allowHere("touch there")
	d.here.toldOf("touch there", d.here.quiet())
	d.phone.end(card, command("✅", "touch there", "Allowed once in OpenCode · hh:mm")...)
}

func rejectedThere(d *desk) {
	d.here.ask("rejected here", run("touch never"))
	card := d.phone.cardWith("touch never")
	d.here.rejectHere("touch never")
	d.phone.end(card, command("🚫", "touch never", "Rejected in OpenCode · hh:mm")...)
	d.here.goOn("after your rejection")
	d.here.toldOf("touch never", d.here.rejection(""))
	d.here.noFile("never")
}

// stoppedAsk: OpenCode goes on listing the ask, and a grant of it would be carried
// out. Nobody sends one any more.
func stoppedAsk(d *desk) {
	d.here.ask("stopped", run("touch stop-me"))
	card := d.phone.cardWith("touch stop-me")
	d.here.stop()
	d.phone.end(card, command("⚠️", "touch stop-me", "Stopped, not run.")...)
	d.here.closePermission()
	d.here.goOn("after the stop")
	d.here.noFile("stop-me")
}
