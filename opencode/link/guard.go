package link

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"
)

// Guard lets a request through to next only if it carries the bearer token (else 401), does not come from a web page, that is,
// has no Origin header (else 403), and announces at most MaxBody bytes (else 413). A body that is longer than it announced fails
// with *http.MaxBytesError while next reads it. An empty token lets nothing through. The token is compared in constant time.
func Guard(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case len(r.Header.Values("Origin")) > 0:
			refuse(w, http.StatusForbidden, "hermes takes no requests from web pages")
		case !authorized(token, r):
			w.Header().Set("WWW-Authenticate", `Bearer realm="hermes"`)
			refuse(w, http.StatusUnauthorized, "the bearer token is missing or wrong; it is HERMES_HOOK_TOKEN")
		case r.ContentLength > MaxBody:
			refuseTooLarge(w)
		default:
			if r.Body != nil {
				r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
			}
			next.ServeHTTP(w, r)
		}
	})
}

func authorized(token string, r *http.Request) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	// Equal lengths, so that the comparison tells nothing of the token's.
	want, got := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(given))
	same := subtle.ConstantTimeCompare(want[:], got[:]) == 1
	return same && token != "" && strings.EqualFold(scheme, "Bearer")
}

func refuseTooLarge(w http.ResponseWriter) {
	refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d MiB", MaxBody>>20))
}
