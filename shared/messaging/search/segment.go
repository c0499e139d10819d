package search

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/haatline/haatline/shared/model"
)

// kind says what an entry leads to.
type kind byte

const (
	ofMessage kind = 'm'
	ofNote    kind = 'n'
	ofPerson  kind = 'p'
)

// entry leads from words to what is found by them.
type entry struct {
	kind     kind
	id       string // of the message or the note; "" for a person
	customer string // in the conversation's key, when the entry was made
	at       int64  // in milliseconds since 1970
	line     string
}

func (e entry) time() model.Time { return model.At(milliseconds(e.at)) }

// maxUnpacked bounds what is unpacked, whatever an item says.
const maxUnpacked = 2 << 20

var errSegment = errors.New("a segment of search that cannot be read")

// size returns how many bytes of a segment an entry takes.
func (e entry) size() int { return len(e.id) + len(e.customer) + len(e.line) + 12 }

// segment is what a search reads at once: the lines of words of some entries, as one text, and the entries themselves.
type segment struct {
	text string
	ends []int // where each line ends in the text
	// entries decodes the entries, once. Most segments have nothing of what is searched for, and need not.
	entries func() ([]entry, error)
	size    int64 // about how many bytes of memory it takes
}

// segmentOf returns the segment of entries that are decoded.
func segmentOf(entries []entry) *segment {
	var text strings.Builder
	of := &segment{ends: make([]int, len(entries)), entries: func() ([]entry, error) { return entries, nil }}
	for i, e := range entries {
		text.WriteString(e.line)
		of.ends[i] = text.Len()
		of.size += int64(e.size() + len(e.line) + perEntry)
	}
	of.text = text.String()
	return of
}

// perEntry is about how many bytes of memory an entry takes beside its texts.
const perEntry = 90

// find returns the entries that a query finds, in their order.
func (s *segment) find(q Query) (found []entry, err error) {
	if !q.mayBeIn(s.text) {
		return nil, nil
	}
	var all []entry
	for i, line := range s.lines {
		if !q.in(line) {
			continue
		}
		if all == nil {
			if all, err = s.entries(); err != nil {
				return nil, err
			}
		}
		found = append(found, all[i])
	}
	return found, nil
}

// inParts begins a segment whose lines can be read without its entries. No stream of flate begins with it, so it tells
// such a segment from one of before there were such, which is a stream of whole entries.
const inParts = 0xff

// pack returns entries as a segment holds them: the lines, and what else is known of the entries, each compressed by
// itself.
func pack(entries []entry) ([]byte, error) {
	lines := binary.AppendUvarint(nil, uint64(len(entries)))
	var text, heads []byte
	for _, e := range entries {
		lines = binary.AppendUvarint(lines, uint64(len(e.line)))
		text = append(text, e.line...)
		heads = binary.AppendVarint(append(heads, byte(e.kind)), e.at)
		heads = appendText(appendText(heads, e.id), e.customer)
	}
	out := bytes.NewBuffer([]byte{inParts})
	for _, part := range [][]byte{append(lines, text...), heads} {
		packed, err := deflated(part)
		if err != nil {
			return nil, err
		}
		out.Write(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(part))), uint64(len(packed))))
		out.Write(packed)
	}
	return out.Bytes(), nil
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

func deflated(part []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(part)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// inflaters are readers that are used again, because each has a window of its own.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflated returns a part of a segment as it was before it was compressed. It has so many bytes then.
func inflated(packed []byte, size int) (string, error) {
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
		return "", err
	}
	part := make([]byte, size)
	if _, err := io.ReadFull(r, part); err != nil {
		return "", errSegment
	}
	if _, err := io.ReadFull(r, make([]byte, 1)); err != io.EOF {
		return "", errSegment
	}
	return string(part), nil
}

// unpack returns a segment as an item holds it.
func unpack(packed []byte) (*segment, error) {
	if len(packed) == 0 || packed[0] != inParts {
		return unpackWhole(packed)
	}
	r := reading{text: string(packed[1:])}
	linesSize, lines := r.part()
	headsSize, heads := r.part()
	if r.failed || r.text != "" {
		return nil, errSegment
	}
	text, err := inflated(lines, linesSize)
	if err != nil {
		return nil, err
	}
	r = reading{text: text}
	of := &segment{ends: make([]int, r.number(len(text)))}
	end := 0
	for i := range of.ends {
		end += r.number(len(text) - end)
		of.ends[i] = end
	}
	of.text, of.size = r.text, int64(linesSize+headsSize+perEntry*len(of.ends))
	if r.failed || end != len(of.text) || !of.wellFormed() {
		return nil, errSegment
	}
	of.entries = sync.OnceValues(func() ([]entry, error) {
		text, err := inflated(heads, headsSize)
		if err != nil {
			return nil, err
		}
		r := reading{text: text}
		entries := make([]entry, len(of.ends))
		for i, line := range of.lines {
			entries[i] = r.entry()
			entries[i].line = line
		}
		if r.failed || r.text != "" {
			return nil, errSegment
		}
		return entries, nil
	})
	return of, nil
}

// unpackWhole returns a segment of before there were such in parts.
func unpackWhole(packed []byte) (*segment, error) {
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxUnpacked+1))
	if err != nil || len(raw) > maxUnpacked {
		return nil, errSegment
	}
	var entries []entry
	for r := (reading{text: string(raw)}); r.text != ""; {
		e := r.entry()
		e.line = r.string()
		if entries = append(entries, e); r.failed {
			return nil, errSegment
		}
	}
	of := segmentOf(entries)
	if !of.wellFormed() {
		return nil, errSegment
	}
	return of, nil
}

// lines yields the lines with their numbers.
func (s *segment) lines(yield func(int, string) bool) {
	begin := 0
	for i, end := range s.ends {
		if !yield(i, s.text[begin:end]) {
			return
		}
		begin = end
	}
}

// wellFormed reports whether each line begins and ends with a space, as a query expects.
func (s *segment) wellFormed() bool {
	for _, line := range s.lines {
		if line != "" && (line[0] != ' ' || line[len(line)-1] != ' ') {
			return false
		}
	}
	return true
}

// reading reads what a segment holds, from the beginning of what is left of it.
type reading struct {
	text   string
	failed bool
}

// number reads a number that is no larger than most.
func (r *reading) number(most int) int {
	n, size := binary.Uvarint([]byte(r.text[:min(len(r.text), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(max(most, 0)) {
		r.text, r.failed = "", true
		return 0
	}
	r.text = r.text[size:]
	return int(n)
}

// string reads a text with its length.
func (r *reading) string() string {
	n := r.number(len(r.text))
	if n > len(r.text) {
		r.text, r.failed = "", true
		return ""
	}
	text := r.text[:n]
	r.text = r.text[n:]
	return text
}

// part reads a compressed part of a segment, and how many bytes it has before that.
func (r *reading) part() (size int, packed []byte) {
	size = r.number(maxUnpacked)
	return size, []byte(r.string())
}

// entry reads an entry without its line.
func (r *reading) entry() (e entry) {
	if r.text == "" {
		r.failed = true
		return e
	}
	e.kind = kind(r.text[0])
	at, size := binary.Varint([]byte(r.text[1:min(len(r.text), 1+binary.MaxVarintLen64)]))
	if size <= 0 {
		r.text, r.failed = "", true
		return e
	}
	e.at, r.text = at, r.text[1+size:]
	e.id, e.customer = r.string(), r.string()
	return e
}

// ref says of a segment what is known without reading it.
type ref struct {
	number  int64
	lasting bool  // people and notes, which are found whatever their age
	version int64 // of the item
	newest  int64 // the time of the newest entry, in milliseconds
	size    int64 // of its entries before they are compressed
}

// readRefs reads which segments there are.
func readRefs(text string) (refs []ref, err error) {
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(fields) != 5 || fields[1] != "m" && fields[1] != "l" {
			return nil, fmt.Errorf("%w: the list of segments", errSegment)
		}
		r := ref{lasting: fields[1] == "l"}
		for i, into := range map[int]*int64{0: &r.number, 2: &r.version, 3: &r.newest, 4: &r.size} {
			if *into, err = strconv.ParseInt(fields[i], 36, 64); err != nil || *into < 0 {
				return nil, fmt.Errorf("%w: the list of segments", errSegment)
			}
		}
		refs = append(refs, r)
	}
	return refs, nil
}

// writeRefs returns refs as readRefs reads them.
func writeRefs(refs []ref) string {
	var b strings.Builder
	for _, r := range refs {
		kind := "m"
		if r.lasting {
			kind = "l"
		}
		for i, n := range []int64{r.number, -1, r.version, r.newest, r.size} {
			if i > 0 {
				b.WriteByte(' ')
			}
			if n < 0 {
				b.WriteString(kind)
				continue
			}
			b.WriteString(strconv.FormatInt(n, 36))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
