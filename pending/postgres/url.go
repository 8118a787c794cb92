package postgres

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// parse reads the URL, and what libpq reads beside it: PGPASSWORD and others, ~/.pgpass. What it says of a URL that cannot be read has nothing of the
// URL in it: where a password ends is then anybody's guess.
func parse(text string, patience time.Duration) (*pgconn.Config, error) {
	if !strings.HasPrefix(text, "postgres://") && !strings.HasPrefix(text, "postgresql://") {
		return nil, urlError("HERMES_STORE: it does not begin with postgres:// or postgresql://")
	}
	config, err := pgconn.ParseConfig(text)
	if err != nil || ambiguous(text) {
		return nil, urlError("HERMES_STORE: " + whatIsWrong(text))
	}
	if config.ConnectTimeout == 0 || config.ConnectTimeout > patience {
		config.ConnectTimeout = patience
	}
	config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite // whatever target_session_attrs says: a copy is late
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "hermes"
	}
	config.OnNotice = noteWarning
	return config, nil
}

// ambiguous says whether a part of the password may be taken for the host, the database or a setting, which errors name.
func ambiguous(text string) bool {
	_, rest, _ := strings.Cut(text, "://")
	return strings.ContainsAny(rest[:max(0, strings.LastIndex(rest, "@"))], "/?#@ ")
}

// urlError says what is wrong with a URL that cannot be read.
type urlError string

func (e urlError) Error() string { return string(e) }

// whatIsWrong looks for the part that cannot be read, by leaving out the others.
func whatIsWrong(text string) string {
	const example = "it is postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full, with %40 for @, %2F for /, %3A for :, %3F for ?, %23 for # and %25 for % in the password"
	before, _, _ := strings.Cut(text, "?")
	if _, err := pgconn.ParseConfig(before); err != nil || ambiguous(text) {
		return "the user, the password, the host or the port cannot be read; " + example
	}
	return "what is behind the question mark cannot be read, or a file that it names (sslmode, sslrootcert, sslcert, sslkey, passfile); " + example
}

const warned = "warned" // a key of a connection's CustomData

// noteWarning remembers a warning: a COMMIT that has one may have ended its wait for the synchronous standby.
func noteWarning(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.Severity == "WARNING" || n.SeverityUnlocalized == "WARNING" {
		c.CustomData()[warned] = true
	}
}

// connect opens a connection. It dials once: pgconn would dial again to cancel the statement of a connection that it gives up, and a COMMIT that is
// cancelled while it waits for the synchronous standby is then visible without being safe.
func connect(ctx context.Context, config *pgconn.Config) (*pgconn.PgConn, error) {
	once := config.Copy()
	var connected atomic.Bool
	dialer := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: time.Second, Count: 5}}
	once.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if connected.Load() {
			return nil, net.ErrClosed
		}
		return dialer.DialContext(ctx, network, address)
	}
	c, err := pgconn.ConnectConfig(ctx, once)
	if err != nil {
		return nil, &connectError{err: err, password: config.Password}
	}
	connected.Store(true)
	return c, nil
}

// connectError names hosts, user and database, and never the password.
type connectError struct {
	err      error
	password string
}

func (e *connectError) Error() string {
	text := strings.Join(strings.Fields(e.err.Error()), " ")
	if e.password != "" {
		text = strings.NewReplacer(e.password, "…", url.QueryEscape(e.password), "…").Replace(text)
	}
	return fmt.Sprintf("reach PostgreSQL (HERMES_STORE): %s", text)
}

func (e *connectError) Unwrap() error { return e.err }
