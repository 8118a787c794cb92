// Package systemd tells the service manager how hermes stands, as sd_notify(3) says.
package systemd
