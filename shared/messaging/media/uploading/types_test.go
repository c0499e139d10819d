package uploading

import (
	"errors"
	"strings"
	"testing"
)

func TestAFileIsTakenForWhatItsFirstBytesSay(t *testing.T) {
	ogg := func(codec string) string {
		return "OggS\x00" + strings.Repeat("\x00", 23) + codec + strings.Repeat("\x00", 20)
	}
	webp := func(flags string) string { return "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00" + flags + "\x00\x00" }
	mp4 := func(brand string) string { return "\x00\x00\x00\x18ftyp" + brand + "\x00\x00\x00\x00isommp42" }
	docx := "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	for name, c := range map[string]struct {
		contentType, head string
		size              int64
		want              error
	}{
		"JPEG":                   {"image/jpeg", "\xff\xd8\xff\xe0\x00\x10JFIF", 5 << 20, nil},
		"a large JPEG":           {"image/jpeg", "\xff\xd8\xff\xe0\x00\x10JFIF", 5<<20 + 1, errSize},
		"PNG":                    {"image/png", "\x89PNG\r\n\x1a\n", 7, nil},
		"PNG as JPEG":            {"image/jpeg", "\x89PNG\r\n\x1a\n", 7, errContent},
		"a page as a picture":    {"image/png", "<!DOCTYPE html>", 15, errContent},
		"a drawing with scripts": {"image/svg+xml", "<svg></svg>", 11, errType},
		"nothing":                {"text/plain", "", 0, errContent},
		"a text":                 {"text/plain", "2 kg rice", 9, nil},
		"a program as a text":    {"text/plain", "\x7fELF\x02\x01\x01\x00", 8, errContent},
		"PDF":                    {"application/pdf", "%PDF-1.7", 100 << 20, nil},
		"a large PDF":            {"application/pdf", "%PDF-1.7", 100<<20 + 1, errSize},
		"a zip as PDF":           {"application/pdf", "PK\x03\x04", 7, errContent},
		"Office":                 {docx, "PK\x03\x04\x14\x00\x00\x00\x00\x00", 7, nil},
		"old Office":             {"application/msword", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 7, nil},
		"Opus":                   {"audio/ogg", ogg("OpusHead"), 16 << 20, nil},
		"Vorbis":                 {"audio/ogg", ogg("\x01vorbis"), 7, errContent},
		"AMR":                    {"audio/amr", "#!AMR\n", 7, nil},
		"AAC":                    {"audio/aac", "\xff\xf1\x50\x80", 7, nil},
		"MP3": {
			"audio/mpeg", "ID3\x04\x00\x00\x00\x00\x00\x21TSSE\x00\x00\x00\x0f\x00\x00", 7, nil},
		"HEIC as a video":          {"video/mp4", mp4("heic"), 7, errContent},
		"MP4":                      {"video/mp4", mp4("isom"), 16 << 20, nil},
		"sound in MP4":             {"audio/mp4", mp4("M4A "), 7, nil},
		"sound in a general MP4":   {"audio/mp4", mp4("isom"), 7, nil},
		"3GP":                      {"video/3gpp", mp4("3gp4"), 7, nil},
		"a sticker":                {"image/webp", webp("\x00"), 100 << 10, nil},
		"a large sticker":          {"image/webp", webp("\x00"), 100<<10 + 1, errSize},
		"an animated sticker":      {"image/webp", webp("\x02"), 500 << 10, nil},
		"a large animated sticker": {"image/webp", webp("\x02"), 500<<10 + 1, errSize},
		"a simple sticker":         {"image/webp", "RIFF\x00\x00\x00\x00WEBPVP8 \x0a\x00\x00\x00", 7, nil},
	} {
		t.Run(name, func(t *testing.T) {
			detected, err := platform.Check(c.contentType, c.size, []byte(c.head))
			if !errors.Is(err, c.want) || err == nil && detected == "" {
				t.Errorf("%q, %v", detected, err)
			}
			if told := platform.announced(c.contentType, c.size); told != nil && err == nil {
				t.Errorf("it is taken, and has been refused before: %v", told)
			}
		})
	}
	if err := platform.announced("image/webp", 500<<10+1); !errors.Is(err, errSize) {
		t.Errorf("%v", err)
	}
}
