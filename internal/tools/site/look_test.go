//go:build browser

package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// On a phone, a tablet and a screen, light and dark, the accessibility checker finds nothing serious in a page with all that pages have, also
// while it shows what was searched; and no page is wider than the screen.
func TestPage_IsAccessible(t *testing.T) {
	folder, _ := built(t)
	checker, ctx := axe(t), startChromium(t)
	for _, name := range []string{"index.html", "docs/rules.html", "docs/http.html", "docs/architecture.html", "README.zh.html"} {
		do(t, ctx, chromedp.Navigate("file://"+filepath.Join(folder, name)), chromedp.Evaluate[chromedp.Void](checker))
		for _, width := range []int64{390, 820, 1440} {
			for _, scheme := range []string{"light", "dark"} {
				media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
				do(t, ctx, chromedp.EmulateViewport(width, 900), func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
					_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, media)
					return chromedp.Void{}, err
				})
				for _, words := range []string{"", "undo"} {
					look(t, ctx, fmt.Sprintf("%s, %d %s, searched %q", name, width, scheme, words), words)
				}
			}
		}
	}
}

func look(t *testing.T, ctx context.Context, when, words string) {
	t.Helper()
	do(t, ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`search.value = %q; search.dispatchEvent(new Event("input"))`, words)))
	wrong, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.filter(v => ["serious", "critical"].includes(v.impact)).flatMap(
		v => v.nodes.map(n => v.id + ": " + n.html + ": " + n.failureSummary)).concat(document.documentElement.scrollWidth <= innerWidth ? [] : ["wider than the screen"])
		.concat(found.hidden === (search.value === "") && (found.hidden || found.querySelectorAll("li a").length > 3) ? [] : ["the search shows " + found.textContent]))`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrong {
		t.Errorf("%s: %s", when, w)
	}
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	for _, step := range steps {
		if _, err := chromedp.Run(ctx, step); err != nil {
			t.Fatal(err)
		}
	}
}

// axe is the checker's script, which the test of the page of hermes try fetches and verifies.
func axe(t *testing.T) string {
	t.Helper()
	packed, err := filepath.Glob("../../../.cache/axe-core/axe-core-*.tgz")
	if err != nil || len(packed) == 0 {
		t.Fatal("the accessibility checker is not there: go test -tags browser -run TestPage ./internal/demo fetches it")
	}
	text, err := exec.Command("tar", "xzOf", packed[len(packed)-1], "package/axe.min.js").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func startChromium(t *testing.T) context.Context {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is not installed; the browser test needs it (Debian: apt-get install chromium)")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
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
