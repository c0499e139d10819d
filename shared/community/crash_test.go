package community_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// world is what the broken operations begin with.
type world struct {
	community communitymodel.Community
	open      communitymodel.ChatRef
	closed    communitymodel.ChatRef
	message   communitymodel.Message
	report    communitymodel.Report
	request   communitymodel.ChatRequest
	code      string
	second    communitymodel.Community // Ravi's
	apart     communitymodel.ChatRef   // its chat
	sent      communitymodel.Message   // with a file
	waiting   communitymodel.File      // that Asha has uploaded
}

// furnish makes a world: Asha's community with Ravi and Meena, an open chat of Asha and Ravi with a message of Ravi's
// that was edited, reported and reacted to, and that has a bridge, and a closed one that Meena asks to join. Zoya is
// outside.
func (h *house) furnish() (w world) {
	h.t.Helper()
	asha, ravi, meena := h.person("asha"), h.person("ravi"), h.person("meena")
	w.community = h.founds(asha, ravi, meena)
	w.open = h.opens(w.community, asha, chats.New{Name: "Rice"}, ravi)
	h.mirrors(w.community, w.open)
	w.closed = h.opens(w.community, asha, chats.New{Name: "Closed", Private: true})
	var err error
	w.message, err = h.Messages.Post(h.ctx(), w.open, ravi, messages.Draft{
		Content: "hi", Mentions: []model.Name{"asha"}}, none)
	h.must(err)
	_, err = h.Messages.Edit(h.ctx(), w.open, ravi, w.message.ID, "hello")
	h.must(err)
	h.must(h.Messages.React(h.ctx(), w.open, asha, w.message.ID, "👍", true))
	w.report, err = h.Reports.Report(h.ctx(), w.open, w.message.ID, asha, "spam")
	h.must(err)
	w.request, err = h.Requests.Ask(h.ctx(), w.closed.ID, meena)
	h.must(err)
	w.second = h.founds(ravi)
	w.apart = h.opens(w.second, ravi, chats.New{Name: "Apart"})
	w.sent, err = h.Messages.Post(h.ctx(), w.open, ravi, with(h.uploads(w.open, ravi), h.uploads(w.open, ravi)), none)
	h.must(err)
	w.waiting = h.uploads(w.open, h.person("asha"))
	_, w.code, err = h.Communities.Invite(h.ctx(), w.community.ID, asha,
		communities.Invitation{Uses: 2, Valid: 2 * time.Hour})
	h.must(err)
	return w
}

// Each operation ends in the state of one clean run, whichever call of DynamoDB fails, and however.
func TestEveryOperationMayDieAnywhere(t *testing.T) {
	operations := map[string]func(h *house, ctx context.Context, w world) error{
		"found a community": func(h *house, ctx context.Context, w world) error {
			_, err := h.Communities.Found(ctx, h.person("ravi"), communities.About{Name: "Two"}, h.request("two"))
			return err
		},
		"accept an invitation": func(h *house, ctx context.Context, w world) error {
			_, err := h.Communities.Accept(ctx, w.code, h.person("zoya"))
			return err
		},
		"leave a community": func(h *house, ctx context.Context, w world) error {
			return h.Communities.Leave(ctx, w.community.ID, h.person("ravi"))
		},
		"ban": func(h *house, ctx context.Context, w world) error {
			return h.Communities.Ban(ctx, w.community.ID, h.person("asha"), communities.Ban{User: "ravi"}, actor)
		},
		"hand a community over": func(h *house, ctx context.Context, w world) error {
			_, err := h.Communities.SetRole(ctx, w.community.ID, h.person("asha"), "ravi", communitymodel.Founder,
				actor)
			if code := communitymodel.Forbidden("not-the-founder", "", "").Error(); err != nil && err.Error() == code {
				return nil // it is handed over
			}
			return err
		},
		"create a group chat": func(h *house, ctx context.Context, w world) error {
			_, err := h.Chats.Create(ctx, h.person("ravi"), chats.New{
				Community: w.community.ID, Name: "Dal", Capacity: 5}, h.request("dal"))
			return err
		},
		"join a group chat": func(h *house, ctx context.Context, w world) error {
			_, err := h.Chats.Join(ctx, w.open.ID, h.person("meena"))
			return err
		},
		"leave a group chat": func(h *house, ctx context.Context, w world) error {
			return h.Chats.Leave(ctx, w.open.ID, h.person("ravi"))
		},
		"open a private chat": func(h *house, ctx context.Context, w world) error {
			_, err := h.Chats.Open(ctx, h.person("asha"), "meena", w.community.ID)
			return err
		},
		"post": func(h *house, ctx context.Context, w world) error {
			_, err := h.Messages.Post(ctx, w.open, h.person("asha"), messages.Draft{
				Content: "yes", ReplyTo: w.message.ID}, h.request("yes"))
			return err
		},
		"upload a file": func(h *house, ctx context.Context, w world) error {
			_, _, err := h.Files.Begin(ctx, w.open, h.person("asha"), files.New{Type: "image/png", Size: 9},
				h.request("file"))
			return err
		},
		"post a file": func(h *house, ctx context.Context, w world) error {
			_, err := h.Messages.Post(ctx, w.open, h.person("asha"), with(w.waiting), h.request("with a file"))
			return err
		},
		"delete a message with files": func(h *house, ctx context.Context, w world) error {
			return h.Messages.Delete(ctx, w.open, h.person("ravi"), w.sent.ID)
		},
		"let files go": func(h *house, ctx context.Context, _ world) error {
			for _, event := range h.events() {
				if event.EventType == files.GoingType {
					if _, err := h.SlowHandlers(h.bucket)[files.GoingType].Send(ctx, event); err != nil {
						return err
					}
				}
			}
			return nil
		},
		"edit": func(h *house, ctx context.Context, w world) error {
			_, err := h.Messages.Edit(ctx, w.open, h.person("ravi"), w.message.ID, "hey")
			return err
		},
		"react": func(h *house, ctx context.Context, w world) error {
			return h.Messages.React(ctx, w.open, h.person("ravi"), w.message.ID, "👍", true)
		},
		"delete": func(h *house, ctx context.Context, w world) error {
			return h.Messages.Delete(ctx, w.open, h.person("ravi"), w.message.ID)
		},
		"ask": func(h *house, ctx context.Context, w world) error {
			_, err := h.Requests.Ask(ctx, w.closed.ID, h.person("ravi"))
			return err
		},
		"accept a request": func(h *house, ctx context.Context, w world) error {
			_, err := h.Requests.Accept(ctx, w.closed.ID, w.request.ID, h.person("asha"))
			return err
		},
		"refuse a request": func(h *house, ctx context.Context, w world) error {
			_, err := h.Requests.Refuse(ctx, w.closed.ID, w.request.ID, h.person("asha"))
			return err
		},
		"read all notifications": func(h *house, ctx context.Context, w world) error {
			_, _, err := h.Notifications.ReadAll(ctx, "asha")
			return err
		},
		"handle a report": func(h *house, ctx context.Context, w world) error {
			_, err := h.Reports.Handle(ctx, w.community.ID, w.report.ID, h.person("asha"), true, actor)
			return err
		},
		"build a bridge": func(h *house, ctx context.Context, w world) error {
			_, err := h.Bridges.Build(ctx, bridges.New{
				Tenant: "demo", Community: w.second.ID, Chat: w.apart.ID, Phone: wt.Phone, Group: "second"})
			return err
		},
		"delete a group chat": func(h *house, ctx context.Context, w world) error {
			err := h.Closing.Chat(ctx, w.open.ID, h.person("asha"), actor)
			if errors.Is(err, dynamo.ErrNotFound) {
				err = nil // it is gone
			}
			return err
		},
		"delete a community": func(h *house, ctx context.Context, w world) error {
			err := h.Closing.Community(ctx, w.community.ID, h.person("asha"), actor)
			if errors.Is(err, dynamo.ErrNotFound) {
				err = nil // it is gone
			}
			return err
		},
		"remove a bridge": func(h *house, ctx context.Context, w world) error {
			return h.Bridges.Remove(ctx, "demo", w.community.ID)
		},
		"tell and leave by the outbox": func(h *house, ctx context.Context, w world) error {
			for _, event := range h.events() {
				handler, is := h.Part().Handlers[event.EventType]
				if !is {
					continue // it is planned for later
				}
				if _, err := handler.Send(ctx, event); err != nil {
					return err
				}
			}
			return nil
		},
	}
	for name, operation := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w world
			var seeded *dynamotest.DB
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					h := on(t, db, db.Client)
					w, seeded = h.furnish(), db
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					h := on(t, seeded, client)
					h.now, h.sameID = noon.Add(time.Hour), "new"
					return operation(h, ctx, w)
				},
			})
			if points == 0 {
				t.Error("nothing was broken")
			}
		})
	}
}
