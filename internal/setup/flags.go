package setup

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/secret"
)

// Flags are the answers that a command line gives.
type Flags struct {
	Config      config.Options
	tokenFile   string
	users       []string
	chats       []string
	openCodeDir string
	urls        []string
	service     string
	noTest      bool
	yes         bool
	dryRun      bool

	token   secret.Text // understood by check, as are these
	userIDs []chat.UserID
	targets []config.Chat
	servers []string
}

// AddTo defines the flags of hermes setup.
func (f *Flags) AddTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.tokenFile, "token-file", "", "`file` that holds the bot's token (default HERMES_TELEGRAM_TOKEN)")
	flags.StringSliceVar(&f.users, "user", nil, "Telegram user `id` of a person who may answer, in place of pairing; several with commas")
	flags.StringSliceVar(&f.chats, "chat", nil, "`id` of a chat that gets the questions (default the private chats of the users)")
	flags.StringVar(&f.openCodeDir, "config-dir", "", "OpenCode's configuration `folder`, where the plugin goes (default as OpenCode finds it)")
	flags.StringVar(&f.openCodeDir, "opencode-config-dir", "", "the same, by the name that it had in setup before")
	_ = flags.MarkHidden("opencode-config-dir") // which was just defined
	flags.StringSliceVar(&f.urls, "url", nil, "`URL` of an OpenCode server that listens, to be reached directly")
	flags.StringVar(&f.service, "service", "", "the `kind` of service that keeps hermes running: systemd, launchd or none")
	flags.BoolVar(&f.noTest, "no-test", false, "send no test question")
	flags.BoolVar(&f.yes, "yes", false, "answer every question with its default, and change what is different")
	flags.BoolVar(&f.dryRun, "dry-run", false, "write and send nothing, and say what would be done")
}

// parse understands the flags.
func (f *Flags) parse() error {
	var wrong config.Mistakes
	r := config.Reader{Wrong: &wrong}
	f.userIDs = r.Users("--user", strings.Join(f.users, ","))
	f.targets = r.Chats("--chat", strings.Join(f.chats, ","))
	f.servers = r.URLs("--url", strings.Join(f.urls, ","))
	if f.service != "" && !slices.Contains([]string{"systemd", "launchd", "none"}, f.service) {
		wrong.Add("--service", "is not systemd, launchd or none")
	}
	if f.tokenFile != "" {
		f.readToken(&wrong)
	}
	refuseBoth(&wrong, "--user", "HERMES_TELEGRAM_USERS", f.users)
	refuseBoth(&wrong, "--chat", "HERMES_TELEGRAM_CHATS", f.chats)
	refuseBoth(&wrong, "--url", "HERMES_OPENCODE_URLS", f.urls)
	return wrong.Err()
}

// refuseBoth refuses a flag whose variable is set in the environment, which would win
// over the file that setup writes.
func refuseBoth(wrong *config.Mistakes, flag, name string, given []string) {
	if len(given) > 0 && os.Getenv(name) != "" {
		wrong.Add(flag, "is given, and so is %s in the environment, which would win; keep one of the two", name)
	}
}

func (f *Flags) readToken(wrong *config.Mistakes) {
	if os.Getenv("HERMES_TELEGRAM_TOKEN") != "" || os.Getenv("HERMES_TELEGRAM_TOKEN_FILE") != "" {
		wrong.Add("--token-file", "is given, and so is HERMES_TELEGRAM_TOKEN or HERMES_TELEGRAM_TOKEN_FILE; give the token once")
		return
	}
	text, _, err := config.ReadSmall(f.tokenFile)
	if err != nil {
		wrong.Add("--token-file", "cannot be read: %v", config.WithoutPath(err))
		return
	}
	text = strings.TrimSpace(text)
	if text == "" {
		wrong.Add("--token-file", "names a file that is empty; put the bot's token there, alone")
	}
	f.token = config.Reader{Wrong: wrong}.Token("--token-file", secret.Text(text))
}

// requireAnswers fails if flags are missing without which a run that cannot ask cannot
// continue.
func (s *Wizard) requireAnswers() error {
	if s.term.In != nil || s.flags.dryRun {
		return nil
	}
	var missing config.Mistakes
	if s.flags.token == "" && s.config.TelegramToken == "" {
		missing = append(missing, "  --token-file FILE, or HERMES_TELEGRAM_TOKEN in the environment: the bot's token")
	}
	if len(s.flags.userIDs) == 0 && len(s.config.TelegramUsers) == 0 {
		missing = append(missing, "  --user ID, and --chat ID where it is not their private chat: who may answer, and where the questions go")
	}
	if s.flags.service == "" {
		missing = append(missing, "  --service=systemd, launchd or none: how hermes is kept running")
	}
	if !s.flags.yes {
		missing = append(missing, "  --yes, to write it all, or --dry-run, to see what would be written")
	}
	if len(missing) == 0 {
		return nil
	}
	return append(config.Mistakes{"setup asks questions, and standard input is no terminal. Give the answers as flags:"}, missing...)
}
