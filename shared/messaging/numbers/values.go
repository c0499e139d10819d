package numbers

import "github.com/haatline/haatline/shared/model"

// Profile is what customers read of a business in WhatsApp.
type Profile struct {
	About       string   `json:"about" maxLength:"1000" example:"Open from 9 to 21" doc:"The line under the name: 1 to 139 characters."`
	Address     string   `json:"address" maxLength:"1000" required:"false" doc:"The address: up to 256 characters."`
	Description string   `json:"description" maxLength:"2000" required:"false" doc:"What the business does: up to 512 characters."`
	Email       string   `json:"email" maxLength:"500" required:"false" example:"shop@example.com" doc:"An email address of up to 128 characters."`
	Websites    []string `json:"websites" maxItems:"20" nullable:"false" required:"false" doc:"Up to two addresses of websites, with https:// or http:// and up to 256 characters each."`
	Vertical    string   `json:"vertical" maxLength:"40" required:"false" example:"GROCERY" doc:"What kind of business it is, in Meta's words."`
	Photo       string   `json:"photo,omitempty" maxLength:"512" doc:"The mediaId of a JPEG or PNG of up to 5 MB that you have uploaded. Leave it out to keep the photo."`
}

// Components are what customers see when they open the chat with a number.
type Components struct {
	Welcome  bool      `json:"enableWelcomeMessage" doc:"Whether Meta tells when somebody opens the chat for the first time, so that they can be greeted."`
	Prompts  []string  `json:"prompts" maxItems:"50" nullable:"false" required:"false" doc:"The ice breakers: up to four texts of up to 80 characters, without emoji, that customers can tap."`
	Commands []Command `json:"commands" maxItems:"100" nullable:"false" required:"false" doc:"Up to 30 commands that customers see when they type a slash."`
}

// Command is what customers can send by typing a slash.
type Command struct {
	Name        string `json:"commandName" maxLength:"200" example:"catalogue" doc:"Its name without the slash: up to 32 characters, without emoji."`
	Description string `json:"commandDescription" maxLength:"1000" example:"See what we sell" doc:"What it is for: up to 256 characters, without emoji."`
}

// Calling says how customers call a number.
type Calling struct {
	Status         string     `json:"status" maxLength:"40" example:"ENABLED" doc:"Whether they can call it: ENABLED or DISABLED."`
	IconVisibility string     `json:"callIconVisibility,omitempty" maxLength:"40" example:"DEFAULT" doc:"Whether they see that they can: DEFAULT or DISABLE_ALL."`
	Callback       string     `json:"callbackPermissionStatus,omitempty" maxLength:"40" example:"ENABLED" doc:"Whether a customer who calls is asked if the business may call back: ENABLED or DISABLED."`
	Icons          *CallIcons `json:"callIcons,omitempty" doc:"Where customers see that they can call."`
	Hours          *CallHours `json:"callHours,omitempty" doc:"When they can call. Leave it out for always."`
	SIP            *SIP       `json:"sip,omitempty" doc:"Which telephone system takes the calls. While it does, Meta tells haatline of no call."`
}

// SIP says which telephone system takes the calls of a number.
type SIP struct {
	Status  string      `json:"status" maxLength:"40" example:"ENABLED" doc:"Whether it takes them: ENABLED or DISABLED."`
	Servers []SIPServer `json:"servers,omitempty" maxItems:"10" nullable:"false" doc:"The servers of the system."`
}

// SIPServer is a server of a telephone system.
type SIPServer struct {
	Host string `json:"hostname" maxLength:"300" example:"sip.shop.example" doc:"Its name. Meta connects by TLS, and its certificate has to be for this name."`
	Port int64  `json:"port" example:"5061" doc:"Its port: 1 to 65535."`

	UserParams map[string]string `json:"requestUriUserParams,omitempty" doc:"What Meta puts behind the number in the request URI of a call, such as the trunk group of the system: up to 10 names with their values."`
}

// CallIcons say in which countries customers see that they can call.
type CallIcons struct {
	Countries []string `json:"restrictToUserCountries" maxItems:"250" nullable:"false" doc:"Only in these countries, by two letters; empty for all."`
}

// CallHours say when customers can call.
type CallHours struct {
	Status   string      `json:"status" maxLength:"40" example:"ENABLED" doc:"Whether the hours count: ENABLED or DISABLED."`
	TimeZone string      `json:"timezoneId" maxLength:"100" example:"Asia/Kolkata" doc:"The time zone of the hours."`
	Weekly   []OpenHours `json:"weeklyOperatingHours" maxItems:"50" nullable:"false" doc:"Up to two spans on each day of the week."`
	Holidays []Holiday   `json:"holidaySchedule" maxItems:"100" nullable:"false" required:"false" doc:"Up to 20 days with other hours."`
}

// OpenHours are a span of a day of the week.
type OpenHours struct {
	Day   string `json:"dayOfWeek" maxLength:"40" example:"MONDAY" doc:"The day, in English and capital letters."`
	Open  string `json:"openTime" maxLength:"20" example:"0900" doc:"From when, as HHMM."`
	Close string `json:"closeTime" maxLength:"20" example:"2100" doc:"Until when, as HHMM."`
}

// Holiday is a day with other hours.
type Holiday struct {
	Date  string `json:"date" maxLength:"20" example:"2026-12-25" doc:"The day."`
	Start string `json:"startTime" maxLength:"20" example:"1000" doc:"From when, as HHMM."`
	End   string `json:"endTime" maxLength:"20" example:"1300" doc:"Until when, as HHMM."`
}

// Commerce says what customers see of the catalogue in the chat with a number.
type Commerce struct {
	CatalogVisible bool `json:"isCatalogVisible" doc:"Whether they see the catalogue."`
	CartEnabled    bool `json:"isCartEnabled" doc:"Whether they can put goods into a cart."`
}

// QRCode is a message that customers find written when they scan a code or follow a link.
type QRCode struct {
	Message string `json:"prefilledMessage" maxLength:"1000" example:"I would like to order" doc:"The message: 1 to 140 characters."`
}

// MayCall is whether the business may call a person, in Meta's words.
type MayCall struct {
	Permission struct {
		Status    string `json:"status" example:"temporary" doc:"no_permission, temporary or permanent."`
		ExpiresAt int64  `json:"expirationTime,omitempty" doc:"Until when, in seconds since 1970."`
	} `json:"permission" doc:"The permission."`
	Actions []CallAction `json:"actions" nullable:"false" doc:"What the business may do."`
}

// CallAction is something that the business may do about calls, as often as Meta lets it.
type CallAction struct {
	Name   string      `json:"actionName" example:"start_call" doc:"send_call_permission_request, or start_call."`
	May    bool        `json:"canPerformAction" doc:"Whether it may now."`
	Limits []CallLimit `json:"limits,omitempty" doc:"How often it may."`
}

// CallLimit is how often the business may do something.
type CallLimit struct {
	Period    string `json:"timePeriod" example:"PT24H" doc:"In which time, as in ISO 8601."`
	Most      int64  `json:"maxAllowed" doc:"How often."`
	Used      int64  `json:"currentUsage" doc:"How often it has."`
	ExpiresAt int64  `json:"limitExpirationTime,omitempty" doc:"When it may again, in seconds since 1970."`
}

// HasProfile is the profile as Meta has it.
type HasProfile struct {
	Profile
	PictureURL string `json:"profilePictureUrl,omitempty" doc:"Where the photo is at Meta, for some days."`
}

// HasQRCode is a code as Meta has it.
type HasQRCode struct {
	QRCode
	Code     string `json:"code" doc:"Meta's id of it."`
	Link     string `json:"deepLinkUrl,omitempty" doc:"The short link."`
	ImageURL string `json:"qrImageUrl,omitempty" doc:"Where the code is at Meta as an SVG, for some days."`
}

// HasState is how a number stands at Meta, in Meta's words.
type HasState struct {
	Status       string      `json:"status,omitempty" example:"CONNECTED" doc:"CONNECTED if it is registered."`
	Verification string      `json:"codeVerificationStatus,omitempty" example:"VERIFIED" doc:"Whether the number was verified by a code."`
	VerifiedName string      `json:"verifiedName,omitempty" doc:"The name that customers see."`
	NameStatus   string      `json:"nameStatus,omitempty" example:"APPROVED" doc:"How Meta has reviewed this name."`
	NewName      string      `json:"newDisplayName,omitempty" doc:"The name that was asked for."`
	NewStatus    string      `json:"newNameStatus,omitempty" example:"PENDING_REVIEW" doc:"How far its review has come."`
	Quality      string      `json:"qualityRating,omitempty" example:"GREEN" doc:"GREEN, YELLOW, RED or UNKNOWN."`
	Throughput   *Throughput `json:"throughput,omitempty" doc:"How much it may send in a second."`
	HasPIN       bool        `json:"isPinEnabled" doc:"Whether it has a PIN for two-step verification."`
	Health       *Health     `json:"healthStatus,omitempty" doc:"Whether messages can be sent by it."`
}

// Throughput is how much a number may send in a second.
type Throughput struct {
	Level string `json:"level" example:"STANDARD" doc:"STANDARD or HIGH."`
}

// Health says whether messages can be sent, and what stands in the way.
type Health struct {
	CanSend  string   `json:"canSendMessage" example:"AVAILABLE" doc:"AVAILABLE, LIMITED or BLOCKED."`
	Entities []Entity `json:"entities" nullable:"false" doc:"The number, its account, its business and the app."`
}

// Entity is a part that sending needs.
type Entity struct {
	Type    string     `json:"entityType" example:"PHONE_NUMBER" doc:"PHONE_NUMBER, WABA, BUSINESS or APP."`
	ID      string     `json:"id" doc:"Meta's id of it."`
	CanSend string     `json:"canSendMessage" example:"AVAILABLE" doc:"AVAILABLE, LIMITED or BLOCKED."`
	Errors  []Obstacle `json:"errors,omitempty" doc:"What stands in the way."`
	More    []string   `json:"additionalInfo,omitempty" doc:"What Meta adds."`
}

// Obstacle is what stands in the way of sending.
type Obstacle struct {
	Code        int    `json:"errorCode" doc:"Meta's code of it."`
	Description string `json:"errorDescription" doc:"What it is."`
	Solution    string `json:"possibleSolution,omitempty" doc:"What to do about it."`
}

// The kinds of what Meta keeps of a number.
const (
	KindProfile    model.Name = "profile"
	KindComponents model.Name = "components"
	KindCalling    model.Name = "calling"
	KindCommerce   model.Name = "commerce"
	KindEncryption model.Name = "encryption"
	KindState      model.Name = "state"
	KindQRCodes    model.Name = "qr_codes"
	KindBlocked    model.Name = "blocked"
	// KindCallPermission is whether the business may call a person.
	KindCallPermission model.Name = "call_permission"
)
