// Package logs formats the local cloud's log: time, source, level and message. It formats slog's JSON lines and passes
// other lines on unchanged.
package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Console writes the lines of many sources to one writer.
type Console struct {
	// Quiet leaves out the metrics of runs that found nothing to do: those of the sweeps, every minute.
	Quiet bool

	out    io.Writer
	colour bool
	now    func() time.Time
	mu     sync.Mutex
}

// New returns a Console that writes to out, optionally in colour.
func New(out io.Writer, colour bool) *Console {
	return &Console{out: out, colour: colour, now: time.Now}
}

// Writer returns a writer of whole lines for a source, to be used by a slog handler.
func (c *Console) Writer(source string) io.Writer { return sourceWriter{c, source} }

type sourceWriter struct {
	console *Console
	source  string
}

func (w sourceWriter) Write(p []byte) (int, error) {
	for line := range strings.SplitSeq(strings.TrimRight(string(p), "\n"), "\n") {
		w.console.Line(w.source, line)
	}
	return len(p), nil
}

// Line writes one line of a source.
func (c *Console) Line(source, line string) {
	if c.out == io.Discard {
		return // nobody sees it
	}
	e, ok := parse(line)
	if ok && c.Quiet && e.idle() {
		return
	}
	rendered := c.render(source, line, e, ok)
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = io.WriteString(c.out, rendered)
}

func (c *Console) render(source, line string, e entry, parsed bool) string {
	at, level, text := c.now(), "", line
	if parsed {
		if !e.time.IsZero() {
			at = e.time
		}
		level, text = printable(e.level), printable(e.message)
		for _, a := range e.attributes {
			if a.name == "_aws" || a.name == "stage" || a.name == "function" && a.value == source {
				continue // skips the metrics' description and redundant attributes
			}
			text += " " + c.paint("2", printable(a.name)+"=") + printable(a.value)
		}
	} else {
		text = printable(line)
	}
	name := c.paint(sourceColour(source), fmt.Sprintf("%-13s", source))
	return fmt.Sprintf("%s %s %s %s\n", c.paint("2", at.Local().Format("15:04:05.000")), name,
		c.paint(levelColour(level), fmt.Sprintf("%-5s", level)), text)
}

func (c *Console) paint(code, text string) string {
	if !c.colour || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func levelColour(level string) string {
	return map[string]string{"ERROR": "31", "WARN": "33", "DEBUG": "2"}[level]
}

// sourceColour returns the source's colour, which never changes.
func sourceColour(source string) string {
	sum := 0
	for _, r := range source {
		sum += int(r)
	}
	return strconv.Itoa(32 + []int{0, 2, 3, 4}[sum%4])
}

type entry struct {
	time           time.Time
	level, message string
	attributes     []attribute
}

type attribute struct{ name, value string }

// idle reports whether an entry holds the metrics of a run that found nothing to do: it has read something, and every
// other figure is 0.
func (e entry) idle() bool {
	if e.message != "metrics" {
		return false
	}
	for _, a := range e.attributes {
		figure, err := strconv.ParseFloat(a.value, 64)
		if a.name != "ReadUnits" && err == nil && figure != 0 {
			return false
		}
	}
	return true
}

// parse parses a line of slog's JSON handler and keeps the attributes' order.
func parse(line string) (entry, bool) {
	if !strings.HasPrefix(line, "{") {
		return entry{}, false
	}
	decoder := json.NewDecoder(strings.NewReader(line))
	if _, err := decoder.Token(); err != nil {
		return entry{}, false
	}
	var e entry
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return entry{}, false
		}
		text := plain(value)
		switch name {
		case "time":
			e.time, _ = time.Parse(time.RFC3339Nano, text)
		case "level":
			e.level = text
		case "msg":
			e.message = text
		default:
			e.attributes = append(e.attributes, attribute{name.(string), quoted(value)})
		}
	}
	return e, e.message != ""
}

// printable returns text with every character escaped that a terminal would interpret or that is invisible: line
// breaks, escape sequences, direction marks. Log lines may contain text from strangers.
func printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == '\t' || unicode.IsPrint(r) && (r != utf8.RuneError || size > 1) {
			b.WriteString(text[:size])
		} else {
			spelt := strconv.Quote(text[:size])
			b.WriteString(spelt[1 : len(spelt)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// plain returns a string without its quotes, and anything else unchanged.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

// quoted returns a value, with quotes only if its end would otherwise be unclear.
func quoted(value json.RawMessage) string {
	text := plain(value)
	if value[0] != '"' {
		var compact bytes.Buffer
		if json.Compact(&compact, value) == nil {
			return compact.String()
		}
		return text
	}
	if text == "" || strings.ContainsAny(text, " \"=\t") || printable(text) != text {
		return strconv.Quote(text)
	}
	return text
}
