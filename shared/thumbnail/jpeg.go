package thumbnail

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// orientation is how a camera was held, as EXIF counts it: 1 is upright, and 0 is not said.
type orientation uint16

// lies reports whether the picture lies on its side in the file.
func (o orientation) lies() bool { return o >= 5 && o <= 8 }

// mostSegments bounds the parts before the picture of a JPEG.
const mostSegments = 300

// The markers of a JPEG that are read. The others of 0xC0 to 0xCF begin no picture.
const (
	markerPicture, markerLastPicture = 0xc0, 0xcf
	markerTables, markerReserved     = 0xc4, 0xc8
	markerArithmetic                 = 0xcc
	markerProgressive                = 0xc2
	markerScan, markerEnd            = 0xda, 0xd9
	markerExif                       = 0xe1
)

// readJPEG reads the parts of a JPEG up to the header of its picture, and how the camera was held.
func readJPEG(file io.Reader) (read Picture, err error) {
	r := bufio.NewReader(file)
	if _, err := r.Discard(2); err != nil {
		return read, ErrUnknown
	}
	for range mostSegments {
		marker, segment, err := nextSegment(r)
		if err != nil || marker == markerScan || marker == markerEnd {
			return read, ErrUnknown
		}
		switch marker {
		case markerExif:
			if read.turned == 0 {
				read.turned = orientationIn(segment)
			}
		case markerTables, markerReserved, markerArithmetic:
		default:
			if marker >= markerPicture && marker <= markerLastPicture {
				return read.measured(marker, segment)
			}
		}
	}
	return read, ErrUnknown
}

// nextSegment reads the next part of a JPEG: its marker, and what is in it.
func nextSegment(r *bufio.Reader) (marker byte, segment []byte, err error) {
	for marker = 0xff; marker == 0xff || marker == 0; { // there may be any number of them before a marker
		if marker, err = r.ReadByte(); err != nil {
			return 0, nil, err
		}
	}
	if marker == markerScan || marker == markerEnd {
		return marker, nil, nil
	}
	var length [2]byte
	if _, err = io.ReadFull(r, length[:]); err != nil {
		return 0, nil, err
	}
	size := int(binary.BigEndian.Uint16(length[:])) - len(length)
	if size < 0 {
		return 0, nil, ErrUnknown
	}
	segment = make([]byte, size)
	_, err = io.ReadFull(r, segment)
	return marker, segment, err
}

// measured returns the picture with its sizes, and the memory that decoding it takes.
func (p Picture) measured(marker byte, header []byte) (Picture, error) {
	const first, each = 6, 3 // the components of the colours
	if len(header) < first || len(header) < first+each*int(header[5]) {
		return p, ErrUnknown
	}
	p.Height, p.Width = int(binary.BigEndian.Uint16(header[1:])), int(binary.BigEndian.Uint16(header[3:]))
	widest, highest := 1, 1
	components := header[first : first+each*int(header[5])]
	for c := components; len(c) > 0; c = c[each:] {
		widest, highest = max(widest, int(c[1]>>4)), max(highest, int(c[1]&0xf))
	}
	const block, whole = 8 * 8, 8
	perBlock := block
	if marker == markerProgressive {
		perBlock += 4 * block // what the scans add up
	}
	columns, rows := (p.Width+whole*widest-1)/(whole*widest), (p.Height+whole*highest-1)/(whole*highest)
	for c := components; len(c) > 0; c = c[each:] {
		p.memory += columns * rows * int(c[1]>>4) * int(c[1]&0xf) * perBlock
	}
	if len(components) >= each*3 {
		p.memory += memory(p.Width, p.Height, 4) // the decoder may make other colours of them
	}
	if p.turned.lies() {
		p.Width, p.Height = p.Height, p.Width
	}
	return p, nil
}

// orientationIn returns how the camera was held, by a part of a JPEG that may be EXIF. It returns 0 if that is not
// said, or said in a way that cannot be read.
func orientationIn(segment []byte) orientation {
	tiff, is := bytes.CutPrefix(segment, []byte("Exif\x00\x00"))
	if !is || len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(tiff, []byte("MM")) {
		order = binary.BigEndian
	}
	const entry, tag, short = 12, 0x0112, 3
	at := order.Uint32(tiff[4:])
	if int64(at)+2 > int64(len(tiff)) {
		return 0
	}
	count, entries := int(order.Uint16(tiff[at:])), tiff[at+2:]
	for ; count > 0 && len(entries) >= entry; count, entries = count-1, entries[entry:] {
		if order.Uint16(entries) != tag || order.Uint16(entries[2:]) != short {
			continue
		}
		if found := orientation(order.Uint16(entries[8:])); found <= 8 {
			return found
		}
		return 0
	}
	return 0
}
