package link

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"hermes/internal/secret"
)

// Access says who may use hermes' HTTP interface. An empty API token lets nobody in.
type Access struct {
	// API is the token that opens everything. It opens links as well: plugins that were installed before links had tokens of
	// their own have it.
	API secret.Text
	// Link finds the id of the link whose token has this hash; ok is false for none, also for one that was revoked. It is called
	// for every request that does not carry the API's token, from several goroutines. nil: there are none.
	Link func(Hash) (id string, ok bool)
}

// Guard lets a request through to next only if it carries the API's token (else 401; 403 if it is a link's), does not come from a
// web page, that is, has no Origin header (else 403), and announces at most MaxBody bytes (else 413). A body that is longer than it
// announced fails with *http.MaxBytesError while next reads it.
func (a Access) Guard(next http.Handler) http.Handler {
	return fromPrograms(func(w http.ResponseWriter, r *http.Request) {
		switch token := bearerToken(r); {
		case a.isAPI(token):
			next.ServeHTTP(w, r)
		case a.isLink(token):
			refuse(w, http.StatusForbidden, "the token of a link opens /v1/link and nothing else")
		default:
			refuseToken(w, "the bearer token is missing or wrong; it is HERMES_HOOK_TOKEN")
		}
	})
}

// GuardLinks is Guard for the paths of the links, which both kinds of token open.
func (a Access) GuardLinks(next http.Handler) http.Handler {
	return fromPrograms(func(w http.ResponseWriter, r *http.Request) {
		token := bearerToken(r)
		id, ok := "", a.isAPI(token)
		if !ok {
			id, ok = a.linkID(token)
		}
		if !ok {
			refuseToken(w, "the bearer token is missing, wrong or revoked; hermes plugin install gets a new one")
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, id)))
	})
}

// FromPrograms is Guard for a path that takes no token.
func FromPrograms(next http.Handler) http.Handler { return fromPrograms(next.ServeHTTP) }

// fromPrograms keeps out web pages and bodies that are too large.
func fromPrograms(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case len(r.Header.Values("Origin")) > 0:
			refuse(w, http.StatusForbidden, "hermes takes no requests from web pages")
		case r.ContentLength > MaxBody:
			refuseTooLarge(w)
		default:
			if r.Body != nil {
				r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
			}
			next(w, r)
		}
	})
}

// bearerToken is the token that a request carries, empty if there is none.
func bearerToken(r *http.Request) secret.Text {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return secret.Text(token)
}

// isAPI compares hashes, in constant time, so that how long it takes tells nothing of the token.
func (a Access) isAPI(given secret.Text) bool {
	want, got := HashOf(a.API), HashOf(given)
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1 && a.API != ""
}

func (a Access) isLink(given secret.Text) bool {
	_, ok := a.linkID(given)
	return ok
}

func (a Access) linkID(given secret.Text) (id string, ok bool) {
	if a.Link == nil || !IsToken(given) {
		return "", false
	}
	return a.Link(HashOf(given))
}

// tokenKey is the key of the id of the link of a request's token in its context.
type tokenKey struct{}

// tokenOf is the id of the link whose token a request carries; empty: it is the API's.
func tokenOf(r *http.Request) string {
	id, _ := r.Context().Value(tokenKey{}).(string)
	return id
}

func refuseToken(w http.ResponseWriter, sentence string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="hermes"`)
	refuse(w, http.StatusUnauthorized, sentence)
}

func refuseTooLarge(w http.ResponseWriter) {
	refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d MiB", MaxBody>>20))
}

// IsLocal reports whether a request comes from this machine, and not by way of a proxy on it.
func IsLocal(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	addr := from.Addr().Unmap()
	return addr.IsLoopback() || addr == reachedAt(r)
}

// reachedAt is the address of this machine at which a request came in. Only this machine has it, so one that also comes from there is
// of this machine: of hermes backup, where HERMES_LISTEN is one address.
func reachedAt(r *http.Request) netip.Addr {
	if to, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return to.AddrPort().Addr().Unmap()
	}
	return netip.Addr{}
}
