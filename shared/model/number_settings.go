package model

import "encoding/json"

// The item types of what Meta keeps of a number.
const (
	ItemNumberSetting = "NUMBER_SETTING"
	ItemProfile       = "BUSINESS_PROFILE"
)

// The states of a setting.
const (
	SettingLocal   = "local_only"   // Meta does not have it as it is wanted here, and is not being asked
	SettingPending = "pending_sync" // Meta is being asked
	SettingSynced  = "synced"       // Meta has it as it is wanted here
)

// NumberSetting is something that Meta keeps of a number, SETTING#{phoneNumberId}#{kind}, an addition. Of a kind of
// which a number has several, such as QR codes, each one is SETTING#{phoneNumberId}#{kind}#{name}.
type NumberSetting struct {
	Rest
	PK            string        `dynamodbav:"pk"`
	ItemType      string        `dynamodbav:"itemType"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	Kind          Name          `dynamodbav:"kind"`
	Name          Name          `dynamodbav:"name,omitempty"`       // which of several
	CustomerID    CustomerID    `dynamodbav:"customerId,omitempty"` // of a person who is blocked
	FromPK        string        `dynamodbav:"fromPk,omitempty"`     // of several: lists them in gsi_from
	ReceivedAt    Time          `dynamodbav:"receivedAt,omitempty"` // when it was first known
	Wanted        Document      `dynamodbav:"wanted,omitempty"`     // what the business wants; absent if nothing is
	SettingState
}

// SettingState says how far Meta has what is wanted.
type SettingState struct {
	SyncStatus string        `dynamodbav:"syncStatus,omitempty"`
	Meta       Document      `dynamodbav:"meta,omitempty"`   // what Meta had at readAt
	ReadAt     Time          `dynamodbav:"readAt,omitempty"` // when Meta last said it
	Asked      *SettingAsked `dynamodbav:"asked,omitempty"`  // what Meta was asked last, and the answer
	Version    int64         `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (s *SettingState) Lock() *int64 { return &s.Version }

// State returns the state, to read it and to set it.
func (s *SettingState) State() *SettingState { return s }

// SettingAsked is what Meta was asked about a setting, and the answer.
type SettingAsked struct {
	Wish       string   `dynamodbav:"wish"`
	At         Time     `dynamodbav:"at"`
	By         string   `dynamodbav:"by,omitempty"`         // who has asked for it
	Value      Document `dynamodbav:"value,omitempty"`      // what it takes beside what is wanted
	Secret     string   `dynamodbav:"secret,omitempty"`     // a PIN or a code, sealed; it goes with the answer
	PostedAt   Time     `dynamodbav:"postedAt,omitempty"`   // when Meta was asked, if it is asked once
	AnsweredAt Time     `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string   `dynamodbav:"problem,omitempty"`    // what stood in the way
}

// Want returns what is wanted; nil for nothing.
func (s *NumberSetting) Want() Document { return s.Wanted }

// SetWant sets what is wanted.
func (s *NumberSetting) SetWant(wanted Document) error {
	s.Wanted = wanted
	return nil
}

// Profile is the business profile of a number, PROFILE#{phoneNumberId}. Its facts are what is wanted here.
type Profile struct {
	Rest
	PK           string `dynamodbav:"pk"`
	ItemType     string `dynamodbav:"itemType"`
	WABAMetaID   WABAID `dynamodbav:"wabaMetaId,omitempty"`
	BusinessName string `dynamodbav:"businessName,omitempty"` // the name that customers see
	ProfileFacts
	UpdatedAt Time `dynamodbav:"updatedAt,omitempty"` // "" if nothing is wanted here

	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"` // addition
	SettingState                // addition
}

// ProfileFacts are what a business wants customers to read in its profile.
type ProfileFacts struct {
	About       string   `dynamodbav:"about,omitempty" json:"about"`
	Address     string   `dynamodbav:"address,omitempty" json:"address"`
	Description string   `dynamodbav:"description,omitempty" json:"description"`
	Email       string   `dynamodbav:"email,omitempty" json:"email"`
	Websites    []string `dynamodbav:"websites,omitempty" json:"websites"`
	Vertical    string   `dynamodbav:"vertical,omitempty" json:"vertical"`
	Photo       MediaID  `dynamodbav:"photo,omitempty" json:"photo,omitempty"` // addition
}

// Want returns what is wanted; nil for nothing.
func (p *Profile) Want() Document {
	if p.UpdatedAt == "" {
		return nil
	}
	facts := p.ProfileFacts
	if facts.Websites == nil {
		facts.Websites = []string{}
	}
	text, _ := json.Marshal(facts) // texts can always be encoded
	return text
}

// SetWant sets what is wanted.
func (p *Profile) SetWant(wanted Document) error {
	p.ProfileFacts = ProfileFacts{}
	return json.Unmarshal(wanted, &p.ProfileFacts)
}
