package recording

import (
	"bufio"
	"bytes"
	"io"
	"time"
)

// amrBytes are how many bytes a frame of 20 ms has, by its mode; 0 for a mode that is not used.
var (
	amrBytes     = [16]int{13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1}
	amrWideBytes = [16]int{18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1}
)

// amr returns how long a file of AMR lasts.
func amr(file io.Reader) (time.Duration, error) {
	const narrow, wide = "#!AMR\n", "#!AMR-WB\n"
	r := bufio.NewReader(file)
	head, err := r.Peek(len(wide))
	if err != nil && err != io.EOF {
		return 0, err
	}
	sizes, begins := amrBytes, narrow
	if string(head) == wide {
		sizes, begins = amrWideBytes, wide
	}
	if !bytes.HasPrefix(head, []byte(begins)) {
		return 0, ErrUnknown
	}
	if _, err := r.Discard(len(begins)); err != nil {
		return 0, err
	}
	frames, err := count(r, 1, func(head []byte) (int, bool) {
		size := sizes[head[0]>>3&0xf]
		return size, size > 0
	})
	return times(uint64(frames), 50), err
}

// count counts the frames that follow each other, by a function that tells from the first bytes of a frame how many it
// has. It ends where no frame begins, and does not count one that is cut off.
func count(r *bufio.Reader, head int, sizeOf func(head []byte) (int, bool)) (frames int, err error) {
	for {
		begins, err := r.Peek(head)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return frames, nil
		}
		if err != nil {
			return 0, err
		}
		size, ok := sizeOf(begins)
		if !ok || size < head {
			return frames, nil
		}
		if _, err = r.Discard(size); err == io.EOF {
			return frames, nil
		}
		if err != nil {
			return 0, err
		}
		frames++
	}
}

// framed returns how long a file of MP3 or AAC lasts. A frame of it says which of the two it is.
func framed(file io.ReaderAt, size int64) (time.Duration, error) {
	var from int64
	for range 4 { // a file may have more than one tag before its sound
		tag := make([]byte, 10)
		if _, err := file.ReadAt(tag, from); err != nil || !bytes.Equal(tag[:3], []byte("ID3")) {
			break
		}
		var size int64
		for _, digit := range tag[6:] {
			size = size<<7 | int64(digit&0x7f)
		}
		from += int64(len(tag)) + size
	}
	if from >= size {
		return 0, ErrUnknown
	}
	var total time.Duration
	frame := func(head []byte) (int, bool) {
		if head[0] != 0xff {
			return 0, false
		}
		read := mp3
		if head[1]&0xf6 == 0xf0 {
			read = aac
		}
		size, lasts, ok := read(head)
		total += lasts
		return size, ok && total <= longest
	}
	if _, err := count(bufio.NewReader(io.NewSectionReader(file, from, size-from)), 7, frame); err != nil {
		return 0, err
	}
	return total, nil
}

// aacRates are the rates of AAC in Hz, by their number in a frame.
var aacRates = [16]uint64{
	96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350}

// aac reads the header of a frame of AAC, in the form ADTS.
func aac(head []byte) (size int, lasts time.Duration, ok bool) {
	rate := aacRates[head[2]>>2&0xf]
	size = int(head[3]&3)<<11 | int(head[4])<<3 | int(head[5]>>5)
	return size, times(1024*(uint64(head[6]&3)+1), rate), rate > 0
}

// The kbit/s of MP3 by their number in a frame, of the version 1 and of the others, and the rates of version 1 in Hz.
var (
	mp3Bits      = [16]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}
	mp3OtherBits = [16]int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}
	mp3Rates     = [4]int{44100, 48000, 32000}
)

// mp3 reads the header of a frame of MP3: of MPEG 1, 2 or 2.5, layer III.
func mp3(head []byte) (size int, lasts time.Duration, ok bool) {
	version, layer := head[1]>>3&3, head[1]>>1&3
	if head[1]&0xe0 != 0xe0 || version == 1 || layer != 1 {
		return 0, 0, false
	}
	rate, bits, samples := mp3Rates[head[2]>>2&3], mp3Bits[head[2]>>4], 1152
	if version != 3 {
		rate, bits, samples = rate/2, mp3OtherBits[head[2]>>4], 576
	}
	if version == 0 {
		rate /= 2
	}
	if rate == 0 || bits == 0 {
		return 0, 0, false
	}
	return samples/8*bits*1000/rate + int(head[2]>>1&1), times(uint64(samples), uint64(rate)), true
}
