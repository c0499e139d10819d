package community_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
)

var schedules = flag.Int("schedules", 30, "how many orders of calls each race of two operations has")

// arena is where two operations meet: Asha's community with Ravi, Meena and Zoya, and a group chat of Asha and Ravi
// with one message of Ravi's. It has as many free places as a race needs.
type arena struct {
	*house
	asha, ravi, meena, zoya communitymodel.User
	community               communitymodel.Community
	chat                    communitymodel.ChatRef
	message                 communitymodel.Message
	request                 communitymodel.ChatRequest // of Meena's, if the chat is private
}

// enter makes the arena of one schedule, with people of its own.
func enter(t *testing.T, db *dynamotest.DB, number int, places int64, private bool) *arena {
	t.Helper()
	a := &arena{house: on(t, db, db.Client)}
	a.now = noon
	a.ids.Store(int64(number) * 1000)
	person := func(name string) communitymodel.User { return a.person(fmt.Sprint(name, number)) }
	a.asha, a.ravi, a.meena, a.zoya = person("asha"), person("ravi"), person("meena"), person("zoya")
	a.registers(a.asha, a.ravi, a.meena, a.zoya)
	a.community = a.founds(a.asha, a.ravi, a.meena, a.zoya)
	a.chat = a.opens(a.community, a.asha, chats.New{Name: fmt.Sprint("Rice ", number), Capacity: places + 2}, a.ravi)
	var err error
	a.message, err = a.Messages.Post(a.ctx(), a.chat, a.ravi, messages.Draft{Content: "first"}, none)
	a.must(err)
	if private {
		_, err := a.Chats.Edit(a.ctx(), a.chat.ID, a.asha, func(n *chats.New) { n.Private = true })
		a.must(err)
		a.request, err = a.Requests.Ask(a.ctx(), a.chat.ID, a.meena)
		a.must(err)
	}
	return a
}

// side is one of two operations, in a process of its own.
type side func(h *house, ctx context.Context) error

// races runs two operations in every order of their calls, and checks what became of them.
func races(t *testing.T, places int64, private bool, of func(a *arena) (one, other side),
	check func(a *arena, one, other error)) {
	t.Helper()
	t.Parallel()
	db := dynamotest.Start(t, allTables...)
	dynamotest.Schedules(t, *schedules, func(s *dynamotest.Schedule) {
		a := enter(t, db, s.Number, places, private)
		one, other := of(a)
		process := func(name string, do side) dynamotest.Operation {
			return func(ctx context.Context, client *dynamo.Client) error {
				h := on(t, db, client)
				h.now, h.sameID = noon.Add(time.Minute), fmt.Sprint(name, s.Number)
				return do(h, ctx)
			}
		}
		errs := s.Run(t, db, process("one", one), process("other", other))
		check(a, errs[0], errs[1])
	})
}

// chatNow returns the chat, and who is in it by their own items.
func (a *arena) chatNow() (chat communitymodel.Chat, members []model.Name) {
	a.t.Helper()
	a.must(a.db.Get(a.ctx(), a.chat.Table(), a.chat.Key(), &chat))
	all, _, err := a.Chats.Members(a.ctx(), a.chat, 100, "")
	a.must(err)
	for _, m := range all {
		members = append(members, m.UserID)
	}
	return chat, members
}

// counts checks that a chat counts the members that it has.
func (a *arena) counts(want int) {
	a.t.Helper()
	if chat, members := a.chatNow(); chat.NumMembers != int64(len(members)) || len(members) != want {
		a.t.Errorf("the chat counts %d, and has %v; want %d", chat.NumMembers, members, want)
	}
}

func TestTwoJoinForTheLastPlace(t *testing.T) {
	races(t, 1, false, func(a *arena) (side, side) {
		joins := func(who communitymodel.User) side {
			return func(h *house, ctx context.Context) error {
				_, err := h.Chats.Join(ctx, a.chat.ID, who)
				return err
			}
		}
		return joins(a.meena), joins(a.zoya)
	}, func(a *arena, one, other error) {
		if (one == nil) == (other == nil) || !errors.Is(errors.Join(one, other), chats.ErrFull) {
			a.t.Errorf("%v, and %v", one, other)
		}
		a.counts(3)
	})
}

func TestTwoDecideARequest(t *testing.T) {
	for name, other := range map[string]func(h *house, ctx context.Context, a *arena) error{
		"accept": func(h *house, ctx context.Context, a *arena) error {
			_, err := h.Requests.Accept(ctx, a.chat.ID, a.request.ID, a.asha)
			return err
		},
		"refuse": func(h *house, ctx context.Context, a *arena) error {
			_, err := h.Requests.Refuse(ctx, a.chat.ID, a.request.ID, a.asha)
			return err
		},
		"withdraw": func(h *house, ctx context.Context, a *arena) error {
			_, err := h.Requests.Withdraw(ctx, a.request.ID, a.meena)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			races(t, 5, true, func(a *arena) (side, side) {
				return func(h *house, ctx context.Context) error {
						_, err := h.Requests.Accept(ctx, a.chat.ID, a.request.ID, a.asha)
						return err
					}, func(h *house, ctx context.Context) error {
						return other(h, ctx, a)
					}
			}, func(a *arena, one, two error) {
				if one != nil && (two != nil || name == "accept") || two == nil && one == nil && name != "accept" {
					a.t.Errorf("%v, and %v", one, two)
				}
				want := 2
				if one == nil {
					want = 3
				}
				a.counts(want)
				pending, _, err := a.Requests.Of(a.ctx(), a.meena.ID, true, 10, "")
				if err != nil || len(pending) > 0 {
					a.t.Errorf("%d wait, %v", len(pending), err)
				}
			})
		})
	}
}

// Of an edit and a deletion at once, nothing of what the message said is left.
func TestAnEditMeetsADeletion(t *testing.T) {
	races(t, 5, false, func(a *arena) (side, side) {
		return func(h *house, ctx context.Context) error {
				_, err := h.Messages.Edit(ctx, a.chat, a.ravi, a.message.ID, "second")
				return err
			}, func(h *house, ctx context.Context) error {
				return h.Messages.Delete(ctx, a.chat, a.ravi, a.message.ID)
			}
	}, func(a *arena, edit, deletion error) {
		if deletion != nil || edit != nil && !errors.Is(edit, communitymodel.ErrRule) {
			a.t.Errorf("%v, and %v", edit, deletion)
		}
		m, err := a.Messages.Get(a.ctx(), a.chat, a.message.ID)
		if err != nil || !m.Gone() || m.Content != "" {
			a.t.Errorf("%+v, %v", m, err)
		}
		if versions, err := a.Messages.Versions(a.ctx(), a.chat, a.message.ID); err != nil || len(versions) > 0 {
			a.t.Errorf("%d versions, %v", len(versions), err)
		}
	})
}

// What somebody writes while they go is in the chat if it was accepted, and not otherwise; and after it they write
// nothing more.
func TestSomebodyWritesWhileTheyGo(t *testing.T) {
	for name, goes := range map[string]func(h *house, ctx context.Context, a *arena) error{
		"banned": func(h *house, ctx context.Context, a *arena) error {
			ban := communities.Ban{User: a.ravi.ID, Reason: "spam"}
			return h.Communities.Ban(ctx, a.community.ID, a.asha, ban, actor)
		},
		"removed": func(h *house, ctx context.Context, a *arena) error {
			return h.Chats.Remove(ctx, a.chat.ID, a.asha, a.ravi.ID)
		},
		"leaving": func(h *house, ctx context.Context, a *arena) error {
			return h.Communities.Leave(ctx, a.community.ID, a.ravi)
		},
	} {
		t.Run(name, func(t *testing.T) {
			races(t, 5, false, func(a *arena) (side, side) {
				return func(h *house, ctx context.Context) error {
						_, err := h.Messages.Post(ctx, a.chat, a.ravi, messages.Draft{Content: "second"}, none)
						return err
					}, func(h *house, ctx context.Context) error {
						return goes(h, ctx, a)
					}
			}, func(a *arena, post, gone error) {
				all, _, err := a.Messages.List(a.ctx(), a.chat, messages.Page{Limit: 10})
				if gone != nil || err != nil || (post == nil) != (len(all) == 2) {
					a.t.Errorf("%v, and %v: %d messages, %v", post, gone, len(all), err)
				}
				_, err = a.Messages.Post(a.ctx(), a.chat, a.ravi, messages.Draft{Content: "third"}, none)
				if err == nil {
					a.t.Error("who has gone writes")
				}
			})
		})
	}
}

// Whatever somebody does with a chat while it is closed, nothing is left of it when the event has run.
func TestAChatIsClosedWhileItIsUsed(t *testing.T) {
	for name, uses := range map[string]func(h *house, ctx context.Context, a *arena) error{
		"a post": func(h *house, ctx context.Context, a *arena) error {
			_, err := h.Messages.Post(ctx, a.chat, a.ravi, messages.Draft{Content: "second"}, none)
			return err
		},
		"a reaction": func(h *house, ctx context.Context, a *arena) error {
			return h.Messages.React(ctx, a.chat, a.asha, a.message.ID, "👍", true)
		},
		"a join": func(h *house, ctx context.Context, a *arena) error {
			_, err := h.Chats.Join(ctx, a.chat.ID, a.meena)
			return err
		},
		"a departure": func(h *house, ctx context.Context, a *arena) error {
			return h.Chats.Leave(ctx, a.chat.ID, a.ravi)
		},
	} {
		t.Run(name, func(t *testing.T) {
			races(t, 5, false, func(a *arena) (side, side) {
				return func(h *house, ctx context.Context) error {
						if err := h.Closing.Chat(ctx, a.chat.ID, a.asha, actor); err != nil {
							return err
						}
						for _, event := range a.events() {
							if handler := h.Closing.Handlers()[event.EventType]; handler.Send != nil {
								if _, err := handler.Send(ctx, event); err != nil {
									return err
								}
							}
						}
						return nil
					}, func(h *house, ctx context.Context) error {
						return uses(h, ctx, a)
					}
			}, func(a *arena, closed, used error) {
				if closed != nil {
					a.t.Errorf("%v, and %v", closed, used)
				}
				rows := a.db.Items(a.t, a.chat.Table())
				rows = slices.DeleteFunc(rows, func(row dynamo.Item) bool {
					return dynamo.Text(row, "pk") != a.chat.Key().Partition
				})
				if len(rows) > 0 {
					a.t.Errorf("%v: %d rows are left", used, len(rows))
				}
			})
		})
	}
}

// Of two who send what was written over a bridge, each message is sent once.
func TestTwoSendOverABridge(t *testing.T) {
	t.Parallel()
	db := dynamotest.Start(t, allTables...)
	first := on(t, db, db.Client)
	first.hasGroup()
	b := first.bridged()
	b.writes(meenasNumber, "hello")
	b.handles(b.events())
	sent := len(b.sent())
	dynamotest.Schedules(t, *schedules, func(s *dynamotest.Schedule) {
		for _, text := range []string{"one", "two"} {
			b.posts(b.asha, text, "")
			sent++
		}
		events := b.events()
		sends := func(ctx context.Context, client *dynamo.Client) error {
			h := on(t, db, client)
			h.now = b.now
			for _, event := range events {
				if event.EventType != messages.MirrorType {
					continue
				}
				if _, err := h.Bridges.Handlers()[event.EventType].Send(ctx, event); err != nil {
					return err
				}
			}
			return nil
		}
		if err := dynamotest.Fails(s.Run(t, db, sends, sends)); err != nil {
			t.Error(err)
		}
		if all := b.sent(); len(all) != sent {
			t.Errorf("%d sent of %d: %q", len(all), sent, all)
		}
	})
}
