package groups

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

func jpegOf(t testing.TB, of image.Image) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, of, nil); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestTheSizeOfAJPEGIsRead(t *testing.T) {
	colored := image.NewRGBA(image.Rect(0, 0, 300, 200))
	colored.Set(1, 1, color.White)
	file := jpegOf(t, colored)
	filled := append([]byte{0xFF, 0xD8, 0xFF, 0xFF}, file[3:]...) // a fill byte before the first marker
	for name, text := range map[string][]byte{"plain": file, "filled": filled} {
		if width, height := sizeOfJPEG(text); width != 300 || height != 200 {
			t.Errorf("%s: %d x %d", name, width, height)
		}
	}
	if width, height := sizeOfJPEG(file[:20]); width+height != 0 {
		t.Error("of a part:", width, height)
	}
}

// No body breaks the reader, and it reads the same size as the library.
func FuzzSizeOfJPEG(f *testing.F) {
	f.Add(jpegOf(f, image.NewGray(image.Rect(0, 0, 8, 8))))
	f.Add([]byte{0xFF, 0xD8, 0xFF, 0xC0, 0, 2})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		width, height := sizeOfJPEG(file)
		of, err := jpeg.DecodeConfig(bytes.NewReader(file))
		if err == nil && (width != of.Width || height != of.Height) {
			t.Errorf("%d x %d, and the library says %d x %d", width, height, of.Width, of.Height)
		}
	})
}
