package recording

import (
	"encoding/binary"
	"io"
	"math"
)

// mostBoxes bounds the boxes of a file that are looked at.
const mostBoxes = 2000

// boxes reads the boxes of an MP4 or 3GP file.
type boxes struct {
	file io.ReaderAt
	left int // how many may still be looked at
}

// box is one box of a file, without its header.
type box struct {
	kind     string
	from, to int64
}

// next returns the box that begins at a place, and ends at another one at the latest; false if there is none. A box
// that is cut off ends where the file does.
func (b *boxes) next(from, to int64) (box, bool) {
	head := make([]byte, 16)
	if b.left--; b.left < 0 || to-from < 8 {
		return box{}, false
	}
	if _, err := b.file.ReadAt(head[:8], from); err != nil {
		return box{}, false
	}
	size, header := int64(binary.BigEndian.Uint32(head)), int64(8)
	switch size {
	case 0:
		size = to - from
	case 1:
		if _, err := b.file.ReadAt(head, from); err != nil {
			return box{}, false
		}
		size, header = int64(binary.BigEndian.Uint64(head[8:])), 16
	}
	if size < header {
		return box{}, false
	}
	return box{string(head[4:8]), from + header, from + min(size, to-from)}, true
}

// each calls a function for each box in another one, or in the file.
func (b *boxes) each(from, to int64, do func(box)) {
	for {
		one, ok := b.next(from, to)
		if !ok {
			return
		}
		do(one)
		from = one.to
	}
}

// bytes returns the first bytes of a box; nil if it has fewer.
func (b *boxes) bytes(of box, most int64) []byte {
	if of.to-of.from < most {
		return nil
	}
	read := make([]byte, most)
	if _, err := b.file.ReadAt(read, of.from); err != nil {
		return nil
	}
	return read
}

// movie reads the headers of an MP4 or 3GP file: how long the movie lasts, and how large its picture is.
func movie(file io.ReaderAt, size int64) (found Recording, err error) {
	read := &boxes{file, mostBoxes}
	read.each(0, size, func(top box) {
		if top.kind != "moov" {
			return
		}
		var second, units uint64
		read.each(top.from, top.to, func(in box) {
			switch in.kind {
			case "mvhd":
				second, units = read.movieHeader(in)
			case "mvex": // of a movie in fragments, whose header does not say how long they last
				read.each(in.from, in.to, func(of box) {
					if of.kind == "mehd" && units == 0 {
						units = read.fragments(of)
					}
				})
			case "trak":
				read.each(in.from, in.to, func(of box) {
					if width, height := read.picture(of); width > 0 && height > 0 && found.Width == 0 {
						found.Width, found.Height = width, height
					}
				})
			}
		})
		found.Duration = times(units, second)
	})
	return found, nil
}

// movieHeader reads how many units are in a second, and how many of them a movie lasts.
func (b *boxes) movieHeader(of box) (second, units uint64) {
	if head := b.bytes(of, 32); head != nil && head[0] == 1 {
		second, units = uint64(binary.BigEndian.Uint32(head[20:])), binary.BigEndian.Uint64(head[24:])
	} else if head := b.bytes(of, 20); head != nil && head[0] == 0 {
		second, units = uint64(binary.BigEndian.Uint32(head[12:])), uint64(binary.BigEndian.Uint32(head[16:]))
		if units == math.MaxUint32 {
			units = 0 // it is not known
		}
	}
	return second, units
}

// fragments reads how many units a movie in fragments lasts.
func (b *boxes) fragments(of box) uint64 {
	if head := b.bytes(of, 12); head != nil && head[0] == 1 {
		return binary.BigEndian.Uint64(head[4:])
	} else if head := b.bytes(of, 8); head != nil && head[0] == 0 {
		return uint64(binary.BigEndian.Uint32(head[4:]))
	}
	return 0
}

// picture reads how large a track's picture is, as it is shown: a phone that is held upright records a picture that
// lies on its side, and says so by a matrix. It returns 0 for a track without a picture, and for another box.
func (b *boxes) picture(of box) (width, height int) {
	const (
		longer              = 12 // by how much the times are longer in version 1
		matrix, sizes, ends = 40, 76, 84
	)
	if of.kind != "tkhd" {
		return 0, 0
	}
	head := b.bytes(of, ends)
	if head != nil && head[0] == 1 {
		if head = b.bytes(of, ends+longer); head != nil {
			head = head[longer:]
		}
	}
	if head == nil {
		return 0, 0
	}
	width, height = int(binary.BigEndian.Uint16(head[sizes:])), int(binary.BigEndian.Uint16(head[sizes+4:]))
	if binary.BigEndian.Uint32(head[matrix:]) == 0 && binary.BigEndian.Uint32(head[matrix+4:]) != 0 {
		return height, width
	}
	return width, height
}
