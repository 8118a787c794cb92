// Package demo is hermes try: the real daemon between a simulated Telegram, which a page in
// the browser shows as phones, and an OpenCode that is scripted, a demo, or the person's own.
package demo
