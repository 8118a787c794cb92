package chat

// FileID is Telegram's name of a file. It stays good, for this bot alone.
type FileID string

// File is a file that a person sent. Its name and type are what they say of it.
type File struct {
	ID   FileID
	Name string // in one line; empty: it has none
	Mime string // such as image/jpeg, without parameters; empty: not told, or no such thing
	Size int64  // in bytes; 0: not told
}

// Media is the closed set of what messages are that are no texts.
type Media string

const (
	Photo     Media = "photo"    // the largest size is the File
	Document  Media = "document" // any file
	Voice     Media = "voice"
	Audio     Media = "audio"
	Video     Media = "video"
	VideoNote Media = "video-note"
	Animation Media = "animation"
	Sticker   Media = "sticker"
	Location  Media = "location"
	Venue     Media = "venue"
	Contact   Media = "contact"
	Poll      Media = "poll"
	Dice      Media = "dice"
	Game      Media = "game"
	Story     Media = "story"
	Checklist Media = "checklist"
	PaidMedia Media = "paid-media"
	Rich      Media = "rich" // text with headings, tables and the like (Bot API 10.1, RichMessage)
)
