// Package certificate is the certificate with which hermes speaks TLS: two PEM files, which some other program renews.
package certificate

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// Notice is how long before its end a certificate is told to be renewed. Programs that renew certificates do so about
// 30 days before the end, so with less left than this, they have failed.
const Notice = 14 * 24 * time.Hour

// Pair is a certificate and its key, read again when one of the files is another than before. It is safe for concurrent use.
type Pair struct {
	certFile, keyFile string

	mu      sync.Mutex
	current *tls.Certificate
	read    [2]os.FileInfo // of the files when current was read; nil: not known
}

// Load reads both files. An error may hold their paths.
func Load(certFile, keyFile string) (*Pair, error) {
	p := &Pair{certFile: certFile, keyFile: keyFile}
	return p, p.Refresh()
}

// Refresh reads the files if they changed. With an error, as when only one of the two is renewed yet, what was read before stays
// in use, and the next call tries again.
func (p *Pair) Refresh() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := p.stat() // before the files are read: what is written meanwhile is seen the next time
	if err != nil {
		return err
	}
	if p.current != nil && same(now[0], p.read[0]) && same(now[1], p.read[1]) {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if err != nil {
		return err
	}
	p.current, p.read = &pair, now
	return nil
}

func (p *Pair) stat() (found [2]os.FileInfo, err error) {
	for i, name := range []string{p.certFile, p.keyFile} {
		if found[i], err = os.Stat(name); err != nil {
			return found, err
		}
	}
	return found, nil
}

// same reports whether a file is the one that it was, and has not been written since.
func same(now, then os.FileInfo) bool {
	return os.SameFile(now, then) && now.Size() == then.Size() && now.ModTime().Equal(then.ModTime())
}

// ForHandshake is tls.Config.GetCertificate: the files as they are now, or, if they cannot be used, as they last could.
func (p *Pair) ForHandshake(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	_ = p.Refresh() // whoever calls Expires tells of it
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current, nil
}

// Expires is when the certificate in use is no longer valid, after a Refresh, whose error it returns.
func (p *Pair) Expires() (time.Time, error) {
	err := p.Refresh()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		return time.Time{}, err
	}
	return p.current.Leaf.NotAfter, err
}
