// Package setup is the guide through everything that hermes needs: the bot, people, the
// plugin, the configuration and the service. Each step is saved before the next one begins.
// Wizard has the order of the steps. It speaks to the Bot API itself only to check what it
// saves; it pairs and asks through a running hermes, as hermes pair and hermes ask do.
package setup
