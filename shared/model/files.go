package model

import "time"

// Media describes a media object, MEDIA#{mediaId}.
type Media struct {
	PK            string  `dynamodbav:"pk"`
	ItemType      string  `dynamodbav:"itemType"`
	MediaID       MediaID `dynamodbav:"mediaId"`
	S3Bucket      string  `dynamodbav:"s3Bucket,omitempty"`
	S3Key         string  `dynamodbav:"s3Key,omitempty"`
	ContentType   string  `dynamodbav:"contentType,omitempty"`
	ContentLength int64   `dynamodbav:"contentLength,omitempty"`
	UploadedAt    Time    `dynamodbav:"uploadedAt,omitempty"`
	ExpiresAt     Time    `dynamodbav:"expiresAt,omitempty"`
	WABAMetaID    WABAID  `dynamodbav:"wabaMetaId,omitempty"`

	// Additions.
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId,omitempty"`
	SHA256        string        `dynamodbav:"sha256,omitempty"`
	Filename      string        `dynamodbav:"filename,omitempty"`
	DetectedType  string        `dynamodbav:"detectedType,omitempty"` // what the stored file is, by its content
	FetchFailure  string        `dynamodbav:"fetchFailure,omitempty"` // why the last attempt to fetch it failed
	// since when it is not fetched any more, because Meta has forgotten it
	ForgottenAt Time  `dynamodbav:"forgottenAt,omitempty"`
	TTL         int64 `dynamodbav:"ttl,omitempty"`
	ErasedAt    Time  `dynamodbav:"erasedAt,omitempty"`
	// the person who has uploaded it; "" for a file that a customer has sent
	UploadedBy    string `dynamodbav:"uploadedBy,omitempty"`
	UploadFailure string `dynamodbav:"uploadFailure,omitempty"` // why the last attempt to hand it to Meta failed
	Look          *Look  `dynamodbav:"look,omitempty"`          // nil for a file of which nothing is known
	// Uploads says, by number, under which id Meta holds the file for it.
	Uploads map[PhoneNumberID]Upload `dynamodbav:"uploads,omitempty"`
}

// Look is what is known of a stored file by its content, so that it can be shown before it is loaded. A message has it
// as the record of its file does.
type Look struct {
	Width  int   `dynamodbav:"width,omitempty"` // of a picture or a video, as it is shown
	Height int   `dynamodbav:"height,omitempty"`
	Millis int64 `dynamodbav:"milliseconds,omitempty"` // how long sound or a video lasts
	// Thumbnail is the type of the small picture that is stored beside the file; "" for none.
	Thumbnail string `dynamodbav:"thumbnail,omitempty"`
}

// Upload is a file that Meta holds for a number.
type Upload struct {
	ID        string `dynamodbav:"id"` // Meta's
	At        Time   `dynamodbav:"at"`
	ExpiresAt Time   `dynamodbav:"expiresAt"` // when Meta forgets it
}

// uploadSpare is how long before its end an upload is used no more: a message may wait for a day before Meta reads the
// file.
const uploadSpare = 24 * time.Hour

// Usable reports whether a message that is accepted now may name the upload.
func (u Upload) Usable(now time.Time) bool { return u.ExpiresAt > At(now.Add(uploadSpare)) }

// MediaTypes says which files may be uploaded, CONFIG#MEDIA_TYPES.
type MediaTypes struct {
	PK             string           `dynamodbav:"pk"`
	ItemType       string           `dynamodbav:"itemType"`
	SupportedTypes map[string]int64 `dynamodbav:"supportedTypes"` // the largest size in bytes, by MIME type
	UpdatedAt      Time             `dynamodbav:"updatedAt,omitempty"`
}
