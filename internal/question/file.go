package question

// FileID is Telegram's name of a file. It stays good, for this bot alone.
type FileID string

// File is a file that a person sent. Its name and type are what they say of it.
type File struct {
	ID   FileID
	Name string // in one line; empty: it has none
	Mime string // such as image/jpeg, without parameters; empty: not told, or no such thing
	Size int64  // in bytes; 0: not told
}

// Matter is the closed set of what messages are that are no texts.
type Matter string

const (
	Photo     Matter = "photo"    // the largest size is the File
	Document  Matter = "document" // any file
	Voice     Matter = "voice"
	Audio     Matter = "audio"
	Video     Matter = "video"
	VideoNote Matter = "video-note"
	Animation Matter = "animation"
	Sticker   Matter = "sticker"
	Location  Matter = "location"
	Venue     Matter = "venue"
	Contact   Matter = "contact"
	Poll      Matter = "poll"
	Dice      Matter = "dice"
	Game      Matter = "game"
	Story     Matter = "story"
	Checklist Matter = "checklist"
	PaidMedia Matter = "paid-media"
	Rich      Matter = "rich" // text with headings, tables and the like (Bot API 10.1, RichMessage)
)
