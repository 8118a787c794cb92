//go:build browser

package demo

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The accessibility checker: the npm package, and the SHA-512 that the registry has of it.
const (
	axeVersion   = "4.14.1"
	axeIntegrity = "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)

// axeSource is the checker's script. It is fetched once and kept in .cache, as it came.
func axeSource(t *testing.T) string {
	t.Helper()
	cache, err := filepath.Abs("../../.cache/axe-core")
	if err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(cache, "axe-core-"+axeVersion+".tgz")
	if _, err := os.Stat(packed); err != nil {
		fetchAxe(t, cache, packed)
	}
	raw, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha512.Sum512(raw); base64.StdEncoding.EncodeToString(sum[:]) != axeIntegrity {
		t.Fatalf("%s is not axe-core %s as it is pinned here; remove it", packed, axeVersion)
	}
	return unpackFile(t, raw, "package/axe.min.js")
}

// fetchAxe leaves the package in the cache whole, or not at all.
func fetchAxe(t *testing.T, cache, packed string) {
	t.Helper()
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(cache, ".fetch-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("npm", "pack", "axe-core@"+axeVersion, "--pack-destination", dir).CombinedOutput(); err != nil {
		t.Fatalf("the accessibility checker cannot be downloaded: %v\n%s", err, out)
	}
	if err := os.Rename(filepath.Join(dir, filepath.Base(packed)), packed); err != nil {
		t.Fatal(err)
	}
}

func unpackFile(t *testing.T, packed []byte, name string) string {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(plain); ; {
		file, err := files.Next()
		if err != nil {
			t.Fatalf("no %s in the package: %v", name, err)
		}
		if file.Name == name {
			text, err := io.ReadAll(files)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
	}
}

// violation is what axe finds wrong in one place.
type violation struct {
	Rule, Impact, Help, HTML, Summary string
}

// audit wants no serious and no critical finding of axe on the screen.
func (w *window) audit(when string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]violation](`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.flatMap(v => v.nodes.map(
		n => ({Rule: v.id, Impact: n.impact, Help: v.help, HTML: n.html, Summary: n.failureSummary}))).filter(v => ["serious", "critical"].includes(v.Impact)))`,
		chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, v := range found {
		w.t.Errorf("%s: axe: %s (%s): %s\n%s\n%s", when, v.Rule, v.Impact, v.Help, v.HTML, v.Summary)
	}
}

// inspect looks at the page as it stands now on every screen: at three widths, in two
// themes, part by part.
func (w *window) inspect(when string) {
	w.t.Helper()
	for _, size := range [][2]int64{{390, 844}, {768, 1024}, {1440, 900}} {
		for _, scheme := range []string{"light", "dark"} {
			w.resize(size[0], size[1], scheme)
			for _, part := range []string{"agent", "ada"} {
				w.view(part)
				look := fmt.Sprintf("%s, %d %s, %s", when, size[0], scheme, part)
				w.audit(look)
				w.fitsScreen(look)
				if w.is(`document.documentElement.lang === "zh-CN"`) {
					w.isChinese(look)
				}
				w.shoot(fmt.Sprintf("%s-%d-%s-%s", when, size[0], scheme, part))
				if !w.narrow {
					break
				}
			}
		}
	}
}

// fitsScreen: nothing is wider than the screen, buttons in chats have one line and their whole
// label at hand, and what a finger has to hit is large enough.
func (w *window) fitsScreen(when string) {
	w.t.Helper()
	w.none(when+": wider than the screen", `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")].filter(n => n.getBoundingClientRect().right > innerWidth + 1)`)
	w.none(when+": a label in two lines, or cut without its title",
		`[...document.querySelectorAll(".key")].filter(n => n.offsetParent && (n.offsetHeight > 46 || n.title !== n.textContent))`)
	if w.narrow {
		w.none(when+": smaller than 44 by 44",
			`[...document.querySelectorAll("button, select, summary, textarea, a")].filter(n => n.checkVisibility() && (n.getBoundingClientRect().height < 44 || n.getBoundingClientRect().width < 44))`)
	}
}

// isChinese: no sentence on the page is English, but for what OpenCode, the model and the log say.
func (w *window) isChinese(when string) {
	w.t.Helper()
	w.none(when+": not translated", `[...document.querySelectorAll("body *")].filter(n => n.checkVisibility() && n.closest("#log, code, .got, .mark-code, .mark-pre") === null
		&& [...n.childNodes].some(c => c.nodeType === 3 && /[A-Za-z]{2,} [a-z]+/.test(c.textContent.replace(/hermes try|rm -rf build|make -j8|You said|kubectl apply/g, ""))))`)
}

// none wants a list of elements to be empty.
func (w *window) none(what, list string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](
		"("+list+").map(n => `${Math.round(n.getBoundingClientRect().width)}×${Math.round(n.getBoundingClientRect().height)} ${n.outerHTML.slice(0, 160)}`)"))
	if err != nil {
		w.t.Fatal(err)
	}
	if len(found) > 0 {
		w.t.Errorf("%s: %q", what, found)
	}
}
