// Package thumbnail makes small pictures of the pictures that people send, so that a page need not load the whole ones.
// The pictures may be hostile. Before it decodes one, it reads from the header how much memory that takes, and refuses
// what takes too much. While it decodes, it asks again and again whether there is time left. Colours and places that a
// camera has noted beside a picture are not in its thumbnail.
package thumbnail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// Side is how long the longer side of a thumbnail is at most.
const Side = 320

// most bounds the memory in bytes that decoding a picture takes: 13 megapixels of a progressive JPEG, or 39 of a PNG.
const most = 150 << 20

// quality is that of a thumbnail that is a JPEG.
const quality = 80

// Problems of pictures.
var (
	ErrUnknown = errors.New("not a picture that can be read")
	ErrLarge   = errors.New("the picture takes too much memory")
)

// Picture is what the header of a picture says.
type Picture struct {
	Width, Height int // as it is shown
	memory        int // how many bytes it takes to decode it
	turned        orientation
	decode        func(io.Reader) (image.Image, error)
}

// Thumbnail is a small picture.
type Thumbnail struct {
	ContentType string
	Bytes       []byte
}

// Read reads the header of a JPEG, a PNG or a WebP.
func Read(file io.ReadSeeker) (Picture, error) {
	head := make([]byte, 12)
	if err := rewind(file); err != nil {
		return Picture{}, err
	}
	if _, err := io.ReadFull(file, head); err != nil {
		return Picture{}, ErrUnknown
	}
	if err := rewind(file); err != nil {
		return Picture{}, err
	}
	var read Picture
	var err error
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xd8")):
		read, err = readJPEG(file)
		read.decode = jpeg.Decode
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		read, err = readPNG(file)
		read.decode = png.Decode
	case bytes.HasPrefix(head, []byte("RIFF")) && bytes.Equal(head[8:], []byte("WEBP")):
		read, err = readWebP(file)
	default:
		err = ErrUnknown
	}
	if err == nil && (read.Width <= 0 || read.Height <= 0) {
		err = ErrUnknown
	}
	return read, err
}

// Of returns the thumbnail of the picture whose header was read from a file. It has its longer side at most as long as
// Side, the way up that the picture is shown, and is a JPEG, or a PNG if something shines through.
func (p Picture) Of(ctx context.Context, file io.ReadSeeker) (small Thumbnail, err error) {
	if p.memory > most {
		return Thumbnail{}, ErrLarge
	}
	defer func() { // a decoder that a file breaks may not end what goes on beside it
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: the decoder has failed", ErrUnknown)
		}
	}()
	if err := rewind(file); err != nil {
		return Thumbnail{}, err
	}
	whole, err := p.decode(inTime{ctx, file})
	if ctx.Err() != nil {
		return Thumbnail{}, ctx.Err()
	}
	if err != nil {
		return Thumbnail{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	shown := turn(reduce(whole), p.turned)
	var body bytes.Buffer
	if shown.Opaque() {
		small.ContentType, err = "image/jpeg", jpeg.Encode(&body, shown, &jpeg.Options{Quality: quality})
	} else {
		best := png.Encoder{CompressionLevel: png.BestCompression}
		small.ContentType, err = "image/png", best.Encode(&body, shown)
	}
	small.Bytes = body.Bytes()
	return small, err
}

// inTime reads little at a time, and ends with a context. A file of few bytes can have a decoder work for long: it asks
// for the next bytes in between.
type inTime struct {
	ctx  context.Context
	file io.Reader
}

func (r inTime) Read(to []byte) (int, error) {
	const little = 256
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.file.Read(to[:min(len(to), little)])
}

func rewind(file io.Seeker) error {
	_, err := file.Seek(0, io.SeekStart)
	return err
}

// readPNG reads the header of a PNG.
func readPNG(file io.Reader) (Picture, error) {
	const interlaced = 28
	var head bytes.Buffer
	config, err := png.DecodeConfig(io.TeeReader(io.LimitReader(file, 1<<20), &head))
	if err != nil || head.Len() <= interlaced {
		return Picture{}, ErrUnknown
	}
	read := Picture{Width: config.Width, Height: config.Height}
	each := 8 // as much as a point takes at most
	if depth := head.Bytes()[24]; depth <= 8 {
		each = 4
	}
	if head.Bytes()[interlaced] != 0 {
		each *= 2 // each pass is a picture of its own
	}
	read.memory = memory(read.Width, read.Height, each)
	return read, nil
}

// memory returns how many bytes so many points take, and more than are allowed if they are too many to be counted.
func memory(width, height, each int) int {
	if width <= 0 || height <= 0 || width > most/height {
		return most + 1
	}
	return width * height * each
}

// readWebP reads the header of a WebP.
func readWebP(file io.ReadSeeker) (Picture, error) {
	moves, err := readAnimation(file)
	if err != nil {
		return Picture{}, ErrUnknown
	}
	if err := rewind(file); err != nil {
		return Picture{}, err
	}
	read := Picture{decode: webp.Decode}
	config, err := webp.DecodeConfig(io.LimitReader(file, 1<<20))
	if err != nil {
		return Picture{}, ErrUnknown
	}
	read.Width, read.Height = config.Width, config.Height
	// a decoder holds the points, those that shine through, and what it takes them from
	const each = 10
	read.memory = memory(read.Width, read.Height, each)
	if moves {
		read.decode = firstFrame(read.Width, read.Height)
	}
	return read, nil
}
