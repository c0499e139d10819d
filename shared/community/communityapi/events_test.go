package communityapi

import (
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// sampled puts there what the sample events name: the tenant demo with settings, a person in a session, and a chat.
func sampled(t *testing.T) *world {
	w := newWorld(t)
	w.opens("demo")
	w.joins("demo", "asha", "asha@example.com")
	const id, community, chat = "user-0001", "community-0001", "community-0001.chat-0001"
	user := communitymodel.User{
		ID: id, Username: "asha", TenantID: "demo", CreatedAt: model.At(noon.Add(-48 * time.Hour)), Version: 1,
		LastSeenAt: model.At(noon), Role: communitymodel.RoleUser,
	}
	user.SetKey()
	session := communitymodel.Session{
		PK: keys.SignIn("session-0001").Partition, ID: "session-0001", UserID: id, TenantID: "demo",
		CreatedAt: model.At(noon), ExpiresAt: noon.Add(time.Hour).Unix(),
	}
	w.db.Seed(t, tables.CommunityUsers, user, session)
	member := communitymodel.NewMembership(community, id)
	member.State = communitymodel.Joined
	ref := groupOf(chat)
	in := communitymodel.NewChatMember(ref, id)
	in.State = communitymodel.Joined
	w.db.Seed(t, tables.Communities, member)
	w.db.Seed(t, tables.GroupChats, in, communitymodel.Chat{
		PK: ref.Key().Partition, SK: ref.Key().Sort, ID: chat, Name: "Rice", Capacity: 10, NumMembers: 1,
		TenantID: "demo", CommunityID: community, CreatedAt: model.At(noon), CreatedBy: id,
	})
	return w
}

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]func(t *testing.T, a answer){
		"sign-in": func(t *testing.T, a answer) {
			var got tokens
			if a.Want(t, http.StatusOK, &got); got.AccessToken == "" {
				t.Error("no token")
			}
		},
		"list-my-chats": func(t *testing.T, a answer) {
			var list myChatsOutput
			if a.Want(t, http.StatusOK, &list.Body); len(list.Body.Items) != 1 {
				t.Errorf("lists %+v", list.Body)
			}
		},
		"post-message": func(t *testing.T, a answer) {
			var made chatMessage
			if a.Want(t, http.StatusCreated, &made); made.Seq != 1 || made.Content != "Is there basmati?" {
				t.Errorf("made %+v", made)
			}
		},
		"set-presence": func(t *testing.T, a answer) {
			var said chatPresence
			if a.Want(t, http.StatusOK, &said); said.State != "typing" || said.Repeat == 0 {
				t.Errorf("%+v", said)
			}
		},
		"upload-file": func(t *testing.T, a answer) {
			var link chatUpload
			if a.Want(t, http.StatusCreated, &link); link.FileID == "" || link.Name != "prices.pdf" || link.URL == "" {
				t.Errorf("%+v", link)
			}
		},
		"get-settings": func(t *testing.T, a answer) {
			var got communitySettings
			if a.Want(t, http.StatusOK, &got); !got.Open {
				t.Errorf("%+v", got)
			}
		},
		"list-communities": func(t *testing.T, a answer) {
			var list communityListOutput
			if a.Want(t, http.StatusOK, &list.Body); list.Body.Items == nil {
				t.Error("null")
			}
		},
		"no-such-operation": func(t *testing.T, a answer) { a.WantProblem(t, http.StatusNotFound) },
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "community-api", cases)
	w := sampled(t)
	for name, check := range cases {
		response, err := w.server.Handler(t.Context(), samples[name])
		w.must(err)
		check(t, answer{Status: response.StatusCode, Headers: response.Headers, Body: response.Body})
	}
}
