package pending

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// What bbolt's file is made of (bbolt 1.5, internal/common): pages with a header of
// 16 bytes, and elements of 16 bytes after it.
const (
	pageHeader  = 16
	pageElement = 16
	branchPage  = 0x01
	leafPage    = 0x02
	metaPage    = 0x04
	freePage    = 0x10
	bucketLeaf  = 0x01
	metaMagic   = 0xED0CDAED
	metaSize    = 64
	noFreelist  = ^uint64(0)
)

// pages walks the pages of a file before bbolt does. A page that leads back to one
// above it would keep bbolt going until the memory is used up, and a count that is
// too high would lead it outside the file: neither can be caught.
type pages struct {
	file io.ReaderAt
	size uint64 // of a page
	high uint64 // the first page that is not there
	seen map[uint64]bool
	root uint64 // the page where everything begins

	oneMeta bool // of the two meta pages one alone is good
}

// checkPages reports what is wrong with the pages, if that can be told: without one
// good meta page bbolt says so itself.
func checkPages(file *os.File) (*pages, error) {
	p := &pages{file: file, size: uint64(os.Getpagesize()), seen: map[uint64]bool{}}
	info, err := file.Stat()
	if err != nil {
		return p, err
	}
	free, ok := p.meta()
	if !ok {
		return p, nil
	}
	if max := uint64(info.Size()) / p.size; p.high > max {
		return p, fmt.Errorf("it ends at page %d of %d", max, p.high)
	}
	if err := p.freelist(free); err != nil {
		return p, err
	}
	return p, p.walk(p.root)
}

// meta finds the newer of the two meta pages, as bbolt does: one that is not whole does
// not count. A commit writes the older of them, so that the other one stays what it was.
func (p *pages) meta() (free uint64, ok bool) {
	var newest uint64
	good := 0
	for page := range uint64(2) {
		head, b := make([]byte, pageHeader), make([]byte, metaSize)
		if _, err := p.file.ReadAt(head, int64(page*p.size)); err != nil {
			continue
		}
		if _, err := p.file.ReadAt(b, int64(page*p.size+pageHeader)); err != nil {
			continue
		}
		sum := fnv.New64a()
		sum.Write(b[:56])
		if binary.LittleEndian.Uint32(b) != metaMagic || binary.LittleEndian.Uint64(b[56:]) != sum.Sum64() {
			continue
		}
		if size := uint64(binary.LittleEndian.Uint32(b[8:])); size != p.size {
			return 0, false // of another machine; not made by hermes here
		}
		if binary.LittleEndian.Uint64(head) == page && binary.LittleEndian.Uint16(head[8:]) == metaPage {
			good++
		}
		if tx := binary.LittleEndian.Uint64(b[48:]); !ok || tx > newest {
			newest, ok = tx, true
			p.root, free = binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[32:])
			p.high = binary.LittleEndian.Uint64(b[40:])
		}
	}
	p.oneMeta = ok && good < 2
	return free, ok
}

// foreign reports whether the first page of a damaged file names buckets, and none that
// every file of hermes has: then it is some other program's, and not for hermes to move.
func (p *pages) foreign() bool {
	clear(p.seen)
	b, err := p.read(p.root)
	if err != nil || binary.LittleEndian.Uint16(b[8:]) != leafPage {
		return false
	}
	count := int(binary.LittleEndian.Uint16(b[10:]))
	if count == 0 || pageHeader+count*pageElement > len(b) {
		return false
	}
	for i := range count {
		at := uint64(pageHeader + i*pageElement)
		from := at + uint64(binary.LittleEndian.Uint32(b[at+4:]))
		to := from + uint64(binary.LittleEndian.Uint32(b[at+8:]))
		if to > uint64(len(b)) || string(b[from:to]) == bucketMeta {
			return false
		}
	}
	return true
}

// read gives a page that nothing else has led to, with its overflow pages.
func (p *pages) read(id uint64) ([]byte, error) {
	head := make([]byte, pageHeader)
	if id < 2 || id >= p.high || p.seen[id] {
		return nil, fmt.Errorf("page %d is in two places, or in none", id)
	}
	if _, err := p.file.ReadAt(head, int64(id*p.size)); err != nil {
		return nil, err
	}
	more := uint64(binary.LittleEndian.Uint32(head[12:]))
	if id+more >= p.high {
		return nil, fmt.Errorf("page %d goes on behind the end", id)
	}
	for n := id; n <= id+more; n++ {
		if p.seen[n] {
			return nil, fmt.Errorf("page %d is in two places", n)
		}
		p.seen[n] = true
	}
	b := make([]byte, (1+more)*p.size)
	_, err := p.file.ReadAt(b, int64(id*p.size))
	return b, err
}

func (p *pages) freelist(id uint64) error {
	if id == noFreelist {
		return nil
	}
	b, err := p.read(id)
	if err != nil {
		return err
	}
	count := uint64(binary.LittleEndian.Uint16(b[10:]))
	if count == 0xFFFF {
		count = binary.LittleEndian.Uint64(b[pageHeader:]) + 1
	}
	if binary.LittleEndian.Uint16(b[8:]) != freePage || count > uint64(len(b)-pageHeader)/8 {
		return errors.New("the list of free pages is not one")
	}
	return nil
}

// walk meets every page below this one once.
func (p *pages) walk(id uint64) error {
	b, err := p.read(id)
	if err != nil {
		return err
	}
	return p.elements(b, id)
}

// elements checks that those of a page lie within it, and follows them.
func (p *pages) elements(b []byte, id uint64) error {
	flags, count := binary.LittleEndian.Uint16(b[8:]), int(binary.LittleEndian.Uint16(b[10:]))
	if flags != branchPage && flags != leafPage || pageHeader+count*pageElement > len(b) {
		return fmt.Errorf("page %d is none of keys", id)
	}
	for i := range count {
		at := pageHeader + i*pageElement
		follow := p.leaf
		if flags == branchPage {
			follow = p.branch
		}
		if err := follow(b, at, id); err != nil {
			return err
		}
	}
	return nil
}

func (p *pages) branch(b []byte, at int, id uint64) error {
	e := b[at:]
	end := uint64(at) + uint64(binary.LittleEndian.Uint32(e)) + uint64(binary.LittleEndian.Uint32(e[4:]))
	if end > uint64(len(b)) {
		return fmt.Errorf("a key of page %d lies outside it", id)
	}
	return p.walk(binary.LittleEndian.Uint64(e[8:]))
}

func (p *pages) leaf(b []byte, at int, id uint64) error {
	e := b[at:]
	key := uint64(at) + uint64(binary.LittleEndian.Uint32(e[4:]))
	value := key + uint64(binary.LittleEndian.Uint32(e[8:]))
	end := value + uint64(binary.LittleEndian.Uint32(e[12:]))
	if end > uint64(len(b)) {
		return fmt.Errorf("a value of page %d lies outside it", id)
	}
	if binary.LittleEndian.Uint32(e)&bucketLeaf == 0 {
		return nil
	}
	return p.bucket(b[value:end], id)
}

// bucket follows a bucket to its first page, or into itself if it is small.
func (p *pages) bucket(b []byte, id uint64) error {
	switch {
	case len(b) < 16:
		return fmt.Errorf("a bucket of page %d is cut off", id)
	case binary.LittleEndian.Uint64(b) != 0:
		return p.walk(binary.LittleEndian.Uint64(b))
	case len(b) < 16+pageHeader:
		return fmt.Errorf("a small bucket of page %d is cut off", id)
	}
	return p.elements(b[16:], id)
}
