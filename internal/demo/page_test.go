//go:build browser

package demo

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"hermes/internal/simulate/rig"
)

// The page is driven through all that it is for, as a person would, in each look.
func TestPage(t *testing.T) {
	for _, look := range []struct {
		name, scheme  string
		width, height int64
	}{
		{"light", "light", 1440, 900},
		{"dark", "dark", 1440, 900},
		{"phone", "light", 390, 844},
		{"dark phone", "dark", 390, 844},
	} {
		t.Run(look.name, func(t *testing.T) {
			t.Parallel()
			w := openWindow(t, look.width, look.height, look.scheme)
			w.answers()
			w.permissions()
			w.endings()
			w.fits()
		})
	}
}

// answers are given by tap, by several, by steps, in words and by keyboard.
func (w *window) answers() {
	w.ask("single", "Which database")
	w.tap("2. PostgreSQL")
	w.see(newest, "→ PostgreSQL (Recommended)", "edited")
	w.see("#phone-bob .chat > li:last-child", "→ PostgreSQL (Recommended)", "Ada")
	w.see(lastAsk, "received", `[["PostgreSQL (Recommended)"]]`)

	w.ask("multiple", "Which platforms")
	w.tap("☐ 1. Linux")
	w.see(newest, "☑ 1. Linux")
	w.tap("☐ 3. Windows")
	w.see(newest, "Done (2)")
	w.shoot("multiple")
	w.tap("✅ Done")
	w.see(lastAsk, `[["Linux","Windows"]]`)

	w.ask("several", "1 of 3")
	w.tap("1. SQLite")
	w.see(newest, "2 of 3")
	w.tap("☐ 1. Go")
	w.see(newest, "☑ 1. Go")
	w.tap("Next")
	w.see(newest, "3 of 3")
	w.write("The Bridge")
	w.see("#phone-ada .chat", "Ready to send")
	w.shoot("several")
	w.tap("✅ Send")
	w.see(lastAsk, `[["SQLite"],["Go"],["The Bridge"]]`)

	w.ask("typed", "announce the release")
	w.tap("✏️ Type an answer")
	w.see("#phone-ada .replying", "Reply to Hermes")
	w.shoot("typed")
	w.write("Tell nobody, it is a secret")
	w.see(lastAsk, `[["Tell nobody, it is a secret"]]`)

	w.ask("many", "1. Africa, north")
	w.tap("11–20")
	w.see(newest+" .keys", "11. Europe, north")
	w.shoot("many")
	w.tap("12. Europe, east")
	w.see(lastAsk, `[["Europe, east"]]`)

	w.ask("long", "2. Begin, but keep the old tables")
	w.see("#phone-ada .chat", "Please read it to its end.", "Shall I begin?")
	w.byKeyboard("2. Begin, but", "→ Begin, but keep the old tables")
	w.see(lastAsk, `[["Begin, but keep the old tables"]]`)
}

// permissions are given and refused.
func (w *window) permissions() {
	w.ask("command", "rm -rf build && make -j8")
	w.tap("🔓 Always allow")
	w.see(newest, "Allow from now on")
	w.tap("◀ Back")
	w.see(newest, "“Always allow” covers")
	w.shoot("command")
	w.tap("✅ Allow once")
	w.see(newest, "Allowed once by Ada")
	w.see("#phone-bob .chat > li:last-child", "Allowed once by Ada")
	w.see(lastAsk, "received")

	w.ask("change", "+timeout: 5")
	w.shoot("change")
	w.tap("💬 Reject, say why")
	w.see("#phone-ada .replying", "Reply to Hermes")
	w.write("ten seconds, please")
	w.see("#phone-ada .chat", "Rejected by Ada: ten seconds, please")
	w.see(lastAsk, "ten seconds, please")
}

// byKeyboard goes from Ada's message box to the newest card, which is one step, along its
// buttons to the label, and presses it. The focus stays on her phone.
func (w *window) byKeyboard(label, end string) {
	w.t.Helper()
	w.view("ada")
	w.do("go to the message box", chromedp.Focus(chromedp.CSS("#phone-ada textarea")))
	w.do("press Shift+Tab", chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	w.holds("be on the first button", fmt.Sprintf("document.activeElement === document.querySelector(%q)", newest+" .key"))
	for range 20 {
		if w.is(fmt.Sprintf("document.activeElement.textContent.startsWith(%q)", label)) {
			break
		}
		w.do("press Arrow Down", chromedp.KeyEvent(kb.ArrowDown))
	}
	w.holds("be on "+label, fmt.Sprintf("document.activeElement.textContent.startsWith(%q)", label))
	w.do("press Enter", chromedp.KeyEvent(kb.Enter))
	w.see(newest, end)
	w.holds("keep the focus", `document.activeElement.closest("#phone-ada") !== null`)
}

// endings are those that are no answer of Ada's.
func (w *window) endings() {
	w.ask("single", "Which database")
	w.tap("🚫 Dismiss")
	w.see(newest, "Dismiss this question?")
	w.tap("🚫 Dismiss")
	w.see(newest, "Dismissed by Ada")
	w.see(lastAsk, "dismissed", "The user dismissed this question")

	w.ask("multiple", "Which platforms")
	w.click("agent", "asks", "Answer in the terminal")
	w.see(newest, "→ Linux", "answered in OpenCode")

	w.ask("subagent", "A payment call timed out")
	w.click("agent", "ways", "Restart")
	w.see(newest, "No longer waiting: OpenCode was restarted.")

	w.killed()

	w.ask("file", "The whole text is in the file above.")
	w.see("#phone-ada .chat .document", "question.txt")
	w.ask("hostile", "Remove <script>alert(1)</script>")
	w.shoot("hostile")
	w.tap("1. Remove <i>all</i>")
	w.see(lastAsk, `[["Remove <i>all</i>"]]`)

	w.ask("expiring", "The build cache is 14 GB")
	w.see("#phone-ada .chat", "Nobody answered in 20 s: dismissed. The agent was told.")
	w.see(lastAsk, "dismissed")
	w.shoot("end")
}

// killed: what is tapped while hermes is dead counts when it is back.
func (w *window) killed() {
	w.ask("single", "Which database")
	w.click("agent", "ways", "Kill")
	w.see("#ways", "Hermes stopped")
	w.tap("1. SQLite")
	w.see(lastAsk, "waits")
	w.click("agent", "ways", "Start")
	w.see(lastAsk, `[["SQLite"]]`)
	w.see("#phone-ada .chat > li:last-child", "→ SQLite")
}

// The whole tour is made by keyboard alone, in each language, on a wide and on a narrow screen, and looked at on the
// way on all of them. The focus is never lost.
func TestPage_Tour(t *testing.T) {
	for _, look := range []struct {
		lang, scheme  string
		width, height int64
		inspect       bool
	}{
		{"en", "light", 1440, 900, true},
		{"zh", "dark", 390, 844, true},
		{"zh", "light", 1024, 768, false}, // one phone beside the guide
	} {
		t.Run(fmt.Sprintf("%s %d", look.lang, look.width), func(t *testing.T) {
			t.Parallel()
			w := openWindowIn(t, look.lang, look.width, look.height, look.scheme)
			w.do("load the checker", chromedp.Evaluate[chromedp.Void](axeSource(t)))
			for _, part := range []func(){w.tourQuestion, w.tourSeveral, w.tourCrash, w.tourPermission, w.tourApprovals, w.tourDriving} {
				part()
				w.holds("be done", `document.querySelector("#hint.done")`)
				if look.inspect {
					w.inspect(fmt.Sprintf("step-%d", w.number("#steps [aria-current]")))
					w.resize(look.width, look.height, look.scheme)
				}
				w.onward("next")
			}
			w.see("#setup", "setup")
			w.holds("be at the command", `document.activeElement.id === "copy"`)
			w.press("copy", kb.Enter)
			w.holds("have the command", `document.querySelector("#copied").textContent || getSelection().toString() === document.querySelector("#setup").textContent`)
			if look.inspect {
				w.inspect("setup")
			}
		})
	}
}

// onward presses the button of the tour, which has or gets the focus.
func (w *window) onward(action string) {
	w.t.Helper()
	w.toButton()
	w.holds("offer "+action, fmt.Sprintf(`document.querySelector("#go").dataset.does.startsWith(%q)`, action))
	w.press(action, kb.Enter)
}

// sendWritten sends what the tour writes into Ada's message box, which is empty then.
func (w *window) sendWritten(text string) {
	w.t.Helper()
	w.onward("write Ada")
	const box = `document.querySelector("#phone-ada textarea")`
	w.holds("be in the message box", fmt.Sprintf(`document.activeElement === %s && %s.value.startsWith(%q)`, box, box, text))
	w.press("send it", kb.Enter)
	w.holds("have sent it", box+`.value === ""`)
}

// toButton goes to the button of the tour; from a phone that has the whole screen, by way of the guide.
func (w *window) toButton() {
	w.t.Helper()
	if w.is(`document.querySelector("#go").offsetParent === null`) {
		w.tabTo(`.views [data-view="agent"]`, 12)
		w.press("show the guide", kb.Enter)
	}
	w.tabTo("#go", 20)
}

// choose presses the button of the newest card that many places after its first one.
func (w *window) choose(phone string, place int) {
	w.t.Helper()
	w.holds("be on the first button of "+phone, fmt.Sprintf(`document.activeElement === document.querySelector("#phone-%s li:last-child .key")`, phone))
	for range place {
		w.press("the next button", kb.ArrowDown)
	}
	w.press("the button", kb.Enter)
}

// begin makes the agent ask and goes to a phone, where the question is.
func (w *window) begin() {
	w.t.Helper()
	w.holds("see how the last one ended", `document.querySelector("#phone-ada .key") === null`)
	w.onward("ask")
	w.holds("see the question", fmt.Sprintf("document.querySelector(%q)", newest+" .key"))
}

func (w *window) tourQuestion() {
	w.begin()
	w.onward("go Ada")
	w.choose("ada", 1)
}

func (w *window) tourSeveral() {
	w.begin()
	w.onward("go Ada")
	w.choose("ada", 0)
	w.holds("see the second question", fmt.Sprintf(`document.querySelector(%q).textContent.includes("☐")`, newest+" .keys"))
	w.press("tick", kb.Enter)
	w.holds("see it ticked", fmt.Sprintf(`document.activeElement === document.querySelector(%q) && document.activeElement.textContent.includes("☑")`, newest+" .key"))
	w.press("the last button", kb.End)
	w.press("go to the third question", kb.Enter)
	w.holds("be asked for a text", `!document.querySelector("#phone-ada .replying").hidden`)
	w.tabTo("#phone-ada textarea", 3)
	w.do("write a name", chromedp.KeyEvent("Hermes"))
	w.press("send", kb.Enter)
	w.holds("see the summary", `[...document.querySelectorAll("#phone-ada .key")].some(k => k.textContent.startsWith("✅"))`)
	w.do("go back to the card", chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	for !w.is(`document.activeElement.textContent.startsWith("✅")`) {
		w.press("the next button", kb.ArrowDown)
	}
	w.press("send all", kb.Enter)
}

func (w *window) tourCrash() {
	w.begin()
	w.onward("kill hermes")
	w.onward("go Ada")
	w.choose("ada", 0)
	w.onward("start hermes")
}

func (w *window) tourPermission() {
	w.begin()
	w.onward("go Ada")
	w.choose("ada", 0)
}

func (w *window) tourApprovals() {
	w.begin()
	w.onward("go Ada")
	w.choose("ada", 0)
	w.onward("go Bob")
	w.choose("bob", 0)
}

func (w *window) tourDriving() {
	w.sendWritten("/sessions")
	w.onward("go Ada")
	w.choose("ada", 0)
	w.sendWritten("")
}

// fits: nothing is wider than the screen, and every control has a name.
func (w *window) fits() {
	w.t.Helper()
	for _, view := range []string{"ada", "agent"} {
		w.view(view)
		w.holds("fit", "document.documentElement.scrollWidth <= innerWidth")
	}
	w.holds("name all", `[...document.querySelectorAll("button, select, textarea, [role=log]")].every(n => n.textContent.trim() || n.ariaLabel || n.labels?.length)`)
}

// The README's pictures: one question answered, one open, on both phones, in light and in dark. With
// -update they are written to docs.
func TestScreenshot(t *testing.T) {
	w := openWindow(t, 1440, 900, "light")
	w.ask("typed", "announce the release")
	w.write("Blog post")
	w.see(lastAsk, `[["Blog post"]]`)
	w.do("close what is not in the tour", chromedp.Evaluate[chromedp.Void](`document.querySelector("#further").open = false`))
	w.tabTo("#go", 25)
	w.press("ask", kb.Enter)
	w.see("#phone-bob .chat > li:last-child", "Which database")
	w.see("#go", "Go to Ada’s phone")
	w.do("leave the button", chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	folder := t.TempDir()
	if *rig.Update {
		folder = "../../docs"
	}
	w.shootTo(filepath.Join(folder, "try.png"))
	w.resize(1440, 900, "dark")
	w.shootTo(filepath.Join(folder, "try-dark.png"))
}
