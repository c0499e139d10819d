// Package private writes files that nobody else may read: access tokens and exports.
package private

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// File is a file that appears under its name only when it is complete. Until then its name ends in ".part".
type File struct {
	*os.File
	path string
}

// Create creates a file that only its owner may read. Keep replaces an existing file at the path; until then that file
// stays. Neither an older file's permissions nor a link's target are reused. An empty path returns nil.
func Create(path string) (*File, error) {
	if path == "" {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("write %s: it is no file", path)
	}
	if err := os.Remove(path + ".part"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	// O_EXCL follows no link and opens no file that somebody else created.
	file, err := os.OpenFile(path+".part", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return &File{file, path}, nil
}

// Or returns the file as a writer, or other if the file is nil.
func (f *File) Or(other io.Writer) io.Writer {
	if f == nil {
		return other
	}
	return f
}

// Keep gives the file its final name.
func (f *File) Keep() error {
	if f == nil {
		return nil
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return os.Rename(f.path+".part", f.path)
}

// Discard removes a file that was not kept.
func (f *File) Discard() {
	if f != nil && f.Close() == nil { // after Keep, Close returns an error
		_ = os.Remove(f.path + ".part")
	}
}
