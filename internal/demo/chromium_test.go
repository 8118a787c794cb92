//go:build browser

package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// window is a browser that shows the page of a `hermes try` of its own. Its
// methods fail the test; they are for the test's goroutine.
type window struct {
	t      *testing.T
	ctx    context.Context
	narrow bool // one thing at a time is on the screen

	mu    sync.Mutex
	wrong []string // what the browser complained of
}

// step is something that the browser does.
type step = chromedp.Action[chromedp.Void]

// pageWait is how long the page may take to show something. A question's expiry
// is within it.
const pageWait = 60 * time.Second

// openWindow starts `hermes try` and Chromium, whose person reads English.
func openWindow(t *testing.T, width, height int64, scheme string) *window {
	t.Helper()
	return openWindowIn(t, "en", width, height, scheme)
}

func openWindowIn(t *testing.T, lang string, width, height int64, scheme string) *window {
	t.Helper()
	address := startTry(t, Options{NoBrowser: true, Listen: "127.0.0.1:0"})
	w := &window{t: t, ctx: startChromium(t)}
	own, _, _ := strings.Cut(address, "?")
	if err := chromedp.Listen(w.ctx, func(event any) { w.watch(event, own) }); err != nil {
		t.Fatal(err)
	}
	headers := network.Headers{"Accept-Language": lang}
	w.do("watch", tell(network.Enable, network.EnableParams{}), tell(network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers}), tell(log.Enable, cdp.Empty{}), tell(runtime.Enable, cdp.Empty{}))
	w.resize(width, height, scheme)
	w.do("open the page", chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS("body[data-ready]")),
		chromedp.Evaluate[chromedp.Void](`document.querySelector("#further").open = true`))
	t.Cleanup(w.complaints)
	return w
}

// resize gives the window a size and the system's colours, light or dark.
func (w *window) resize(width, height int64, scheme string) {
	w.t.Helper()
	w.narrow = width <= 820 // as in page.css
	media := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	w.do("resize", chromedp.EmulateViewport(width, height),
		tell(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: media}))
}

// startChromium starts a browser that ends with the test.
func startChromium(t *testing.T) context.Context {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is not installed; the browser test needs it (Debian: apt-get install chromium)")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), // headless, no first run, no background traffic, no sync
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser's end, unlike the next two
		end()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("chromium does not start: %v", err)
	}
	return ctx
}

// tell is a step that is a command of the browser's protocol.
func tell[P, R any](command cdp.Command[P, R], params P) step {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, command, params)
		return chromedp.Void{}, err
	}
}

// watch notes errors, and requests to anywhere else.
func (w *window) watch(event any, own string) {
	var wrong string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		wrong = fmt.Sprintf("exception: %+v", e.ExceptionDetails)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			wrong = "log: " + e.Entry.Text
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, own) {
			wrong = "request to " + e.Request.URL
		}
	}
	if wrong != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.wrong = append(w.wrong, wrong)
	}
}

func (w *window) complaints() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.wrong {
		w.t.Error("the browser says:", line)
	}
}

func (w *window) do(what string, steps ...step) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		w.shoot("failed")
		shown, _ := chromedp.Run(w.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		w.t.Fatalf("%s: %v; the page shows:\n%s", what, err, shown)
	}
}

// holds waits until an expression is true on the page.
func (w *window) holds(what, expression string) {
	w.t.Helper()
	w.do(what, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(pageWait)))
}

// see waits until an element, on the screen or not, has all the texts.
func (w *window) see(selector string, texts ...string) {
	w.t.Helper()
	w.holds(fmt.Sprintf("see %q in %s", texts, selector),
		fmt.Sprintf("%s.every(t => document.querySelector(%s)?.textContent.includes(t))", inScript(w.t, texts), inScript(w.t, selector)))
}

// is tells whether an expression is true on the page now.
func (w *window) is(expression string) bool {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
	if err != nil {
		w.t.Fatal(err)
	}
	return yes
}

// number is the number in an element.
func (w *window) number(selector string) int {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	n, err := chromedp.Run(ctx, chromedp.Evaluate[int](fmt.Sprintf("parseInt(document.querySelector(%q).id.replace(/[^0-9]/g, ''))", selector)))
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// press presses a key where the focus is, which must be somewhere before and after.
func (w *window) press(what, key string) {
	w.t.Helper()
	w.focused("before " + what)
	if key == kb.Enter {
		w.do(what, tell(input.DispatchKeyEvent, enterKey(input.DispatchKeyEventTypeKeyDown)), tell(input.DispatchKeyEvent, enterKey(input.DispatchKeyEventTypeKeyUp)))
	} else {
		w.do(what, chromedp.KeyEvent(key))
	}
	w.focused("after " + what)
}

// enterKey is the key as a keyboard sends it: in one event with its character, which is not typed if the page
// has used the key. chromedp sends two.
func enterKey(event input.DispatchKeyEventType) input.DispatchKeyEventParams {
	return input.DispatchKeyEventParams{Type: event, Key: "Enter", Code: "Enter", Text: "\r", UnmodifiedText: "\r", WindowsVirtualKeyCode: 13, NativeVirtualKeyCode: 13}
}

func (w *window) focused(when string) {
	w.t.Helper()
	if w.is("document.activeElement === document.body || document.activeElement === null") {
		w.shoot("lost")
		w.t.Fatalf("%s: the focus is lost", when)
	}
}

// tabTo presses Tab until the focus is there, at most so many times.
func (w *window) tabTo(selector string, most int) {
	w.t.Helper()
	for range most {
		if w.is(fmt.Sprintf("document.activeElement === document.querySelector(%q)", selector)) {
			return
		}
		w.do("press Tab", chromedp.KeyEvent(kb.Tab))
	}
	w.shoot("far")
	w.t.Fatalf("%s is more than %d presses of Tab away", selector, most)
}

func inScript(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// view brings a part of the page to the screen, where not all fits.
func (w *window) view(id string) {
	w.t.Helper()
	if w.narrow {
		w.do("show "+id, chromedp.Click(chromedp.CSS(`.views button[data-view="`+id+`"]`)))
	}
}

// click clicks the last button of an element that begins with the label.
func (w *window) click(view, root, label string) {
	w.t.Helper()
	w.view(view)
	path := fmt.Sprintf(`(//*[@id=%q]//button[starts-with(normalize-space(.), %q)])[last()]`, root, label)
	w.do("click "+label, chromedp.Click(path, chromedp.NodeVisible))
}

// tap taps a button in Ada's chat.
func (w *window) tap(label string) { w.t.Helper(); w.click("ada", "phone-ada", label) }

// The last message in Ada's chat, and the last ask of the agent.
const (
	newest  = "#phone-ada .chat > li:last-child"
	lastAsk = "#asks > li:first-child"
)

// ask makes the agent ask, and waits until Ada's newest message has the text.
func (w *window) ask(id, text string) {
	w.t.Helper()
	w.view("agent")
	w.do("ask "+id, chromedp.Click(chromedp.CSS("#ask-"+id), chromedp.NodeEnabled))
	w.see(lastAsk, "waits")
	w.see(newest+":has(.keys)", text)
}

// write types into Ada's phone.
func (w *window) write(text string) {
	w.t.Helper()
	w.view("ada")
	w.do("write", chromedp.SendKeys(chromedp.CSS("#phone-ada textarea"), text+"\r"))
}

// shoot keeps what is on the screen in the folder that TRY_SHOTS names, if it does.
func (w *window) shoot(name string) {
	w.t.Helper()
	if folder := os.Getenv("TRY_SHOTS"); folder != "" {
		w.shootTo(filepath.Join(folder, strings.ReplaceAll(w.t.Name(), "/", "-")+"-"+name+".png"))
	}
}

func (w *window) shootTo(path string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, png, 0o644); err != nil {
		w.t.Fatal(err)
	}
}
