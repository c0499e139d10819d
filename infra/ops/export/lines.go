package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// The kinds of lines.
const (
	conversationLine = "conversation"
	messageLine      = "message"
	callLine         = "call"
	groupLine        = "group"
	outboxLine       = "outboxEvent"
	webhookLine      = "webhookEvent"
	endLine          = "end"
)

// lines writes JSON objects, one per line, and counts them by kind.
type lines struct {
	out    *bufio.Writer
	counts map[string]int
}

func newLines(out io.Writer) *lines {
	return &lines{out: bufio.NewWriterSize(out, 64<<10), counts: map[string]int{
		conversationLine: 0, messageLine: 0, callLine: 0, groupLine: 0, outboxLine: 0, webhookLine: 0,
	}}
}

// write writes one of the API's objects unchanged, preceded by its kind.
func (l *lines) write(kind string, object json.RawMessage) error {
	var line bytes.Buffer
	if err := json.Compact(&line, object); err != nil || !bytes.HasPrefix(line.Bytes(), []byte("{")) {
		return fmt.Errorf("a %s is no JSON object", kind)
	}
	rest := line.Bytes()[1:]
	if rest[0] != '}' {
		rest = append([]byte(","), rest...)
	}
	if _, err := fmt.Fprintf(l.out, `{"kind":%q%s`+"\n", kind, rest); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	l.counts[kind]++
	return nil
}

// end writes the last line, which says how many came before it: a file without one is cut off.
func (l *lines) end() error {
	counts, err := json.Marshal(map[string]any{"counts": l.counts})
	if err != nil {
		return err
	}
	if err := l.write(endLine, counts); err != nil {
		return err
	}
	if err := l.out.Flush(); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}
