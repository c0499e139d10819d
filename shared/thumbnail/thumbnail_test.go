package thumbnail_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/haatline/haatline/shared/thumbnail"
)

var (
	red   = color.RGBA{R: 220, A: 255}
	blue  = color.RGBA{B: 220, A: 255}
	clear = color.RGBA{}
)

// halves returns a picture whose upper half has one colour, and its lower half another.
func halves(width, height int, upper, lower color.RGBA) *image.RGBA {
	made := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			if made.SetRGBA(x, y, upper); y >= height/2 {
				made.SetRGBA(x, y, lower)
			}
		}
	}
	return made
}

func asJPEG(t testing.TB, of image.Image) []byte {
	t.Helper()
	var body bytes.Buffer
	if err := jpeg.Encode(&body, of, nil); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

func asPNG(t testing.TB, of image.Image) []byte {
	t.Helper()
	var body bytes.Buffer
	if err := png.Encode(&body, of); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

// held returns a JPEG of which EXIF says how the camera was held.
func held(picture []byte, order binary.AppendByteOrder, by uint16) []byte {
	tiff := []byte("II*\x00")
	if order.String() == binary.BigEndian.String() {
		tiff = []byte("MM\x00*")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	tiff = append(order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, 0x010f), 2), 2), "me\x00\x00"...)
	tiff = order.AppendUint16(order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, 0x0112), 3), 1), by)
	segment := append([]byte("Exif\x00\x00"), append(tiff, 0, 0, 0, 0, 0, 0)...)
	file := append([]byte("\xff\xd8\xff\xe1"), binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
	return append(append(file, segment...), picture[2:]...)
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// of returns a picture's header, and its thumbnail with its form.
func of(t *testing.T, file []byte) (thumbnail.Picture, image.Image, string) {
	t.Helper()
	read, err := thumbnail.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	small, err := read.Of(t.Context(), bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	shown, kind, err := image.Decode(bytes.NewReader(small.Bytes))
	if err != nil || "image/"+kind != small.ContentType {
		t.Fatalf("%s, %s: %v", kind, small.ContentType, err)
	}
	return read, shown, kind
}

func near(a, b color.Color) bool {
	r1, g1, b1, a1 := a.RGBA()
	r2, g2, b2, a2 := b.RGBA()
	far := func(x, y uint32) bool { return max(x, y)-min(x, y) > 30<<8 }
	return !far(r1, r2) && !far(g1, g2) && !far(b1, b2) && !far(a1, a2)
}

func TestAThumbnailIsSmallAndLooksLikeItsPicture(t *testing.T) {
	at := image.Pt
	grey, deep := image.NewGray(image.Rect(0, 0, 640, 64)), image.NewNRGBA64(image.Rect(0, 0, 400, 400))
	few := image.NewPaletted(image.Rect(0, 0, 400, 400), color.Palette{red, blue})
	for name, c := range map[string]struct {
		file         []byte
		whole, small image.Point
		kind         string
	}{
		"JPEG":                        {asJPEG(t, halves(800, 600, red, blue)), at(800, 600), at(320, 240), "jpeg"},
		"a grey JPEG":                 {asJPEG(t, grey), at(640, 64), at(320, 32), "jpeg"},
		"a progressive JPEG":          {sample(t, "progressive.jpg"), at(400, 300), at(320, 240), "jpeg"},
		"PNG":                         {asPNG(t, halves(333, 777, red, blue)), at(333, 777), at(137, 320), "jpeg"},
		"PNG that shines through":     {asPNG(t, halves(640, 640, red, clear)), at(640, 640), at(320, 320), "png"},
		"PNG of 64 bits a point":      {asPNG(t, deep), at(400, 400), at(320, 320), "png"},
		"PNG with a palette":          {asPNG(t, few), at(400, 400), at(320, 320), "jpeg"},
		"a picture smaller than that": {asPNG(t, halves(20, 30, red, blue)), at(20, 30), at(20, 30), "jpeg"},
		"a picture like a line":       {asPNG(t, halves(4000, 2, red, blue)), at(4000, 2), at(320, 1), "jpeg"},
		"WebP":                        {sample(t, "photo.webp"), at(400, 300), at(320, 240), "jpeg"},
		"a sticker":                   {sample(t, "sticker.webp"), at(400, 300), at(320, 240), "png"},
		"a sticker without loss":      {sample(t, "lossless.webp"), at(400, 300), at(320, 240), "png"},
		"a sticker that moves":        {sample(t, "moving.webp"), at(120, 100), at(120, 100), "png"},
	} {
		t.Run(name, func(t *testing.T) {
			read, shown, kind := of(t, c.file)
			if image.Pt(read.Width, read.Height) != c.whole || kind != c.kind || shown.Bounds().Max != c.small {
				t.Errorf("%d × %d, %s of %v", read.Width, read.Height, kind, shown.Bounds())
			}
		})
	}
	_, shown, _ := of(t, asJPEG(t, halves(800, 600, red, blue)))
	if !near(shown.At(5, 5), red) || !near(shown.At(300, 235), blue) {
		t.Errorf("above %v, below %v", shown.At(5, 5), shown.At(300, 235))
	}
	_, shown, _ = of(t, sample(t, "moving.webp"))
	if !near(shown.At(10, 50), clear) || near(shown.At(110, 50), clear) {
		t.Errorf("beside the frame %v, in it %v", shown.At(10, 50), shown.At(110, 50))
	}
}

// A picture whose upper left is red in the file stands as a browser shows it.
func TestAThumbnailIsTheRightWayUp(t *testing.T) {
	lying := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for y := range 32 {
		for x := range 64 {
			if lying.SetRGBA(x, y, blue); x < 32 && y < 16 {
				lying.SetRGBA(x, y, red)
			}
		}
	}
	for by, corner := range map[uint16]string{
		0: "upper left", 1: "upper left", 2: "upper right", 3: "lower right", 4: "lower left", 5: "upper left",
		6: "upper right", 7: "lower right", 8: "lower left", 9: "upper left",
	} {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			read, shown, _ := of(t, held(asJPEG(t, lying), order, by))
			width, height := 64, 32
			if by >= 5 && by <= 8 {
				width, height = height, width
			}
			if read.Width != width || read.Height != height || shown.Bounds() != image.Rect(0, 0, width, height) {
				t.Errorf("%d: %d × %d, %v", by, read.Width, read.Height, shown.Bounds())
			}
			for name, at := range map[string]image.Point{
				"upper left": {4, 4}, "upper right": {width - 4, 4},
				"lower left": {4, height - 4}, "lower right": {width - 4, height - 4},
			} {
				if isRed := near(shown.At(at.X, at.Y), red); isRed != (name == corner) {
					t.Errorf("%d: %s is red: %v", by, name, isRed)
				}
			}
		}
	}
}

// claims returns a picture whose header claims to be larger than it is.
func claims(t *testing.T, file []byte, width, height int) []byte {
	t.Helper()
	if bytes.HasPrefix(file, []byte("\x89PNG")) {
		binary.BigEndian.PutUint32(file[16:], uint32(width))
		binary.BigEndian.PutUint32(file[20:], uint32(height))
		binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
		return file
	}
	at := bytes.Index(file, []byte("\xff\xc0"))
	binary.BigEndian.PutUint16(file[at+5:], uint16(height))
	binary.BigEndian.PutUint16(file[at+7:], uint16(width))
	return file
}

func TestAPictureThatIsTooLargeIsRefusedBeforeItIsDecoded(t *testing.T) {
	small := halves(8, 8, red, blue)
	webp := sample(t, "lossless.webp")
	at := bytes.Index(webp, []byte("VP8L")) + 9
	binary.LittleEndian.PutUint32(webp[at:], 16383|16383<<14|1<<28)
	for name, file := range map[string][]byte{
		"JPEG":           claims(t, asJPEG(t, small), 65000, 65000),
		"PNG":            claims(t, asPNG(t, small), 30000, 30000),
		"PNG of no size": claims(t, asPNG(t, small), 1<<31-1, 1<<31-1),
		"WebP":           webp,
	} {
		read, err := thumbnail.Read(bytes.NewReader(file))
		if err == nil {
			allocated := testing.AllocsPerRun(1, func() { _, err = read.Of(t.Context(), bytes.NewReader(file)) })
			if allocated > 5 {
				t.Errorf("%s: %v allocations", name, allocated)
			}
		}
		if !errors.Is(err, thumbnail.ErrLarge) && !errors.Is(err, thumbnail.ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := thumbnail.Read(bytes.NewReader(claims(t, asJPEG(t, small), 3000, 4000))); err != nil {
		t.Errorf("a photo as phones take it: %v", err)
	}
}

func TestWhatIsNoPictureHasNoThumbnail(t *testing.T) {
	whole := map[string][]byte{
		"JPEG": asJPEG(t, halves(100, 100, red, blue)), "PNG": asPNG(t, halves(100, 100, red, blue)),
		"WebP": sample(t, "photo.webp"), "a sticker": sample(t, "sticker.webp"), "moving": sample(t, "moving.webp"),
	}
	for name, file := range whole {
		for _, cut := range []int{0, 3, 11, 12, 20, 30, len(file) / 2} {
			read, err := thumbnail.Read(bytes.NewReader(file[:cut]))
			if err == nil {
				_, err = read.Of(t.Context(), bytes.NewReader(file[:cut]))
			}
			if !errors.Is(err, thumbnail.ErrUnknown) {
				t.Errorf("%s of %d bytes: %v", name, cut, err)
			}
		}
	}
	if _, err := thumbnail.Read(bytes.NewReader([]byte("%PDF-1.7 and more"))); !errors.Is(err, thumbnail.ErrUnknown) {
		t.Errorf("%v", err)
	}
}

func TestAThumbnailEndsWithItsTime(t *testing.T) {
	file := asJPEG(t, halves(100, 100, red, blue))
	read, err := thumbnail.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read.Of(over, bytes.NewReader(file)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func FuzzThumbnail(f *testing.F) {
	for _, name := range []string{"progressive.jpg", "photo.webp", "sticker.webp", "lossless.webp", "moving.webp"} {
		f.Add(sample(f, name))
	}
	f.Add(asPNG(f, halves(9, 9, red, clear)))
	f.Add(held(asJPEG(f, halves(9, 9, red, blue)), binary.BigEndian, 6))
	f.Fuzz(func(t *testing.T, file []byte) {
		read, err := thumbnail.Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		if read.Width <= 0 || read.Height <= 0 {
			t.Errorf("%+v", read)
		}
		if read.Width*read.Height > 4<<20 {
			return // it would take the fuzzer long
		}
		small, err := read.Of(t.Context(), bytes.NewReader(file))
		if err != nil {
			return
		}
		shown, _, err := image.Decode(bytes.NewReader(small.Bytes))
		if err != nil || max(shown.Bounds().Dx(), shown.Bounds().Dy()) > thumbnail.Side {
			t.Errorf("%v, %v", shown.Bounds(), err)
		}
	})
}
