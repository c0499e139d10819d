// Package communitymodel owns the entities of the community contract, with every attribute under its contract name and
// type. It does no I/O.
package communitymodel

import (
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// UserRole is the contract's role of a person. A moderator of a tenant moderates all its communities.
type UserRole string

// The roles of people.
const (
	RoleUser      UserRole = "user"
	RoleModerator UserRole = "moderator"
)

// User is a person of a tenant's communities. PasswordHash never leaves the domain.
type User struct {
	model.Rest
	PK            string     `dynamodbav:"pk"`
	ID            model.Name `dynamodbav:"Id"`
	Username      string     `dynamodbav:"Username,omitempty"`
	Name          string     `dynamodbav:"Name,omitempty"`
	PasswordHash  string     `dynamodbav:"PasswordHash,omitempty"`
	Email         string     `dynamodbav:"Email,omitempty"`
	Bio           string     `dynamodbav:"Bio,omitempty"`
	Location      string     `dynamodbav:"Location,omitempty"`
	CreatedAt     model.Time `dynamodbav:"CreatedAt"`
	LastSeenAt    model.Time `dynamodbav:"LastSeenAt,omitempty"`
	AvatarURL     string     `dynamodbav:"AvatarURL,omitempty"`
	CoverPhotoURL string     `dynamodbav:"CoverPhotoURL,omitempty"`
	Role          UserRole   `dynamodbav:"Role"`

	// Additions.
	TenantID model.TenantID `dynamodbav:"TenantId"`
	// PhoneE164 is the number that the person has proved to have. Who signs up with it may have no address of email.
	PhoneE164 string `dynamodbav:"PhoneE164,omitempty"`
	// PhoneSince is when they have proved it.
	PhoneSince model.Time `dynamodbav:"PhoneSince,omitempty"`
	// Epoch counts how often all sessions were ended. A session of an earlier epoch has ended.
	Epoch      int64      `dynamodbav:"Epoch,omitempty"`
	DisabledAt model.Time `dynamodbav:"DisabledAt,omitempty"`
	ErasedAt   model.Time `dynamodbav:"ErasedAt,omitempty"`
	// HidesPresence says that nobody is told whether they are there, and when they were there last.
	HidesPresence bool `dynamodbav:"HidesPresence,omitempty"`
	Pictures
	// DraftsUntil is until when something that they have written may wait to be posted: all before that is asked for,
	// and nothing after it.
	DraftsUntil model.Time `dynamodbav:"DraftsUntil,omitempty"`
	Version     int64      `dynamodbav:"Version"`
}

// Lock returns the version.
func (u *User) Lock() *int64 { return &u.Version }

// SetKey sets the key.
func (u *User) SetKey() { u.PK = keys.CommunityUser(u.ID).Partition }

// Active reports whether a person may do anything.
func (u User) Active() bool { return u.ID != "" && u.DisabledAt == "" && u.ErasedAt == "" }

// ShownSeenAt returns when others see that a person was there last; "" for somebody who does not show it.
func (u User) ShownSeenAt() model.Time {
	if u.HidesPresence {
		return ""
	}
	return u.LastSeenAt
}

// Claim is the item by which a username, an address or a phone number is one person's.
type Claim struct {
	PK     string     `dynamodbav:"pk"`
	UserID model.Name `dynamodbav:"UserId"`
}

// Session is a sign-in of a person. The secret of its refresh token is stored as a hash.
type Session struct {
	PK       string         `dynamodbav:"pk"`
	ID       model.Name     `dynamodbav:"Id"`
	UserID   model.Name     `dynamodbav:"UserId"`
	TenantID model.TenantID `dynamodbav:"TenantId"`
	Epoch    int64          `dynamodbav:"Epoch,omitempty"` // of the person, when they signed in
	Hash     string         `dynamodbav:"Hash"`
	// FormerHash is that of the refresh token before, which a client repeats if it did not get the answer.
	FormerHash string `dynamodbav:"FormerHash,omitempty"`
	// Nonce is what the refresh token was made with from the one before.
	Nonce     []byte     `dynamodbav:"Nonce,omitempty"`
	RotatedAt model.Time `dynamodbav:"RotatedAt,omitempty"`
	CreatedAt model.Time `dynamodbav:"CreatedAt"`
	ExpiresAt int64      `dynamodbav:"ExpiresAt"` // epoch seconds
}

// CodeLife is for how long a code is good.
const CodeLife = 10 * time.Minute

// Code is a code that was sent to an address of email or to a phone number. It is stored as a hash, and leads to
// nothing after five tries.
type Code struct {
	PK        string     `dynamodbav:"pk"`
	Hash      string     `dynamodbav:"Hash"`
	Salt      string     `dynamodbav:"Salt"`
	Tries     int64      `dynamodbav:"Tries"`
	SentAt    model.Time `dynamodbav:"SentAt"`
	ExpiresAt int64      `dynamodbav:"ExpiresAt"` // epoch seconds
	Address   string     `dynamodbav:"Address"`
	// UserID is whose password is reset, or who wants the number; "" for an address that nobody has, so that both look
	// alike.
	UserID model.Name `dynamodbav:"UserId,omitempty"`
	// The rest is what somebody has signed up with.
	Username     string `dynamodbav:"Username,omitempty"`
	Name         string `dynamodbav:"Name,omitempty"`
	PasswordHash string `dynamodbav:"PasswordHash,omitempty"`
}

// Settings are a tenant's settings for its communities. Without them the tenant has none.
type Settings struct {
	model.Rest
	PK       string         `dynamodbav:"pk"`
	TenantID model.TenantID `dynamodbav:"TenantId"`
	// Open says that everybody may sign up.
	Open bool `dynamodbav:"Open"`
	// From is the address that codes are sent from, an address of one of the tenant's companies.
	From     string `dynamodbav:"From"`
	FromName string `dynamodbav:"FromName,omitempty"`
	Language string `dynamodbav:"Language"`
	// WhatsAppNumber is the tenant's number that codes are sent from over WhatsApp; "" if they go by email alone.
	WhatsAppNumber model.PhoneNumberID `dynamodbav:"WhatsAppNumber,omitempty"`
	// Words are hidden in what people write, in any spelling of capital letters.
	Words []string `dynamodbav:"Words,omitempty"`
	// TimeZone is the IANA name of the zone in which DigestAt is; "" for UTC.
	TimeZone string `dynamodbav:"TimeZone,omitempty"`
	// DigestAt is the hour at which the daily digests are due; nil for UsualDigestAt.
	DigestAt  *int64     `dynamodbav:"DigestAt,omitempty"`
	UpdatedAt model.Time `dynamodbav:"UpdatedAt"`
	Version   int64      `dynamodbav:"Version"`
}

// Lock returns the version.
func (s *Settings) Lock() *int64 { return &s.Version }

// Place is where a community is.
type Place struct {
	Country string `dynamodbav:"Country" json:"country"`
	State   string `dynamodbav:"State,omitempty" json:"state,omitempty"`
	City    string `dynamodbav:"City,omitempty" json:"city,omitempty"`
}

// Community is a community of a tenant's people.
type Community struct {
	model.Rest
	PK            string     `dynamodbav:"pk"`
	SK            string     `dynamodbav:"sk"`
	ID            model.Name `dynamodbav:"Id"`
	Name          string     `dynamodbav:"Name"`
	Description   string     `dynamodbav:"Description,omitempty"`
	Topic         string     `dynamodbav:"Topic,omitempty"`
	AvatarURL     string     `dynamodbav:"AvatarURL,omitempty"`
	CoverPhotoURL string     `dynamodbav:"CoverPhotoURL,omitempty"`
	Location      Place      `dynamodbav:"Location"`
	CreatedAt     model.Time `dynamodbav:"CreatedAt"`
	Founder       model.Name `dynamodbav:"Founder"`
	LocationPK    string     `dynamodbav:"locationPk,omitempty"`
	LocationSK    string     `dynamodbav:"locationSk,omitempty"`

	// Additions.
	TenantID model.TenantID `dynamodbav:"TenantId"`
	Private  bool           `dynamodbav:"Private,omitempty"` // only who is invited may join
	// Moderators are the members who moderate beside the founder.
	Moderators []model.Name `dynamodbav:"Moderators,omitempty"`
	// DeletedAt is when the community was closed. What is kept of it goes a moment later.
	DeletedAt model.Time `dynamodbav:"DeletedAt,omitempty"`
	Pictures
	// BridgedChat is the group chat that is mirrored to a WhatsApp group; "" for none.
	BridgedChat model.Name `dynamodbav:"BridgedChat,omitempty"`
	Version     int64      `dynamodbav:"Version"`
}

// Lock returns the version.
func (c *Community) Lock() *int64 { return &c.Version }

// SetKeys sets the keys of the item and of the index of locations.
func (c *Community) SetKeys() {
	key := keys.Community(c.ID)
	c.PK, c.SK = key.Partition, key.Sort
	if c.DeletedAt != "" {
		c.LocationPK, c.LocationSK = "", ""
		return
	}
	c.LocationPK = keys.CommunityCountry(model.Name(c.Location.Country))
	c.LocationSK = keys.CommunityCity(model.Name(c.Location.State), model.Name(c.Location.City))
}

// MemberRole is what a member of a community may do.
type MemberRole string

// The roles of members.
const (
	Founder   MemberRole = "founder"
	Moderator MemberRole = "moderator"
	Member    MemberRole = "member"
)

// MemberState is whether somebody is a member. Who has left, or was banned, keeps their item, so that an erasure finds
// what they wrote.
type MemberState string

// The states of members.
const (
	Joined  MemberState = "joined"
	Left    MemberState = "left"
	Banned  MemberState = "banned"
	Removed MemberState = "removed" // from a chat
	Asking  MemberState = "asking"  // of a private group chat: a request waits
)

// Membership is somebody's membership of a community.
type Membership struct {
	PK          string      `dynamodbav:"pk"`
	SK          string      `dynamodbav:"sk"`
	MemberPK    string      `dynamodbav:"memberPk"`
	UserID      model.Name  `dynamodbav:"UserId"`
	CommunityID model.Name  `dynamodbav:"CommunityId"`
	Role        MemberRole  `dynamodbav:"Role"`
	State       MemberState `dynamodbav:"State"`
	JoinedAt    model.Time  `dynamodbav:"JoinedAt,omitempty"`
	LeftAt      model.Time  `dynamodbav:"LeftAt,omitempty"`
	BannedUntil model.Time  `dynamodbav:"BannedUntil,omitempty"` // "" for ever
	Reason      string      `dynamodbav:"Reason,omitempty"`
}

// NewMembership returns the membership of somebody in a community.
func NewMembership(community, user model.Name) Membership {
	key := keys.CommunityMember(community, user)
	return Membership{
		PK: key.Partition, SK: key.Sort, MemberPK: keys.CommunityUser(user).Partition, UserID: user,
		CommunityID: community, Role: Member,
	}
}

// May reports whether somebody is a member now.
func (m Membership) May() bool { return m.State == Joined }

// Moderates reports whether somebody may moderate.
func (m Membership) Moderates() bool {
	return m.May() && (m.Role == Founder || m.Role == Moderator)
}

// Link says that a group chat belongs to a community.
type Link struct {
	PK          string     `dynamodbav:"pk"`
	SK          string     `dynamodbav:"sk"`
	GroupChatPK string     `dynamodbav:"groupChatPk"`
	ChatID      model.Name `dynamodbav:"ChatId"`
	CommunityID model.Name `dynamodbav:"CommunityId"`
}

// Listed is the item by which a tenant's communities are listed by name.
type Listed struct {
	PK          string     `dynamodbav:"pk"`
	SK          string     `dynamodbav:"sk"`
	CommunityID model.Name `dynamodbav:"CommunityId"`
}

// Invite lets somebody who knows its secret join a community.
type Invite struct {
	PK          string     `dynamodbav:"pk"`
	SK          string     `dynamodbav:"sk"`
	Hash        model.Name `dynamodbav:"Hash"` // of the secret: its id
	CommunityID model.Name `dynamodbav:"CommunityId"`
	CreatedBy   model.Name `dynamodbav:"CreatedBy"`
	CreatedAt   model.Time `dynamodbav:"CreatedAt"`
	Left        int64      `dynamodbav:"UsesLeft"`
	ExpiresAt   int64      `dynamodbav:"ExpiresAt"` // epoch seconds
}
