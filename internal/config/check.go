package config

import (
	"cmp"
	"crypto/tls"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// checkServe asks for what serve cannot do without; file is the configuration file, "" for none.
func (c Config) checkServe(file string, wrong *Mistakes) {
	if c.TelegramToken == "" && !wrong.Has("HERMES_TELEGRAM_TOKEN") {
		wrong.Add("HERMES_TELEGRAM_TOKEN", "is not set; run hermes setup, or put the token that @BotFather in Telegram gives you into %s", orUsual(file))
	}
	if len(c.TelegramUsers) == 0 && c.Rules == "" && !wrong.Has("HERMES_TELEGRAM_USERS") && !wrong.Has("HERMES_RULES") {
		wrong.Add("HERMES_TELEGRAM_USERS", "is not set, so nobody may answer; run hermes setup, or put your numeric Telegram user id into %s (@userinfobot in Telegram tells it)", orUsual(file))
	}
	if c.TLSCert != "" && c.TLSKey != "" {
		if _, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey); err != nil {
			wrong.Add("HERMES_TLS_CERT, HERMES_TLS_KEY", "cannot be used: %v", WithoutPath(err))
		}
	}
}

// orUsual is the configuration file to name to a person: the one that was read, else the one that hermes would read.
func orUsual(file string) string {
	return cmp.Or(file, UsualFile(), "the file that --config names")
}

// IsConfigured reports whether hermes has a bot and somebody who may answer: all that serve cannot do without.
func (c Config) IsConfigured() bool {
	return c.TelegramToken != "" && (len(c.TelegramUsers) > 0 || c.Rules != "")
}

// checkListen holds the rule that the API is not open to a network in the clear:
// its bearer token and the agent's text would be.
func (c Config) checkListen(wrong *Mistakes) {
	if (c.TLSCert == "") != (c.TLSKey == "") {
		wrong.Add("HERMES_TLS_CERT, HERMES_TLS_KEY", "only one of the two is set; set both or neither")
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if n, portErr := strconv.Atoi(port); err != nil || portErr != nil || n < 0 || n > 65535 {
		wrong.Add("HERMES_LISTEN", "is not host:port, such as 127.0.0.1:4097")
		return
	}
	if !Loopback(host) && c.TLSCert == "" && !c.BehindProxy && !wrong.Has("HERMES_BEHIND_PROXY") {
		wrong.Add("HERMES_LISTEN", "other machines can reach this address; set HERMES_TLS_CERT and HERMES_TLS_KEY, or HERMES_BEHIND_PROXY=true if a proxy before hermes speaks TLS, or listen on 127.0.0.1")
	}
}

// Loopback reports whether only this machine can reach the host. Names other
// than localhost count as reachable: what they resolve to may change.
func Loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Unmap().IsLoopback()
}

// checkWebhook holds Telegram's rules for webhooks. A local Bot API server also
// accepts plain http.
func (c Config) checkWebhook(wrong *Mistakes) {
	const name = "HERMES_TELEGRAM_WEBHOOK_URL"
	switch {
	case c.TelegramWebhookURL == "" && c.TelegramWebhookSecret != "" && !wrong.Has(name):
		wrong.Add("HERMES_TELEGRAM_WEBHOOK_SECRET", "is set, but %s is not; set that too, or neither for long polling", name)
	case c.TelegramWebhookURL == "":
	case c.TelegramWebhookSecret == "" && !wrong.Has("HERMES_TELEGRAM_WEBHOOK_SECRET"):
		wrong.Add(name, "needs HERMES_TELEGRAM_WEBHOOK_SECRET, by which hermes knows Telegram's requests; set it to 1 to 256 random letters, digits, _ and -")
	case c.TelegramAPIURL == Variables()["HERMES_TELEGRAM_API_URL"] && !strings.HasPrefix(c.TelegramWebhookURL, "https://"):
		wrong.Add(name, "must begin with https://; Telegram delivers to nothing else")
	}
}
