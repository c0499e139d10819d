package pdf

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

//go:embed fonts/NotoSansDevanagari-Regular.ttf
var regularFile []byte

//go:embed fonts/NotoSansDevanagari-Bold.ttf
var boldFile []byte

// The fonts, which are read when the first text is shaped.
var (
	regular = sync.OnceValues(func() (*typeface, error) { return read("NotoSansDevanagari-Regular", regularFile) })
	bold    = sync.OnceValues(func() (*typeface, error) { return read("NotoSansDevanagari-Bold", boldFile) })
)

// typeface is a font file.
type typeface struct {
	name   string
	font   *font.Font
	tables map[string][]byte // those that a PDF file needs
}

// kept are the tables of a font that a PDF file needs, in their order. The others say which glyph stands for what,
// which is decided here.
var kept = []string{"glyf", "head", "hhea", "hmtx", "loca", "maxp"}

func read(name string, file []byte) (*typeface, error) {
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("pdf: font: %w", err)
	}
	loader, err := opentype.NewLoader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("pdf: font: %w", err)
	}
	t := &typeface{name: name, font: face.Font, tables: map[string][]byte{}}
	for _, tag := range kept {
		if t.tables[tag], err = loader.RawTable(opentype.MustNewTag(tag)); err != nil {
			return nil, fmt.Errorf("pdf: font: %w", err)
		}
	}
	return t, nil
}

// outline returns the bytes that draw a glyph, from the font's table of glyphs.
func (t *typeface) outline(gid font.GID) []byte {
	const longOffsets = 51 // where the table head says how offsets are written
	loca, at := t.tables["loca"], int(gid)
	if t.tables["head"][longOffsets] == 0 {
		if 2*at+4 > len(loca) {
			return nil
		}
		return t.tables["glyf"][2*int(binary.BigEndian.Uint16(loca[2*at:])) : 2*int(
			binary.BigEndian.Uint16(loca[2*at+2:]))]
	}
	if 4*at+8 > len(loca) {
		return nil
	}
	return t.tables["glyf"][binary.BigEndian.Uint32(loca[4*at:]):binary.BigEndian.Uint32(loca[4*at+4:])]
}

// parts returns the glyphs of which a glyph is composed; none for one that has an outline of its own.
func parts(outline []byte) (all []font.GID) {
	const (
		header, wide, scaled, more, scaledTwice, transformed = 10, 1, 8, 32, 64, 128
	)
	if len(outline) < header || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil
	}
	for at := header; at+4 <= len(outline); {
		flags := binary.BigEndian.Uint16(outline[at:])
		all = append(all, font.GID(binary.BigEndian.Uint16(outline[at+2:])))
		at += 6
		if flags&wide != 0 {
			at += 2
		}
		switch {
		case flags&scaled != 0:
			at += 2
		case flags&scaledTwice != 0:
			at += 4
		case flags&transformed != 0:
			at += 8
		}
		if flags&more == 0 {
			break
		}
	}
	return all
}

// subset returns the font with the outlines of some glyphs only. Every glyph keeps its number.
func (t *typeface) subset(used map[font.GID]glyph) []byte {
	all := map[font.GID]bool{0: true}
	var add func(gid font.GID)
	add = func(gid font.GID) {
		if !all[gid] {
			all[gid] = true
			for _, part := range parts(t.outline(gid)) {
				add(part)
			}
		}
	}
	for gid := range used {
		add(gid)
	}
	const countAt, longOffsets = 4, 51
	var glyphs bytes.Buffer
	var offsets []byte
	for gid := range int(binary.BigEndian.Uint16(t.tables["maxp"][countAt:])) {
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(glyphs.Len()))
		if all[font.GID(gid)] {
			glyphs.Write(t.outline(font.GID(gid)))
			glyphs.Write(make([]byte, -glyphs.Len()&3))
		}
	}
	head := bytes.Clone(t.tables["head"])
	head[longOffsets] = 1
	changed := map[string][]byte{
		"glyf": glyphs.Bytes(), "head": head, "loca": binary.BigEndian.AppendUint32(offsets, uint32(glyphs.Len()))}
	var written []opentype.Table
	for _, tag := range kept {
		content := changed[tag]
		if content == nil {
			content = t.tables[tag]
		}
		written = append(written, opentype.Table{Tag: opentype.MustNewTag(tag), Content: content})
	}
	return opentype.WriteTTF(written)
}
