// Package call makes single HTTP calls to an OpenCode process, over whichever way
// reaches it, and sorts how they fail. What is called is for the protocols to say.
package call
