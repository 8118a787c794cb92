// Package callback is what hermes writes into messages and recognises when Telegram sends it
// back: the data of buttons that are tapped (Bot API callback_data, 1 to 64 bytes), which are
// moves in a question and orders about sessions, and the sign of a reply box.
//
// Buttons outlive an upgrade, so data that was ever written stays readable. What is read may
// have been made up by anybody.
package callback

// maxData is how long data may be, in bytes (Bot API InlineKeyboardButton).
const maxData = 64
