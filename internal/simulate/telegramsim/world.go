package telegramsim

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Accounts that Telegram itself writes from.
const (
	GroupAnonymousBot int64 = 1087968824 // anonymous administrators
	ChannelBot        int64 = 136817688  // channels that write in a group
)

// User is an account, in the Bot API's form.
type User struct {
	ID           int64  `json:"id"`
	IsBot        bool   `json:"is_bot"`
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name,omitempty"`
	Username     string `json:"username,omitempty"`
	LanguageCode string `json:"language_code,omitempty"`
}

func (u User) name() string { return strings.TrimSpace(u.FirstName + " " + u.LastName) }

// ChatType is the kind of a chat.
type ChatType string

// The kinds of chats. Private chats are made by [Server.AddUser].
const (
	Private    ChatType = "private"
	Group      ChatType = "group"
	Supergroup ChatType = "supergroup"
	Channel    ChatType = "channel"
)

// Chat describes a group to be added, or a channel in whose name people write in groups.
type Chat struct {
	ID       int64 // negative; supergroups and channels start with -100
	Type     ChatType
	Title    string
	Forum    bool    // a supergroup with topics; General is topic 1
	Members  []int64 // user ids; all must have been added
	Admins   []int64 // user ids of members who are administrators
	BotAdmin bool    // an administrator sees every message

	ManageTopics bool // as an administrator, the bot has can_manage_topics
}

// Role is what someone is in a chat, as in the Bot API's ChatMember.status.
type Role string

// The roles that the simulator gives.
const (
	RoleMember        Role = "member"
	RoleAdministrator Role = "administrator"
	RoleLeft          Role = "left"
	RoleKicked        Role = "kicked"
)

type person struct {
	User
	known bool // the bot has been told of them
}

type chat struct {
	Chat
	members map[int64]Role
	bot     Role
	denied  denied         // to all members
	started bool           // private: the person has written first
	topics  map[int]*Topic // by thread id

	generalShut bool // its topic General is closed, or hidden
	messages    []*message
	lastID      int // supergroups count their own messages
	migratedTo  int64
	instance    string
	flood       floodState
	slow        time.Duration // slow mode: the pause between two messages of one member; 0: it is off
	slowUntil   time.Time     // of the bot
	log         []entry
}

// AddUser makes an account and its private chat, whose id is the user's id. The
// bot cannot write there before the user has written (see [Server.Say]). It
// panics when the id is not positive or is taken.
func (s *Server) AddUser(u User) {
	defer s.acting()()
	if u.ID <= 0 || s.users[u.ID] != nil {
		panic("simulator: user id must be positive and new: " + strconv.FormatInt(u.ID, 10))
	}
	s.users[u.ID] = &person{User: u}
	s.addChat(Chat{ID: u.ID, Type: Private, Members: []int64{u.ID}})
}

// AddChat makes a group with the bot in it, without telling the bot.
// It panics when the id does not fit the type or is taken, or a member is unknown.
func (s *Server) AddChat(c Chat) {
	defer s.acting()()
	long := strings.HasPrefix(strconv.FormatInt(c.ID, 10), "-100")
	if c.ID >= 0 || s.chats[c.ID] != nil || long != (c.Type != Group) {
		panic("simulator: chat id does not fit its type or is taken: " + strconv.FormatInt(c.ID, 10))
	}
	for _, id := range slices.Concat(c.Members, c.Admins) {
		if s.users[id] == nil {
			panic("simulator: unknown member " + strconv.FormatInt(id, 10))
		}
	}
	s.addChat(c)
}

func (s *Server) addChat(c Chat) *chat {
	s.serial++
	added := &chat{
		Chat: c, members: map[int64]Role{}, bot: RoleMember, topics: map[int]*Topic{},
		instance: strconv.Itoa(700000 + s.serial),
	}
	if c.BotAdmin {
		added.bot = RoleAdministrator
	}
	if c.Forum {
		added.lastID = 1 // the id of General
	}
	for _, id := range c.Members {
		added.members[id] = RoleMember
	}
	for _, id := range c.Admins {
		added.members[id] = RoleAdministrator
	}
	s.chats[c.ID] = added
	return added
}

// nextID gives a message its id: supergroups count for themselves,
// all other chats of an account share one counter.
func (s *Server) nextID(c *chat) int {
	if c.Type == Supergroup {
		c.lastID++
		return c.lastID
	}
	s.lastID++
	return s.lastID
}

func (c *chat) isMember(user int64) bool {
	role := c.members[user]
	return role == RoleMember || role == RoleAdministrator
}

// findChat resolves a chat_id parameter, which for hermes is always a number.
func (s *Server) findChat(id string) (*chat, *refusal) {
	if id == "" {
		return nil, wrong("chat_id is empty")
	}
	n, _ := strconv.ParseInt(id, 10, 64)
	if c := s.chats[n]; c != nil {
		return c, nil
	}
	return nil, bad("chat not found")
}
