package messagingapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/tenancy"
)

const settingsPath = "/v1/numbers/{phoneNumberId}/settings"

// numberSettings puts the operations on what a business sets of its numbers at Meta.
func (o *service) numberSettings() {
	tags := []string{"Numbers"}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-number-settings", Method: http.MethodGet, Path: settingsPath, Tags: tags,
		Summary:  "Get a number's profile, its other settings, and how it stands at Meta",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "`wanted` is what was set here, and `meta` what Meta had at `readAt`. What somebody changes at " +
			"Meta is in `differences` after the next sync, and is never overwritten by itself: set it again, or set " +
			"what Meta has. A part that nobody has set or synced is absent.",
	}, o.getNumberSettings)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "sync-number-settings", Method: http.MethodPost, Path: settingsPath + "/sync", Tags: tags,
		Summary:  "Ask Meta what it has of a number's settings",
		Security: httpapi.Needs(httpapi.MessagesSend), Errors: []int{http.StatusNotFound},
		DefaultStatus: http.StatusAccepted,
		Description:   "The settings show the answers some seconds later. It changes nothing at Meta.",
	}, func(ctx context.Context, in *syncSettingsInput) (numbers.Of, operations.Subject, error) {
		return o.ofNumber(ctx, &in.NumberInput)
	}, o.syncNumberSettings)
	putSetting(o, numbers.KindProfile, "put-number-profile", "Set what customers read in a number's profile",
		"The whole profile: what is left out is emptied, but for the photo. ", o.ownsPhoto)
	putSetting[numbers.Components](o, numbers.KindComponents, "put-number-components",
		"Set a number's greeting, ice breakers and commands", "", nil)
	putSetting[numbers.Calling](o, numbers.KindCalling, "put-number-calling", "Set how customers call a number",
		"Meta lets numbers be called that may write to at least 2,000 customers a day. ", nil)
	putSetting[numbers.Commerce](o, numbers.KindCommerce, "put-number-commerce",
		"Set what customers see of the catalogue in the chat with a number", "", nil)
	putSetting[numbers.Encryption](o, numbers.KindEncryption, "put-number-encryption",
		"Set the public key by which customers encrypt what they fill in",
		"A flow with an endpoint needs it. Put it again after the number was registered anew. ", nil)
}

// putSetting registers an operation that sets one kind. right checks what only the API knows; nil for nothing.
func putSetting[T any](o *service, kind model.Name, id, summary, description string,
	right func(context.Context, T) error) {
	operations.Change(o.Registry, huma.Operation{
		OperationID: id, Method: http.MethodPut, Path: settingsPath + "/" + string(kind), Tags: []string{"Numbers"},
		Summary: summary, Security: httpapi.Needs(httpapi.TenantsManage), DefaultStatus: http.StatusAccepted,
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: description + "All faults are named at once. Meta is asked within seconds: `asked` says what " +
			"became of it.",
	}, func(ctx context.Context, in *putSettingInput[T]) (of numbers.Of, about operations.Subject, err error) {
		of, about, err = o.ofNumber(ctx, &in.NumberInput)
		if err == nil && right != nil {
			err = right(ctx, in.Body)
		}
		return of, about, err
	}, func(ctx context.Context, in *putSettingInput[T], of numbers.Of) (*numberSettingsOutput, error) {
		if _, err := o.rooms.NumberSettings.Put(ctx, of, kind, in.Body); err != nil {
			return nil, err
		}
		return o.showNumberSettings(ctx, of.Phone.PhoneNumberID)
	})
}

type putSettingInput[T any] struct {
	NumberInput
	Body T
}

// ofNumber finds a number whose settings the caller may change.
func (o *service) ofNumber(ctx context.Context, in *NumberInput) (of numbers.Of, about operations.Subject, err error) {
	id, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return of, about, err
	}
	phone, err := o.number(ctx, id, httpapi.Caller.Owns)
	about.Tenant, about.Target = phone.TenantID, audit.Target{Type: tenancy.TargetNumber, ID: string(id)}
	return numbers.Of{Phone: phone, By: httpapi.CallerOf(ctx).Subject}, about, err
}

// ownsPhoto returns ErrNoPhoto if a profile names a file that is not the caller's.
func (o *service) ownsPhoto(ctx context.Context, p numbers.Profile) error {
	if p.Photo == "" {
		return nil
	}
	_, _, err := o.mediaRecord(ctx, p.Photo, httpapi.Caller.Owns)
	if errors.Is(err, dynamo.ErrNotFound) {
		return numbers.ErrNoPhoto
	}
	return err
}

// SettingState says how far Meta has what is wanted.
type SettingState struct {
	SyncStatus  string              `json:"syncStatus" enum:"local_only,pending_sync,synced" doc:"synced: Meta has what is wanted here. pending_sync: Meta is being asked. local_only: Meta has something else."`
	Differences []settingDifference `json:"differences" nullable:"false" doc:"What Meta has otherwise than it is wanted; never null."`
	ReadAt      model.Time          `json:"readAt,omitempty" doc:"When Meta last said what it has."`
	Asked       *settingAsked       `json:"asked,omitempty" doc:"What Meta was asked last, and the answer."`
}

type settingDifference struct {
	Path   string          `json:"path" example:"about" doc:"The field."`
	Wanted json.RawMessage `json:"wanted,omitempty" doc:"What is wanted; absent if nothing is."`
	Meta   json.RawMessage `json:"meta,omitempty" doc:"What Meta has; absent if it has nothing."`
}

type settingAsked struct {
	Wish       string     `json:"wish" enum:"sync,put,delete,register,deregister,set_pin,request_code,verify_code,request_name" doc:"What was asked."`
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way, in Meta's words."`
}

func showState(s numbers.Setting) SettingState {
	shown := SettingState{
		SyncStatus: cmp.Or(s.SyncStatus, model.SettingPending), Differences: []settingDifference{}, ReadAt: s.ReadAt}
	for _, d := range numbers.Differences(s.Wanted, s.Meta) {
		shown.Differences = append(shown.Differences, settingDifference{d.Path, d.Wanted, d.Meta})
	}
	if a := s.Asked; a != nil {
		shown.Asked = &settingAsked{a.Wish, a.By, a.At, a.AnsweredAt, a.Problem}
	}
	return shown
}

// numberSetting is a setting with what is wanted of it and what Meta has.
type numberSetting[W, M any] struct {
	Wanted *W `json:"wanted,omitempty" doc:"What was set here; absent if nothing was."`
	Meta   *M `json:"meta,omitempty" doc:"What Meta has; absent until Meta has said it."`
	SettingState
}

// showSetting shows a setting; nil if nobody has asked for it.
func showSetting[W, M any](s numbers.Setting) *numberSetting[W, M] {
	if s.Version == 0 {
		return nil
	}
	return &numberSetting[W, M]{Wanted: partOf[W](s.Wanted), Meta: partOf[M](s.Meta), SettingState: showState(s)}
}

// partOf decodes what is stored; nil for nothing.
func partOf[T any](stored model.Document) *T {
	if len(stored) == 0 {
		return nil
	}
	part := new(T)
	_ = json.Unmarshal(stored, part) // what Meta writes otherwise than it documents is left out
	return part
}

// readList says when a list was read at Meta.
type readList struct {
	Count int `json:"count" doc:"How many Meta had."`
	SettingState
}

func showList(s numbers.Setting) *readList {
	if s.Version == 0 {
		return nil
	}
	list := partOf[readList](s.Meta)
	if list == nil {
		list = &readList{}
	}
	list.SettingState = showState(s)
	return list
}

type (
	shownProfile    = numberSetting[numbers.Profile, numbers.HasProfile]
	shownComponents = numberSetting[numbers.Components, numbers.Components]
	shownCalling    = numberSetting[numbers.Calling, numbers.Calling]
	shownCommerce   = numberSetting[numbers.Commerce, numbers.Commerce]
	shownEncryption = numberSetting[numbers.Encryption, numbers.HasEncryption]
)

// numberStanding is how a number stands at Meta.
type numberStanding struct {
	Meta *numbers.HasState `json:"meta,omitempty" doc:"What Meta has said; absent until it has."`
	SettingState
}

type allNumberSettings struct {
	Profile    *shownProfile    `json:"profile,omitempty" doc:"What customers read of the business."`
	Components *shownComponents `json:"components,omitempty" doc:"What customers see when they open the chat."`
	Calling    *shownCalling    `json:"calling,omitempty" doc:"How customers call it."`
	Commerce   *shownCommerce   `json:"commerce,omitempty" doc:"What customers see of the catalogue."`
	Encryption *shownEncryption `json:"encryption,omitempty" doc:"The public key by which customers encrypt what they fill in."`
	State      *numberStanding  `json:"state,omitempty" doc:"Its registration, its name and its health."`
	QRCodes    *readList        `json:"qrCodes,omitempty" doc:"When its QR codes were read at Meta."`
	Blocked    *readList        `json:"blocked,omitempty" doc:"When those whom it has blocked were read at Meta."`
}

type numberSettingsOutput struct{ Body allNumberSettings }

func (o *service) getNumberSettings(ctx context.Context, in *NumberInput) (*numberSettingsOutput, error) {
	id, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	if _, err := o.number(ctx, id, httpapi.Caller.Sees); err != nil {
		return nil, err
	}
	return o.showNumberSettings(ctx, id)
}

func (o *service) showNumberSettings(ctx context.Context, phone model.PhoneNumberID) (*numberSettingsOutput, error) {
	all, err := o.rooms.NumberSettings.All(ctx, phone)
	if err != nil {
		return nil, err
	}
	shown := &numberSettingsOutput{allNumberSettings{
		Profile:    showSetting[numbers.Profile, numbers.HasProfile](all[numbers.KindProfile]),
		Components: showSetting[numbers.Components, numbers.Components](all[numbers.KindComponents]),
		Calling:    showSetting[numbers.Calling, numbers.Calling](all[numbers.KindCalling]),
		Commerce:   showSetting[numbers.Commerce, numbers.Commerce](all[numbers.KindCommerce]),
		Encryption: showSetting[numbers.Encryption, numbers.HasEncryption](all[numbers.KindEncryption]),
		QRCodes:    showList(all[numbers.KindQRCodes]), Blocked: showList(all[numbers.KindBlocked]),
	}}
	if state := all[numbers.KindState]; state.Version > 0 {
		shown.Body.State = &numberStanding{partOf[numbers.HasState](state.Meta), showState(state)}
	}
	return shown, nil
}

type syncSettingsInput struct {
	NumberInput
	Body struct {
		Kinds []string `json:"kinds,omitempty" maxItems:"20" enum:"profile,components,calling,commerce,encryption,state,qr_codes,blocked" doc:"Which settings; leave it out for all but the lists of codes and people."`
	}
}

func (o *service) syncNumberSettings(ctx context.Context, in *syncSettingsInput,
	of numbers.Of) (*numberSettingsOutput, error) {
	kinds := []model.Name{
		numbers.KindProfile, numbers.KindComponents, numbers.KindCalling, numbers.KindCommerce,
		numbers.KindEncryption, numbers.KindState}
	if len(in.Body.Kinds) > 0 {
		kinds = nil
		for _, kind := range in.Body.Kinds {
			kinds = append(kinds, model.Name(kind))
		}
	}
	for _, kind := range kinds {
		if _, err := o.rooms.NumberSettings.Sync(ctx, of, kind); err != nil {
			return nil, err
		}
	}
	return o.showNumberSettings(ctx, of.Phone.PhoneNumberID)
}
