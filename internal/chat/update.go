package chat

// Update is one update as Telegram sent it, kept until what it means is kept.
type Update struct {
	ID  UpdateID
	Raw []byte // the JSON object, to the byte
}
