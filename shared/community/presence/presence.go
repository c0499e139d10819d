// Package presence tells the members of a chat who is there and who is typing. Nothing of it is stored: a hint goes out
// on the chat's live channel and says until when it holds, so that one that is lost, or an end that nobody tells, mends
// itself.
package presence

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// State is what somebody does in a chat.
type State string

// The states. Away ends the others before their time.
const (
	Typing State = "typing"
	Online State = "online"
	Away   State = "away"
)

// rule says for how long a state holds, and after how long a program repeats it if it goes on.
type rule struct{ holds, repeat time.Duration }

var rules = map[State]rule{
	Typing: {8 * time.Second, 5 * time.Second},
	Online: {90 * time.Second, time.Minute},
	Away:   {},
}

// Presence tells who is there.
type Presence struct {
	DB    *dynamo.Client
	Now   func() time.Time
	Chats *chats.Chats
	// Tell is called with what the members of a chat are told.
	Tell func(ctx context.Context, chat communitymodel.Chat, told Told)
	// PerChat limits what is told of one person in one chat, and PerSession what one session has told.
	PerChat, PerSession *Limit
}

// Told is what the members of a chat are told of somebody.
type Told struct {
	By    model.Name
	State State
	Until model.Time // "" for Away
}

// New returns the room with its usual limits: a person in a chat has two things told at once, and then one each three
// seconds; a session has twenty, and then two a second.
func New(db *dynamo.Client, now func() time.Time, all *chats.Chats) *Presence {
	return &Presence{
		DB: db, Now: now, Chats: all,
		PerChat:    &Limit{Now: now, Burst: 2, Every: 3 * time.Second},
		PerSession: &Limit{Now: now, Burst: 20, Every: time.Second / 2},
	}
}

// Answer is what whoever says something of themself learns. It is the same whether anybody was told: who is blocked
// cannot tell.
type Answer struct {
	Told
	Repeat time.Duration // after how long it is repeated if it goes on; 0 for not at all
}

// Say tells the members of a chat what somebody does there. It returns the errors of chats.SeeAsMember. Nobody is told
// of who does not show their presence, in a private chat in which one of the two blocks the other, and beyond the
// limits, which live in the memory of the process.
func (p *Presence) Say(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, session model.Name,
	state State) (Answer, error) {
	seen, err := p.Chats.SeeAsMember(ctx, ref, by)
	if err != nil {
		return Answer{}, err
	}
	is := rules[state]
	answer := Answer{Told: Told{By: by.ID, State: state}, Repeat: is.repeat}
	if is.holds > 0 {
		answer.Until = model.At(p.Now().Add(is.holds))
	}
	if by.HidesPresence {
		return answer, nil
	}
	shows, err := p.shows(ctx, seen, by.ID)
	if err != nil || !shows {
		return answer, err
	}
	if wait := max(p.PerChat.Take(string(by.ID+"#"+ref.ID)), p.PerSession.Take(string(session))); wait > 0 {
		answer.Repeat = max(answer.Repeat, wait)
		return answer, nil
	}
	p.Tell(ctx, seen.Chat, answer.Told)
	return answer, nil
}

// shows reports whether somebody's presence may be told in a chat. Of a private one it reads the membership of the
// other, which the chat alone names.
func (p *Presence) shows(ctx context.Context, seen chats.Seen, user model.Name) (bool, error) {
	if seen.Users == nil {
		return true, nil
	}
	if seen.Membership.Blocks {
		return false, nil
	}
	other, err := p.Chats.Other(ctx, seen.Chat, user)
	return err == nil && other.State == communitymodel.Joined && !other.Blocks, err
}
