package streams

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// position is a place in a stream: everything in the shard up to and including Sequence is processed. The zero position
// is before the oldest record.
type position struct {
	Shard    string `json:"shard,omitempty"`
	Sequence string `json:"sequence,omitempty"`
}

// savedCheckpoint includes the stream's name, because the stream of a new table counts from one again.
type savedCheckpoint struct {
	Stream string `json:"stream"`
	position
}

// readCheckpoint returns the saved position, or the zero position if there is none for this stream.
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

// writeCheckpoint replaces the file atomically, so that a crash leaves the old or the new one.
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
