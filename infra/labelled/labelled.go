// Package labelled reads files of labelled samples: messages, conversations and questions, with what they mean.
package labelled

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// maxLine bounds a line, in bytes.
const maxLine = 1 << 20

// Read reads a file with one JSON object a line, and passes over empty lines. Its error names the file and the line.
func Read[T any](file string) ([]T, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	var all []T
	lines := bufio.NewScanner(opened)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		all = append(all, one)
	}
	return all, lines.Err()
}
