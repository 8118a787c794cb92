package daemon

// maxDescriptors is what all connections need: Windows has no such limit for sockets.
func maxDescriptors() uint64 { return mostConnections * 2 }
