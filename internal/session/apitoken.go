package session

// APIToken is the name of the HTTP interface's own token.
const APIToken = "api"
