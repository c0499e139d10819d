package content

import (
	"encoding/json"
	"reflect"

	"github.com/haatline/haatline/shared/whatsapp"
)

// File is a media file: one that haatline has, one that was uploaded to Meta otherwise, or one that Meta fetches.
type File struct {
	MediaID string `json:"mediaId,omitempty" graph:"haatline_media_id" maxLength:"512" doc:"The id of a file that was uploaded with upload-media."`
	MetaID  string `json:"metaId,omitempty" graph:"id" maxLength:"512" doc:"Meta's id of a file that was uploaded to Meta without haatline."`
	Link    string `json:"link,omitempty" maxLength:"2000" format:"uri" doc:"Where Meta fetches the file."`
}

// ownMediaID is the member that names a file of haatline's until Meta's id of it is known. It never leaves haatline.
const ownMediaID = "haatline_media_id"

func (f File) rules() (found Faults) {
	given := 0
	for _, one := range []string{f.MediaID, f.MetaID, f.Link} {
		if one != "" {
			given++
		}
	}
	found.unless(given == 1, "mediaId", "one of mediaId, metaId and link is required")
	found.unless(f.Link == "" || isWebAddress(f.Link), "link",
		"must be an address that begins with https:// or http://")
	return found
}

// NamedFile is a file of haatline's that a content names.
type NamedFile struct {
	Field string // the path of the field that names it
	ID    string
}

// Files returns the files of haatline's that a content names. A message that was composed before names Meta's.
func Files(c Content) []NamedFile {
	var named []NamedFile
	if _, composed := c.(Message); composed || c == nil {
		return nil
	}
	walk(reflect.Indirect(reflect.ValueOf(c)), "", func(value reflect.Value, path string, _ reflect.StructTag) {
		var id string
		switch part := value.Interface().(type) {
		case File:
			id = part.MediaID
		case Header:
			id = part.MediaID
		case TemplateHeader:
			id = part.MediaID
		}
		if id != "" {
			named = append(named, NamedFile{join(path, "mediaId"), id})
		}
	})
	return named
}

// WithFiles returns a message with Meta's ids in place of those of haatline's files.
func (m Message) WithFiles(metaIDs map[string]string) Message {
	if len(metaIDs) > 0 {
		m.Content = withFiles(m.Content, metaIDs)
	}
	return m
}

// BodyWithFiles returns the body of a message with Meta's ids in place of those of haatline's files.
func BodyWithFiles(body json.RawMessage, metaIDs map[string]string) json.RawMessage {
	return withFiles(body, metaIDs)
}

func withFiles(part json.RawMessage, metaIDs map[string]string) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(part, &list) == nil && list != nil {
		for i := range list {
			list[i] = withFiles(list[i], metaIDs)
		}
		part, _ = encode(list) // what was read from JSON can be written as JSON
		return part
	}
	o := whatsapp.ObjectOf(part)
	if o == nil {
		return part
	}
	if id, is := metaIDs[o.Text(ownMediaID)]; is {
		delete(o, ownMediaID)
		o["id"], _ = json.Marshal(id)
	}
	for name, member := range o {
		o[name] = withFiles(member, metaIDs)
	}
	part, _ = encode(o)
	return part
}
