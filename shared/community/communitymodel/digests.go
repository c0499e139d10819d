package communitymodel

import (
	"time"
	_ "time/tzdata" // a function has no time zones of its own

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// DigestBy is how somebody gets the daily digest.
type DigestBy string

// The ways of the digest.
const (
	DigestNone     DigestBy = "none"
	DigestEmail    DigestBy = "email"
	DigestWhatsApp DigestBy = "whatsapp"
)

// UsualDigestAt is the hour at which digests are due where the settings name none: in UTC, it is late in the morning in
// India, and early in Europe.
const UsualDigestAt = 6

// DigestHour returns the hour at which the daily digests of a tenant are due.
func (s Settings) DigestHour() int {
	if s.DigestAt == nil {
		return UsualDigestAt
	}
	return int(*s.DigestAt)
}

// Zone returns the time zone of a tenant. It is UTC for a zone that this machine does not know.
func (s Settings) Zone() *time.Location {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Digest is what a person has chosen about the daily digest. Who gets none has no such item. It is beside the person's
// notifications, and not in the person: a digest that goes out changes no version that they have read.
type Digest struct {
	PK       string         `dynamodbav:"pk"`
	SK       string         `dynamodbav:"sk"`
	UserID   model.Name     `dynamodbav:"UserId"`
	TenantID model.TenantID `dynamodbav:"TenantId"`
	By       DigestBy       `dynamodbav:"DigestBy"`
	// DueAt is when the next one is due. The item of it is in the list of who gets one under the same instant.
	DueAt model.Time `dynamodbav:"DueAt"`
	// ToldUntil is the instant of the newest notification that a digest has counted, or when they have chosen to get
	// one.
	ToldUntil model.Time `dynamodbav:"ToldUntil"`
}

// DigestDue is the item by which a person is found whose digest is due.
type DigestDue struct {
	PK     string     `dynamodbav:"pk"`
	SK     string     `dynamodbav:"sk"`
	UserID model.Name `dynamodbav:"UserId"`
}

// NewDigest returns a person's digest.
func NewDigest(user User, by DigestBy, due, told model.Time) Digest {
	key := keys.Digest(user.ID)
	return Digest{
		PK: key.Partition, SK: key.Sort, UserID: user.ID, TenantID: user.TenantID, By: by, DueAt: due, ToldUntil: told,
	}
}

// NewDigestDue returns the item by which a person is found whose digest is due at an instant.
func NewDigestDue(user model.Name, at model.Time) DigestDue {
	key := keys.DigestDue(user, at)
	return DigestDue{PK: key.Partition, SK: key.Sort, UserID: user}
}
