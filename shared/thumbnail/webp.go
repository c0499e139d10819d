package thumbnail

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
	"io"

	"golang.org/x/image/webp"
)

// mostFrame bounds the bytes of one frame of a sticker that moves.
const mostFrame = 4 << 20

// readAnimation reports whether a WebP moves.
func readAnimation(file io.Reader) (bool, error) {
	const flags, moves = 20, 0x02
	head := make([]byte, 30)
	if _, err := io.ReadFull(file, head); err != nil {
		return false, err
	}
	return bytes.Equal(head[12:16], []byte("VP8X")) && head[flags]&moves != 0, nil
}

// firstFrame returns what decodes the first frame of a WebP that moves, on a canvas. The decoder of WebP reads pictures
// that stand still: so it gets the frame as one.
func firstFrame(width, height int) func(io.Reader) (image.Image, error) {
	return func(file io.Reader) (image.Image, error) {
		frame, err := findFrame(file)
		if err != nil {
			return nil, err
		}
		still := stillOf(frame)
		config, err := webp.DecodeConfig(bytes.NewReader(still))
		if err != nil {
			return nil, err
		}
		at := image.Pt(2*int(uint24(frame)), 2*int(uint24(frame[3:])))
		place := image.Rectangle{at, at.Add(image.Pt(config.Width, config.Height))}
		canvas := image.NewNRGBA(image.Rect(0, 0, width, height))
		if !place.In(canvas.Bounds()) {
			return nil, ErrUnknown
		}
		shown, err := webp.Decode(bytes.NewReader(still))
		if err != nil {
			return nil, err
		}
		draw.Draw(canvas, place, shown, shown.Bounds().Min, draw.Src)
		return canvas, nil
	}
}

// The headers of a WebP, of one chunk of it, and of a frame.
const (
	fileHeader  = 12
	chunkHeader = 8
	frameHeader = 16
)

// findFrame returns the first frame in a WebP, with its header.
func findFrame(file io.Reader) ([]byte, error) {
	if _, err := io.CopyN(io.Discard, file, fileHeader); err != nil {
		return nil, err
	}
	for {
		head := make([]byte, chunkHeader)
		if _, err := io.ReadFull(file, head); err != nil {
			return nil, err
		}
		size := int64(binary.LittleEndian.Uint32(head[4:]))
		if string(head[:4]) != "ANMF" {
			if _, err := io.CopyN(io.Discard, file, size+size&1); err != nil {
				return nil, err
			}
			continue
		}
		if size < frameHeader+chunkHeader || size > mostFrame {
			return nil, ErrUnknown
		}
		frame := make([]byte, size)
		_, err := io.ReadFull(file, frame)
		return frame, err
	}
}

// stillOf returns a frame as a WebP that does not move.
func stillOf(frame []byte) []byte {
	const extended, shinesThrough = 10, 0x10
	body := frame[frameHeader:]
	still := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8X"), extended, 0, 0, 0, 0, 0, 0, 0)
	if string(body[:4]) == "ALPH" {
		still[fileHeader+chunkHeader] = shinesThrough
	}
	still = append(append(still, frame[6:12]...), body...) // the sizes of the frame, in the same form
	binary.LittleEndian.PutUint32(still[4:], uint32(len(still)-8))
	return still
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }
