package communityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const bridgesTag = "Community bridges"

// bridgePath is the bridge of a community. Operators build it, because WhatsApp groups are those of their numbers.
const bridgePath = "/v1/community-bridges/{communityId}"

func (o *service) bridges() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-community-bridge", Method: http.MethodGet, Path: bridgePath, Tags: []string{bridgesTag},
		Summary:  "Get the bridge between a community and a WhatsApp group",
		Security: httpapi.Needs(httpapi.CommunityRead), Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *CommunityInput) (*bridgeOutput, error) {
		c, err := o.ofOperator(ctx, in.id(), httpapi.Caller.Sees)
		if err != nil {
			return nil, err
		}
		b, err := o.Domain.Bridges.OfCommunity(ctx, c.TenantID, c.ID)
		return &bridgeOutput{showBridge(b)}, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "build-community-bridge", Method: http.MethodPut, Path: bridgePath, Tags: []string{bridgesTag},
		Summary: "Mirror a group chat of a community to a WhatsApp group of one of your numbers, both ways",
		Description: "From now on, each message is mirrored once, under its author's name. A community has one " +
			"bridge, and so has a WhatsApp group. WhatsApp takes messages for a group within 24 hours of the last " +
			"one there: until somebody writes in it, the chat's messages wait, for a day at most.",
		Security: httpapi.Needs(httpapi.CommunityManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *buildBridgeInput) (communitymodel.Community, operations.Subject, error) {
		return o.manages(ctx, in.id())
	}, o.buildBridge)
	operations.Change(o.Registry, quiet(huma.Operation{
		OperationID: "remove-community-bridge", Method: http.MethodDelete, Path: bridgePath, Tags: []string{bridgesTag},
		Summary:     "Take the bridge of a community down",
		Description: "What was mirrored stays on both sides.",
		Security:    httpapi.Needs(httpapi.CommunityManage), Errors: []int{http.StatusNotFound},
	}), func(ctx context.Context, in *CommunityInput) (communitymodel.Community, operations.Subject, error) {
		return o.manages(ctx, in.id())
	}, func(ctx context.Context, _ *CommunityInput, c communitymodel.Community) (*done, error) {
		return nil, o.Domain.Bridges.Remove(ctx, c.TenantID, c.ID)
	})
	change(o, quiet(op(http.MethodPut, "/group-chats/{chatId}/guests/{guestId}/ban", "ban-chat-guest", bridgesTag,
		"Keep a guest out of a group chat",
		"For moderators. A guest writes from the WhatsApp group; what they write there stays there.", missing)),
		o.banGuest(true))
	change(o, quiet(op(http.MethodDelete, "/group-chats/{chatId}/guests/{guestId}/ban", "unban-chat-guest", bridgesTag,
		"Let a guest into a group chat again", "For moderators.", missing)), o.banGuest(false))
}

// ofOperator returns a community of a tenant that an operator may see, or change. It returns dynamo.ErrNotFound for
// another one.
func (o *service) ofOperator(ctx context.Context, id model.Name,
	may func(httpapi.Caller, model.TenantID) bool) (communitymodel.Community, error) {
	c, err := o.Communities.Get(ctx, id)
	if err == nil && !may(httpapi.CallerOf(ctx), c.TenantID) {
		return communitymodel.Community{}, dynamo.ErrNotFound
	}
	return c, err
}

// manages returns the community whose bridge an operator changes, and what the audit record is about.
func (o *service) manages(ctx context.Context, id model.Name) (communitymodel.Community, operations.Subject, error) {
	c, err := o.ofOperator(ctx, id, httpapi.Caller.Owns)
	return c, operations.Subject{
		Tenant: c.TenantID, Target: audit.Target{Type: "communityBridge", ID: string(c.ID)}}, err
}

type communityBridge struct {
	CommunityID     string `json:"communityId" doc:"The community."`
	ChatID          string `json:"chatId" doc:"Its group chat that is mirrored."`
	PhoneNumberID   string `json:"phoneNumberId" doc:"The business number."`
	WhatsAppGroupID string `json:"whatsAppGroupId" doc:"The WhatsApp group of that number."`
	CreatedAt       string `json:"createdAt" doc:"Since when messages are mirrored."`
	WaitsSince      string `json:"waitsSince,omitempty" doc:"Since when messages of the chat wait until somebody writes in the WhatsApp group."`
	LeftOut         int64  `json:"leftOut" doc:"How many messages of the chat WhatsApp did not get."`
	FailureCode     string `json:"failureCode,omitempty" doc:"Why it did not get the last one of these."`
	FailedAt        string `json:"failedAt,omitempty" doc:"When that was."`
}

func showBridge(b communitymodel.Bridge) communityBridge {
	return communityBridge{
		CommunityID: string(b.CommunityID), ChatID: string(b.ChatID), PhoneNumberID: string(b.Phone),
		WhatsAppGroupID: string(b.Group), CreatedAt: string(b.CreatedAt), WaitsSince: string(b.WaitsSince),
		LeftOut: b.LeftOut, FailureCode: b.FailureCode, FailedAt: string(b.FailedAt),
	}
}

type bridgeOutput struct{ Body communityBridge }

type buildBridgeInput struct {
	CommunityInput
	Body struct {
		ChatID          string `json:"chatId" minLength:"1" maxLength:"200" doc:"A group chat of the community."`
		PhoneNumberID   string `json:"phoneNumberId" minLength:"1" maxLength:"512" doc:"One of your numbers."`
		WhatsAppGroupID string `json:"whatsAppGroupId" minLength:"1" maxLength:"512" doc:"A group of that number: see the list of groups."`
	}
}

func (o *service) buildBridge(ctx context.Context, in *buildBridgeInput, c communitymodel.Community) (
	*bridgeOutput, error) {
	n := bridges.New{Tenant: c.TenantID, Community: c.ID}
	var err error
	if n.Phone, err = model.ParsePhoneNumberID(in.Body.PhoneNumberID); err != nil {
		return nil, err
	}
	ids, err := names([]string{in.Body.ChatID, in.Body.WhatsAppGroupID})
	if err != nil {
		return nil, err
	}
	n.Chat, n.Group = ids[0], ids[1]
	b, err := o.Domain.Bridges.Build(ctx, n)
	return &bridgeOutput{showBridge(b)}, err
}

// GuestInput names a guest of a group chat.
type GuestInput struct {
	ChatIDInput
	GuestID string `path:"guestId" maxLength:"200" doc:"The guest: the author of one of their messages."`
}

func (o *service) banGuest(banned bool) func(context.Context, *GuestInput, communitymodel.User) (*done, error) {
	return func(ctx context.Context, in *GuestInput, by communitymodel.User) (*done, error) {
		return nil, o.Domain.Bridges.SetBanned(ctx, in.id(), by, model.Name(in.GuestID), banned)
	}
}
