package content

import (
	"strings"
)

// Text is a text message.
type Text struct {
	Body       string `json:"body" minLength:"1" maxLength:"4096" doc:"The text."`
	PreviewURL bool   `json:"previewUrl,omitempty" doc:"Show a preview of the first link."`
}

func (c Text) graph() any { return plain(c) }

// Image is a picture: JPEG or PNG, up to 5 MB.
type Image struct {
	File
	Caption string `json:"caption,omitempty" maxLength:"1024" doc:"The text below it."`
}

func (c Image) graph() any { return plain(c) }

// Video is a video: MP4 or 3GP, up to 16 MB.
type Video struct {
	File
	Caption string `json:"caption,omitempty" maxLength:"1024" doc:"The text below it."`
}

func (c Video) graph() any { return plain(c) }

// Audio is a sound file, up to 16 MB.
type Audio struct{ File }

func (c Audio) graph() any { return plain(c) }

// Voice is a voice message: an OGG file with the codec Opus.
type Voice struct{ File }

func (c Voice) graph() any { return with(plain(c), "voice", true) }

// Document is a file of any kind, up to 100 MB.
type Document struct {
	File
	Caption  string `json:"caption,omitempty" maxLength:"1024" doc:"The text below it."`
	Filename string `json:"filename,omitempty" maxLength:"240" doc:"The name under which the customer sees it."`
}

func (c Document) graph() any { return plain(c) }

// Sticker is a sticker: WebP, up to 500 KB.
type Sticker struct{ File }

func (c Sticker) graph() any { return plain(c) }

// Place is a place on the map.
type Place struct {
	Latitude  float64 `json:"latitude" minimum:"-90" maximum:"90" doc:"In degrees."`
	Longitude float64 `json:"longitude" minimum:"-180" maximum:"180" doc:"In degrees."`
	Name      string  `json:"name,omitempty" maxLength:"1000" doc:"What is there."`
	Address   string  `json:"address,omitempty" maxLength:"1000" doc:"Its address, which is shown with a name only."`
}

// Location is a message with a place.
type Location struct{ Place }

func (c Location) graph() any { return plain(c) }

// Reaction reacts to a message. An empty emoji takes the reaction back.
type Reaction struct {
	MessageID string `json:"messageId" minLength:"1" maxLength:"512" doc:"The id of the message to react to."`
	Emoji     string `json:"emoji" maxLength:"16" doc:"The emoji; an empty one takes the reaction back."`
}

// Names returns the id of the message.
func (c Reaction) Names() string { return c.MessageID }

func (c Reaction) graph() any { return plain(c) }

func (c Reaction) rules() (found Faults) {
	found.unless(
		!strings.ContainsFunc(c.Emoji,
			func(r rune) bool { return r < 0x80 && (r < '0' || r > '9') && r != '#' && r != '*' }), "emoji",
		"must be one emoji")
	return found
}

// Pin pins a message in a group.
type Pin struct {
	MessageID      string `json:"messageId" minLength:"1" maxLength:"512" doc:"The id of the message to pin."`
	ExpirationDays int    `json:"expirationDays" minimum:"1" maximum:"30" doc:"For how many days it stays pinned."`
}

// Names returns the id of the message.
func (c Pin) Names() string { return c.MessageID }

func (c Pin) graph() any { return with(plain(c), "type", "pin") }

// Unpin unpins a message in a group.
type Unpin struct {
	MessageID string `json:"messageId" minLength:"1" maxLength:"512" doc:"The id of the message to unpin."`
}

// Names returns the id of the message.
func (c Unpin) Names() string { return c.MessageID }

func (c Unpin) graph() any { return with(plain(c), "type", "unpin") }
