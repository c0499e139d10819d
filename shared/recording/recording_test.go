package recording_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/recording"
)

func read(t testing.TB, file []byte) (recording.Recording, error) {
	t.Helper()
	return recording.Read(bytes.NewReader(file), int64(len(file)))
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// amr returns a file of AMR with so many frames of a mode.
func amr(head string, mode byte, size, frames int) []byte {
	frame := append([]byte{mode<<3 | 4}, make([]byte, size-1)...)
	return append([]byte(head), bytes.Repeat(frame, frames)...)
}

// turned returns a movie of a phone that was held upright.
func turned(t *testing.T) []byte {
	t.Helper()
	file := sample(t, "clip.mp4")
	matrix := bytes.Index(file, []byte("tkhd")) + 4 + 40
	binary.BigEndian.PutUint32(file[matrix:], 0)
	binary.BigEndian.PutUint32(file[matrix+4:], 1<<16)
	return file
}

func TestARecordingSaysHowLongItLasts(t *testing.T) {
	lasts := func(d time.Duration) recording.Recording { return recording.Recording{Duration: d * time.Millisecond} }
	video := recording.Recording{Duration: 2 * time.Second, Width: 64, Height: 36}
	for name, c := range map[string]struct {
		file []byte
		want recording.Recording
	}{
		"a voice message":       {sample(t, "voice.ogg"), lasts(2500)},
		"MP3":                   {sample(t, "song.mp3"), lasts(2628)},
		"MP3 whose rate varies": {sample(t, "vbr.mp3"), lasts(2534)},
		"AAC":                   {sample(t, "note.aac"), lasts(2624)},
		"AAC in MP4":            {sample(t, "note.m4a"), lasts(2500)},
		"AMR":                   {amr("#!AMR\n", 7, 32, 150), lasts(3000)},
		"wide AMR":              {amr("#!AMR-WB\n", 2, 33, 50), lasts(1000)},
		"a video":               {sample(t, "clip.mp4"), video},
		"a video held upright": {
			turned(t), recording.Recording{Duration: 2 * time.Second, Width: 36, Height: 64}},
		"3GP": {
			sample(t, "clip.3gp"), recording.Recording{Duration: 2 * time.Second, Width: 170, Height: 96}},
		"a video that is a stream":  {sample(t, "fragments.mp4"), recording.Recording{Width: 64, Height: 36}},
		"a voice that is cut off":   {sample(t, "voice.ogg")[:1500], lasts(1993)},
		"a sound that is cut off":   {sample(t, "note.aac")[:3000], lasts(1408)},
		"a video that is cut off":   {sample(t, "clip.mp4")[:1900], video},
		"an AMR with a last scrap":  {append(amr("#!AMR\n", 0, 13, 50), 4, 1), lasts(1000)},
		"MP3 with a tag at its end": {append(sample(t, "vbr.mp3"), "TAG title"...), lasts(2534)},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, c.file)
			off := got.Duration - c.want.Duration
			got.Duration = c.want.Duration
			if err != nil || off.Abs() > 10*time.Millisecond || got != c.want {
				t.Errorf("%+v, %v off, %v", got, off, err)
			}
		})
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	huge := sample(t, "clip.mp4")
	at := bytes.Index(huge, []byte("mvhd")) + 4
	binary.BigEndian.PutUint32(huge[at+12:], 1)
	binary.BigEndian.PutUint32(huge[at+16:], 1<<31)
	if got, err := read(t, huge); err != nil || got.Duration != 0 || got.Width != 64 {
		t.Errorf("a video of 68 years: %+v, %v", got, err)
	}
	for name, file := range map[string][]byte{
		"nothing":              nil,
		"a text":               []byte("2 kg rice, and half a dozen eggs"),
		"a picture":            []byte("\x89PNG\r\n\x1a\n" + "a picture without an end"),
		"Ogg without Opus":     []byte("OggS\x00\x02" + string(make([]byte, 60))),
		"MP4 without a movie":  sample(t, "clip.mp4")[:28],
		"AMR without sound":    []byte("#!AMR\n\x4f\x4f\x4f\x4f\x4f\x4f\x4f"),
		"a tag and no sound":   []byte("ID3\x04\x00\x00\x00\x00\x00\x02ab" + "no frame here"),
		"a tag beyond its end": []byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7f" + "no frame here"),
	} {
		if got, err := read(t, file); !errors.Is(err, recording.ErrUnknown) || got.Duration != 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// broken fails to read after some bytes.
type broken struct{ left int64 }

var errDisk = errors.New("the disk has failed")

func (b broken) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > b.left {
		return 0, errDisk
	}
	copy(p, "#!AMR\n\x04")
	return len(p), nil
}

func TestADiskThatFailsIsNoShortRecording(t *testing.T) {
	if got, err := recording.Read(broken{12}, 1000); !errors.Is(err, errDisk) {
		t.Errorf("%+v, %v", got, err)
	}
}

// counting counts how often a file is read.
type counting struct {
	*bytes.Reader
	reads int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	c.reads++
	return c.Reader.ReadAt(p, at)
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		f.Add(sample(f, filepath.Base(name)))
	}
	f.Add(amr("#!AMR-WB\n", 2, 33, 3))
	// boxes in boxes, that are as short as a box can be
	f.Add(append([]byte("\x00\x00\x00\x08ftyp\x00\x00\x00\x00moov"),
		bytes.Repeat([]byte("\x00\x00\x00\x08trak"), 5000)...))
	f.Fuzz(func(t *testing.T, file []byte) {
		counts := &counting{Reader: bytes.NewReader(file)}
		got, err := recording.Read(counts, int64(len(file)))
		if got.Duration < 0 || got.Duration > 24*time.Hour || got.Width < 0 || got.Height < 0 ||
			err == nil && got == (recording.Recording{}) || errors.Is(err, io.EOF) {
			t.Errorf("%+v, %v", got, err)
		}
		if most := 10_000 + len(file)/512; counts.reads > most {
			t.Errorf("%d reads of %d bytes", counts.reads, len(file))
		}
	})
}
