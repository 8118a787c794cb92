package callback

// ReplyBoxSign begins a reply box, and no other message of hermes: by it a reply to one is
// recognised.
const ReplyBoxSign = "✏️"
