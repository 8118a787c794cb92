// Package clients makes the clients that a configuration asks for, for the daemon, setup and doctor alike: of the Bot
// API, and of the OpenCode servers that are reached directly.
package clients

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/opencode"
	"hermes/opencode/service"
	"hermes/telegram/botapi"
)

// Timeout bounds one call of setup and doctor to the Bot API, above the time for which
// a poll is held.
const Timeout = 10 * time.Second

// NewBotClient is the Bot API with the configured token, for setup and doctor; nil without
// a token. The transport is nil for the network.
func NewBotClient(c config.Config, transport http.RoundTripper, more ...secret.Text) *botapi.Client {
	client, err := botapi.New(botapi.Config{
		Token: c.TelegramToken, Root: c.TelegramAPIURL, Proxy: c.TelegramProxy, Transport: transport,
		Secrets: append(c.Secrets(), more...), Timeout: Timeout,
	})
	if err != nil {
		return nil
	}
	return client
}

// ErrorOf is the error of a call; nil for nil.
func ErrorOf(err error) *botapi.Error {
	var e *botapi.Error
	if err != nil && !errors.As(err, &e) {
		e = &botapi.Error{Reason: botapi.Network, Detail: err.Error()}
	}
	return e
}

// TokenMark is what the database keeps of a token.
func TokenMark(token secret.Text) string {
	sum := sha256.Sum256([]byte("a token of a bot that hermes has used: " + token.Reveal()))
	return hex.EncodeToString(sum[:16])
}

// DirectServers are the servers that are reached directly.
func DirectServers(c config.Config, transport http.RoundTripper) []opencode.Server {
	var list []opencode.Server
	for _, url := range c.OpenCodeURLs {
		list = append(list, opencode.Server{
			URL: url, Username: c.OpenCodeUsername, Password: c.OpenCodePassword, Transport: transport,
		})
	}
	return list
}

// Service is the background service of OpenCode 2; isRunning as in service.File. Over the network
// only processes of this user are spoken to.
func Service(c config.Config, transport http.RoundTripper, isRunning func(pid int) bool) opencode.Service {
	return opencode.Service{File: service.File{Path: c.OpenCodeService, IsRunning: isRunning}, Transport: service.Transport(transport)}
}
