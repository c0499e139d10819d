// Package private owns writing what nobody else may read: access tokens and exports.
package private

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// File is a file that takes its place when it is complete. Until then it has ".part" behind its name.
type File struct {
	*os.File
	path string
}

// Create begins a file that its owner alone may read. What is at the path stays until Keep, which replaces it: neither
// the rights of an older file nor a link's target are taken over. An empty path returns nil.
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
	// O_EXCL follows no link and opens nothing that somebody else has made.
	file, err := os.OpenFile(path+".part", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return &File{file, path}, nil
}

// Or returns the file as a writer, or the other one where there is no file.
func (f *File) Or(other io.Writer) io.Writer {
	if f == nil {
		return other
	}
	return f
}

// Keep gives the file its place.
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
	if f != nil && f.Close() == nil { // Keep has closed it
		_ = os.Remove(f.path + ".part")
	}
}
