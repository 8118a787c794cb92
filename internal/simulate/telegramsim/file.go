package telegramsim

import (
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// The limits of getFile (Bot API): the largest file, and how long its path is good.
const (
	maxDownload = 20 << 20
	pathLife    = time.Hour
)

// offer is a path that getFile has given out.
type offer struct {
	file  *Document
	until time.Time
}

// rawFile is the answer to a download.
type rawFile []byte

func (s *Server) getFile(q *request) (any, *refusal) {
	id := q.params.text("file_id")
	d := s.files[id]
	switch {
	case id == "":
		return nil, wrong("file_id not specified")
	case d == nil:
		return nil, wrong("invalid file_id")
	case s.opts.Files == "" && len(d.Data) > maxDownload:
		return nil, bad("file is too big")
	}
	path, err := s.path(d)
	if err != nil {
		return nil, bad("wrong file_id or the file is temporarily unavailable")
	}
	return map[string]any{"file_id": d.id, "file_unique_id": "u" + d.id, "file_size": len(d.Data), "file_path": path}, nil
}

// path is where the file can be got: below /file/bot<token>/, or in the folder of a
// local server, in one that is named by the token.
func (s *Server) path(d *Document) (string, error) {
	s.serial++
	name := "file_" + strconv.Itoa(s.serial) + filepath.Ext(filepath.Base(d.Name))
	if s.opts.Files == "" {
		path := "documents/" + name
		s.paths[path] = offer{d, time.Now().Add(pathLife)}
		return path, nil
	}
	folder := filepath.Join(s.opts.Files, s.opts.Token, "documents")
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, d.Data, 0o600)
}

func (s *Server) download(q *request) (any, *refusal) {
	o := s.paths[q.params.text("file_path")]
	if s.opts.SelfHosted || o.file == nil || !time.Now().Before(o.until) {
		return nil, &refusal{code: 404, text: "Not Found"}
	}
	return rawFile(o.file.Data), nil
}
