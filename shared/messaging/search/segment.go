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

// pack returns entries as a segment holds them.
func pack(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if _, err := w.Write(e.raw()); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

func (e entry) raw() []byte {
	raw := binary.AppendVarint([]byte{byte(e.kind)}, e.at)
	for _, text := range []string{e.id, e.customer, e.line} {
		raw = append(binary.AppendUvarint(raw, uint64(len(text))), text...)
	}
	return raw
}

// unpack returns the entries of a segment. They share one piece of memory.
func unpack(segment []byte) (entries []entry, err error) {
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(segment)), maxUnpacked+1))
	if err != nil || len(raw) > maxUnpacked {
		return nil, errSegment
	}
	all := string(raw)
	at := 0
	for at < len(all) {
		e := entry{kind: kind(all[at])}
		at++
		n := 0
		if e.at, n = binary.Varint(raw[at:]); n <= 0 {
			return nil, errSegment
		}
		at += n
		for _, text := range []*string{&e.id, &e.customer, &e.line} {
			length, n := binary.Uvarint(raw[at:])
			if n <= 0 || length > uint64(len(all)-at-n) {
				return nil, errSegment
			}
			at += n
			*text = all[at : at+int(length)]
			at += int(length)
		}
		if e.line != "" && (e.line[0] != ' ' || e.line[len(e.line)-1] != ' ') {
			return nil, errSegment
		}
		entries = append(entries, e)
	}
	return entries, nil
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
