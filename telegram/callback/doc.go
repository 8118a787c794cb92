// Package callback is the data that Telegram keeps in buttons and sends back when they are
// tapped (Bot API callback_data, 1 to 64 bytes): moves in a question, and orders about sessions.
// Buttons outlive an upgrade, so data that was ever written stays readable. What is read may
// have been made up by anybody.
package callback

// maxData is how long data may be, in bytes (Bot API InlineKeyboardButton).
const maxData = 64
