package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/topology/topologytest"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/sessiontoken"
	"github.com/haatline/haatline/shared/tables"
)

func TestTheFunctionReadsTheVariablesThatItDeclares(t *testing.T) {
	topologytest.Variables(t, "live-authorizer", wire, nil)
}

// The samples' token was signed with the key of the local cloud, and is good for ever.
func TestSampleEventsAreAnswered(t *testing.T) {
	yes := admission.Answer{IsAuthorized: true, Context: map[string]string{"sub": "user-0001", "tenant": "demo"}}
	cases := map[string]admission.Answer{"connect": yes, "own-channel": yes, "another-channel": {}}
	samples := dynamotest.Samples[admission.Request](t, "live-authorizer", cases)
	handle := wire(func(name string) string {
		return map[string]string{"CURSOR_KEYS": "local-cursor-keys"}[name]
	}).(func(context.Context, admission.Request) (admission.Answer, error))
	for name, want := range cases {
		got, err := handle(t.Context(), samples[name])
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// A subscription that cannot be decided is asked about again, and admits nobody meanwhile.
func TestASubscriptionIsDecidedWhateverFails(t *testing.T) {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: communitymodel.GroupChatID("community-1", "chat-1")}
	keys := func(context.Context) (string, error) { return "local-cursor-keys", nil }
	token, err := sessiontoken.Keys(keys).Sign(t.Context(), sessiontoken.Token{
		Subject: "user-1", Session: "session-1", Tenant: "demo", Expires: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	request := admission.Request{AuthorizationToken: admission.TokenPrefix + token}
	request.RequestContext.Operation = admission.Subscribe
	request.RequestContext.Channel = string(live.OfChat("demo", ref.ID, 0))
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Communities, tables.GroupChats, tables.PrivateChats},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			member, in := communitymodel.NewMembership("community-1", "user-1"), communitymodel.NewChatMember(ref,
				"user-1")
			member.State, in.State = communitymodel.Joined, communitymodel.Joined
			db.Seed(t, tables.Communities, member)
			db.Seed(t, tables.GroupChats, in, communitymodel.Chat{
				PK: ref.Key().Partition, SK: ref.Key().Sort, ID: ref.ID, TenantID: "demo", CommunityID: "community-1"})
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			answer, err := gate(client, keys).Admit(ctx, request)
			if err == nil && !answer.IsAuthorized {
				err = errors.New("a member is not admitted")
			}
			return err
		},
	})
}
