package streams

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// position is a place in a stream: everything up to and with Sequence in the shard is behind it. The zero position is
// the oldest record there is.
type position struct {
	Shard    string `json:"shard,omitempty"`
	Sequence string `json:"sequence,omitempty"`
}

// savedCheckpoint names its stream, because a table that is made anew counts from one again.
type savedCheckpoint struct {
	Stream string `json:"stream"`
	position
}

// readCheckpoint is the zero position where nothing was saved, or saved for another stream.
func readCheckpoint(path, stream string) (position, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return position{}, nil
	}
	if err != nil {
		return position{}, fmt.Errorf("read checkpoint: %w", err)
	}
	var saved savedCheckpoint
	if err := json.Unmarshal(content, &saved); err != nil {
		return position{}, fmt.Errorf("read checkpoint %s: %w", path, err)
	}
	if saved.Stream != stream {
		return position{}, nil
	}
	return saved.position, nil
}

// writeCheckpoint replaces the file as a whole, so that a kill leaves the old one or the new one.
func writeCheckpoint(path, stream string, p position) error {
	content, err := json.Marshal(savedCheckpoint{stream, p})
	if err != nil {
		return err
	}
	if err := replaceFile(path, content); err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	return nil
}

func replaceFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
