package groups

import "encoding/binary"

// sizeOfJPEG returns the width and the height in pixels that a JPEG says it has; zeros if it is none. The library's
// decoder registers itself wherever it is linked, which makes every function larger.
func sizeOfJPEG(file []byte) (width, height int) {
	if len(file) < 2 || file[0] != 0xFF || file[1] != 0xD8 {
		return 0, 0
	}
	for rest := file[2:]; len(rest) >= 4 && rest[0] == 0xFF; {
		marker := rest[1]
		if marker == 0xFF { // a fill byte
			rest = rest[1:]
			continue
		}
		if marker == 0x01 || marker >= 0xD0 && marker <= 0xD8 { // a marker without a segment
			rest = rest[2:]
			continue
		}
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if length < 2 || len(rest) < 2+length {
			return 0, 0
		}
		if beginsFrame(marker) {
			if length < 8 {
				return 0, 0
			}
			return int(binary.BigEndian.Uint16(rest[7:])), int(binary.BigEndian.Uint16(rest[5:]))
		}
		rest = rest[2+length:]
	}
	return 0, 0
}

// beginsFrame reports whether a marker begins a frame. Three of the range are of tables and of extensions.
func beginsFrame(marker byte) bool {
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
}
