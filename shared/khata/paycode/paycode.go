// Package paycode draws payment links as QR codes. It is apart from the links, so that functions that only send links
// carry no pictures.
package paycode

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/boombuler/barcode/qr"
)

// A QR code has a quiet zone of four modules around it. A module is so many points wide that a phone reads the code
// from a screen.
const (
	quiet  = 4
	points = 10
)

// PNG returns a link as a picture of a QR code.
func PNG(link string) ([]byte, error) {
	code, err := qr.Encode(link, qr.M, qr.Unicode)
	if err != nil {
		return nil, fmt.Errorf("payment code: %w", err)
	}
	size := code.Bounds().Dx()
	picture := image.NewPaletted(image.Rect(0, 0, (size+2*quiet)*points, (size+2*quiet)*points),
		color.Palette{color.White, color.Black})
	for y := range size * points {
		for x := range size * points {
			if black, _, _, _ := code.At(x/points, y/points).RGBA(); black == 0 {
				picture.SetColorIndex(x+quiet*points, y+quiet*points, 1)
			}
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return nil, fmt.Errorf("payment code: %w", err)
	}
	return file.Bytes(), nil
}
