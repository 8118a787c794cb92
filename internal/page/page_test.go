package page_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"hermes/internal/page"
)

// world is a World that a test changes.
type world struct {
	mu    sync.Mutex
	state page.State
	done  []page.Action
	met   []string
	err   error
}

func (w *world) Greet(lang string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.met = append(w.met, lang)
}

func (w *world) State() page.State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

func (w *world) set(title string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Title = title
}

func (w *world) Do(a page.Action) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = append(w.done, a)
	return "callback-1", w.err
}

func (w *world) actions() []page.Action {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done
}

func (w *world) File(person int64, message int) (page.Document, []byte, bool) {
	text := []byte("<script>alert(1)</script>")
	return page.Document{Name: "question \"1\".html", Size: len(text)}, text, person == 7 && message == 3
}

// site is a served page and a visitor without a cookie.
type site struct {
	*world
	t     *testing.T
	pages *page.Server
	root  string
}

func serve(t *testing.T) *site {
	t.Helper()
	s := &site{world: &world{}, t: t}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.pages.ServeHTTP(w, r) }))
	s.pages = page.New(s.world, server.Listener.Addr().String())
	s.root = "http://" + server.Listener.Addr().String()
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(s.pages.Close)
	return s
}

// request is one with headers given as name, value, …; "Host" sets the host.
func (s *site) request(method, path, body string, headers ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.root+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if req.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			req.Host = headers[i+1]
		}
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { res.Body.Close() })
	return res
}

// enter opens an address and returns the Cookie header of its visitor.
func (s *site) enter(address string) string {
	s.t.Helper()
	res := s.request(http.MethodGet, strings.TrimPrefix(address, s.root), "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate")
	if res.StatusCode != http.StatusOK {
		s.t.Fatalf("the page answers %s", res.Status)
	}
	all := res.Cookies()
	if len(all) != 1 || !all[0].HttpOnly || all[0].SameSite != http.SameSiteStrictMode {
		s.t.Fatalf("the cookies are %v", all)
	}
	return all[0].Name + "=" + all[0].Value
}

func (s *site) body(res *http.Response) string {
	s.t.Helper()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(raw)
}

func TestPage_OnlyWithTheToken(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	name, _, _ := strings.Cut(cookie, "=")
	for _, test := range []struct {
		path, cookie string
		want         int
	}{
		{"/", "", 401},
		{"/?token=", "", 401},
		{"/?token=wrong", "", 401},
		{"/", name + "=", 401},
		{"/", name + "=wrong", 401},
		{"/state" + strings.TrimPrefix(s.pages.URL(), s.root+"/"), "", 401}, // the token opens the page alone
		{"/page.js", "", 401},
		{"/", cookie, 200},
		{"/page.js", cookie, 200},
		{"/dom.js", cookie, 200},
		{"/phone.js", cookie, 200},
		{"/words.js", cookie, 200},
		{"/tour.js", cookie, 200},
		{"/page.css", cookie, 200},
		{"/icon.svg", cookie, 200},
		{"/nothing", cookie, 404},
	} {
		res := s.request(http.MethodGet, test.path, "", "Cookie", test.cookie)
		if res.StatusCode != test.want {
			t.Errorf("%s with %q: got %s, want %d", test.path, test.cookie, res.Status, test.want)
		}
	}
}

func TestPage_TicketOpensOnce(t *testing.T) {
	s := serve(t)
	ticket := s.pages.Ticket()
	cookie := s.enter(ticket)
	if cookie == "" || strings.Contains(ticket, strings.SplitN(cookie, "=", 2)[1]) {
		t.Errorf("the ticket holds the cookie %q, or makes none", cookie)
	}
	if res := s.request(http.MethodGet, strings.TrimPrefix(ticket, s.root), ""); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("the second time: %s", res.Status)
	}
}

func TestPage_OnlyAtItsOwnAddress(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	port := s.root[strings.LastIndex(s.root, ":"):]
	for host, want := range map[string]int{
		"localhost" + port: 200, "127.0.0.1" + port: 200, "evil.example" + port: 421, "localhost": 421, "127.0.0.1:1": 421,
	} {
		if res := s.request(http.MethodGet, "/", "", "Cookie", cookie, "Host", host); res.StatusCode != want {
			t.Errorf("Host %s: got %s, want %d", host, res.Status, want)
		}
	}
}

func TestPage_OnlyFromItsOwnPage(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	for _, test := range []struct {
		method, path string
		headers      []string
		want         int
	}{
		{"POST", "/do", []string{"Origin", s.root}, 200},
		{"POST", "/do", []string{"Origin", s.root, "Sec-Fetch-Site", "same-origin"}, 200},
		{"POST", "/do", nil, 403},
		{"POST", "/do", []string{"Origin", "null"}, 403},
		{"POST", "/do", []string{"Origin", "http://evil.example"}, 403},
		{"POST", "/do", []string{"Origin", "https" + s.root[4:]}, 403},
		{"POST", "/do", []string{"Origin", s.root, "Sec-Fetch-Site", "cross-site"}, 403},
		{"GET", "/state", []string{"Origin", "http://evil.example"}, 403},
		{"GET", "/page.js", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"GET", "/file/7/3", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate"}, 403},
		{"GET", "/file/7/3", []string{"Sec-Fetch-Site", "same-origin"}, 200},
	} {
		before := len(s.actions())
		res := s.request(test.method, test.path, `{"do":"x"}`, append(test.headers, "Cookie", cookie)...)
		if acted := len(s.actions()) > before; res.StatusCode != test.want || acted != (test.method == "POST" && test.want == 200) {
			t.Errorf("%s %s %q: got %s, acted: %v", test.method, test.path, test.headers, res.Status, acted)
		}
	}
}

// Every answer, refusals too, tells the browser what the page may do.
func TestPage_Headers(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	for path, cookie := range map[string]string{"/": cookie, "/page.css": cookie, "/state": cookie, "/file/7/3": cookie, "/?token=x": ""} {
		h := s.request(http.MethodGet, path, "", "Cookie", cookie).Header
		csp := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'; style-src 'self'") || strings.Contains(csp, "unsafe") ||
			!strings.Contains(csp, "frame-ancestors 'none'") || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestPage_FilesArePlainText(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	res := s.request(http.MethodGet, "/file/7/3", "", "Cookie", cookie)
	if got := res.Header.Get("Content-Type"); got != "text/plain; charset=utf-8" || s.body(res) != "<script>alert(1)</script>" {
		t.Errorf("the file comes as %s", got)
	}
	if got := res.Header.Get("Content-Disposition"); got != `inline; filename="question \"1\".html"` {
		t.Errorf("it is called %s", got)
	}
	for _, path := range []string{"/file/7/4", "/file/x/3", "/file/7/x"} {
		if res := s.request(http.MethodGet, path, "", "Cookie", cookie); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
}

func TestPage_Actions(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	act := func(body string) (int, string) {
		res := s.request(http.MethodPost, "/do", body, "Cookie", cookie, "Origin", s.root)
		return res.StatusCode, strings.TrimSpace(s.body(res))
	}
	tap := page.Action{Do: "tap", Person: 7, Message: 3, Label: "1. <b>", Data: "x"}
	raw, err := json.Marshal(tap)
	if err != nil {
		t.Fatal(err)
	}
	if status, body := act(string(raw)); status != http.StatusOK || body != `{"callback":"callback-1"}` || s.actions()[0] != tap {
		t.Errorf("got %d, %s, %+v", status, body, s.actions())
	}
	for _, body := range []string{"", "[]", `{"do":"x","more":1}`, `{"do":"x"}{}`, `{"do":"` + strings.Repeat("x", 1<<20) + `"}`} {
		if status, answer := act(body); status != http.StatusBadRequest {
			t.Errorf("%.20s: got %d, %s", body, status, answer)
		}
	}
	s.err = errors.New("that cannot be done")
	if status, body := act(`{"do":"x"}`); status != http.StatusConflict || body != `{"error":"that cannot be done"}` {
		t.Errorf("got %d, %s", status, body)
	}
}

// The World hears which language the browser wants, of those that the page has.
func TestPage_Greets(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	for _, test := range []struct{ header, want string }{
		{"", "en"},
		{"zh-CN,zh;q=0.9,en;q=0.8", "zh"},
		{"zh-Hant", "zh"},
		{"de-DE, en;q=0.5, zh;q=0.4", "en"},
		{"en;q=0.4, ZH_tw;q=0.5", "zh"},
		{"en, zh", "en"},
		{"zhuang, en;q=0.1", "en"},
		{"zh;q=0, en;q=0.1", "en"},
		{"zh;q=much", "en"},
		{"fr, *", "en"},
	} {
		s.request(http.MethodGet, "/", "", "Cookie", cookie, "Accept-Language", test.header)
		if got := s.met[len(s.met)-1]; got != test.want {
			t.Errorf("%q: got %s, want %s", test.header, got, test.want)
		}
	}
}

// The state comes at once, again after each change, and ends with the Server.
func TestPage_States(t *testing.T) {
	s := serve(t)
	s.set("one")
	res := s.request(http.MethodGet, "/state", "", "Cookie", s.enter(s.pages.URL()))
	lines := bufio.NewScanner(res.Body)
	next := func() (state page.State) {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if err := json.Unmarshal([]byte(text), &state); err != nil {
					t.Fatal(err)
				}
				return state
			}
		}
		t.Fatal("the stream has ended")
		return state
	}
	if got := next().Title; got != "one" {
		t.Errorf("got %q first", got)
	}
	s.set("two\n\ndata: three")
	if got := next().Title; got != "two\n\ndata: three" {
		t.Errorf("got %q", got)
	}
	s.pages.Close()
	for lines.Scan() {
		if lines.Text() != "" {
			t.Errorf("after the end: %q", lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
}

// What the page holds, it loads from itself; nothing in it is inline.
func TestPage_IsSelfContained(t *testing.T) {
	s := serve(t)
	cookie := s.enter(s.pages.URL())
	for _, path := range []string{"/", "/page.js", "/phone.js", "/dom.js", "/words.js", "/tour.js", "/page.css"} {
		text := s.body(s.request(http.MethodGet, path, "", "Cookie", cookie))
		for _, bad := range []string{"http://", "https://", "innerHTML", "insertAdjacentHTML", "document.write", " style=", " onclick=\"", "@import", "eval("} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s in it", path, bad)
			}
		}
	}
}
