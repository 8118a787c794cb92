// Package setup is the guide through everything that hermes needs: the bot, people, the
// plugin, the configuration and the service. Each step is saved before the next one begins.
// Wizard has the order of the steps; the parts that do them are envFile, botConnection, pairer,
// openCodeFinder, serviceInstaller and tester.
package setup
