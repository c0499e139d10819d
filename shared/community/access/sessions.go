package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sessiontoken"
	"github.com/haatline/haatline/shared/tables"
)

const (
	accessLife  = 10 * time.Minute
	sessionLife = 30 * 24 * time.Hour // after it was used last
	// grace is how long a refresh token is taken again after it was used: the answer may have been lost.
	grace = time.Minute
	// seenEvery is how often it is written down that somebody is there.
	seenEvery = time.Minute

	secretLength = 32 // bytes of a refresh token's secret
)

// Signed is what somebody has who is signed in.
type Signed struct {
	User    communitymodel.User
	Session model.Name
	// Access is the access token.
	Access        string
	AccessExpires model.Time
	// Refresh is the refresh token, {sessionId}.{secret}.
	Refresh        string
	RefreshExpires model.Time
}

// SessionRef refers to a session.
func SessionRef(id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CommunityUsers, Key: keys.SignIn(id)}
}

// newSession returns a new session of a person, and the secret of its refresh token.
func (a *Access) newSession(user communitymodel.User) (communitymodel.Session, []byte) {
	secret := a.random(secretLength)
	return a.sessionOf(user, model.Name(a.NewID()), secret), secret
}

func (a *Access) sessionOf(user communitymodel.User, id model.Name, secret []byte) communitymodel.Session {
	return communitymodel.Session{
		PK: keys.SignIn(id).Partition, ID: id, UserID: user.ID, TenantID: user.TenantID, Epoch: user.Epoch,
		Hash: secretHash(secret), CreatedAt: model.At(a.Now()), ExpiresAt: a.Now().Add(sessionLife).Unix(),
	}
}

func secretHash(secret []byte) string {
	hash := sha256.Sum256(secret)
	return hex.EncodeToString(hash[:])
}

// signed returns what somebody gets for a session.
func (a *Access) signed(ctx context.Context, user communitymodel.User, session communitymodel.Session,
	secret []byte) (Signed, error) {
	expires := a.Now().Add(accessLife).Truncate(time.Second)
	token, err := a.Tokens.Sign(ctx, sessiontoken.Token{
		Subject: user.ID, Session: session.ID, Tenant: user.TenantID, Expires: expires})
	if err != nil {
		return Signed{}, fmt.Errorf("sign an access token: %w", err)
	}
	return Signed{
		User: user, Session: session.ID, Access: token, AccessExpires: model.At(expires),
		Refresh:        string(session.ID) + "." + base64.RawURLEncoding.EncodeToString(secret),
		RefreshExpires: model.At(time.Unix(session.ExpiresAt, 0)),
	}, nil
}

// Refresh replaces a refresh token. The token before is taken again for a minute and gets the same new one, because an
// answer may have been lost. After that it was stolen, or its thief has used it: the session ends. It returns ErrEnded
// and ErrDisabled.
func (a *Access) Refresh(ctx context.Context, token string) (signed Signed, err error) {
	id, secret, err := readRefresh(token)
	if err != nil {
		return signed, err
	}
	nonce := a.random(secretLength)
	return signed, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		var session communitymodel.Session
		err := a.DB.Get(ctx, tables.CommunityUsers, keys.SignIn(id), &session)
		if errors.Is(err, dynamo.ErrNotFound) {
			return ErrEnded
		}
		if err != nil {
			return err
		}
		user, err := a.Users.Of(ctx, session.TenantID, session.UserID)
		if errors.Is(err, dynamo.ErrNotFound) {
			return ErrEnded
		}
		if err != nil {
			return err
		}
		if err := a.holds(session, user); err != nil {
			return err
		}
		next, err := a.rotate(ctx, &session, secret, nonce)
		if err != nil {
			return err
		}
		signed, err = a.signed(ctx, user, session, next)
		return err
	})
}

// readRefresh takes a refresh token apart. It returns ErrEnded for what is none.
func readRefresh(token string) (id model.Name, secret []byte, err error) {
	first, last, _ := strings.Cut(token, ".")
	if id, err = model.Parse[model.Name](first); err != nil {
		return "", nil, ErrEnded
	}
	secret, err = base64.RawURLEncoding.DecodeString(last)
	if err != nil || len(secret) != secretLength {
		return "", nil, ErrEnded
	}
	return id, secret, nil
}

// rotate returns the secret that follows a secret of a session, and stores its hash. The next secret follows from the
// one before and from a nonce, which is stored: whoever repeats a request gets the same one, and who reads the table
// gets none. The condition is that the session's secret is as it was read.
func (a *Access) rotate(ctx context.Context, session *communitymodel.Session, secret, nonce []byte) ([]byte, error) {
	is := secretHash(secret)
	switch {
	case same(is, session.Hash):
	case !same(is, session.FormerHash):
		return nil, ErrEnded
	case a.Now().Sub(session.RotatedAt.Go()) <= grace:
		return following(secret, session.Nonce), nil
	default:
		return nil, a.end(ctx, *session)
	}
	next := following(secret, nonce)
	expires := a.Now().Add(sessionLife).Unix()
	err := a.DB.Update(ctx, dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.SignIn(session.ID),
		Do: "SET #Hash = :next, FormerHash = :is, Nonce = :nonce, RotatedAt = :now, ExpiresAt = :expires",
		If: "#Hash = :is",
		Values: dynamo.Item{
			":next": dynamo.S(secretHash(next)), ":is": dynamo.S(is), ":nonce": dynamo.Binary(nonce),
			":now": dynamo.S(model.At(a.Now())), ":expires": dynamo.N(expires)},
	})
	session.ExpiresAt = expires
	return next, dynamo.Conflict(err)
}

// same compares hashes in constant time.
func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// following returns the secret that follows another one.
func following(secret, nonce []byte) []byte {
	mac := hmac.New(sha256.New, nonce)
	mac.Write(secret)
	return mac.Sum(nil)
}

// end ends a session of which two people have the tokens, and returns ErrEnded. Its condition is that the session is as
// it was read.
func (a *Access) end(ctx context.Context, session communitymodel.Session) error {
	err := a.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.CommunityUsers, Key: keys.SignIn(session.ID), If: "#Hash = :was",
		Values: dynamo.Item{":was": dynamo.S(session.Hash)}}})
	if err != nil {
		return dynamo.Conflict(err)
	}
	return ErrEnded
}

// holds returns why a session of a person is over, or ErrDisabled.
func (a *Access) holds(session communitymodel.Session, user communitymodel.User) error {
	switch {
	case session.UserID == "", session.UserID != user.ID, session.ExpiresAt <= a.Now().Unix(), user.ErasedAt != "":
		return ErrEnded
	case user.DisabledAt != "":
		return ErrDisabled
	case session.Epoch != user.Epoch:
		return ErrEnded
	}
	return nil
}

// Identify returns the person of an access token, whose session goes on, and writes down that they are there. It
// returns ErrEnded and ErrDisabled.
func (a *Access) Identify(ctx context.Context, session, user model.Name) (communitymodel.User, error) {
	if session == "" || user == "" {
		return communitymodel.User{}, ErrEnded
	}
	refs := []dynamo.Ref{SessionRef(session), users.Ref(user)}
	found, err := a.DB.BatchGet(ctx, refs)
	if err != nil {
		return communitymodel.User{}, fmt.Errorf("identify a person: %w", err)
	}
	var of communitymodel.Session
	var person communitymodel.User
	if err := errors.Join(dynamo.Unmarshal(refs[0].Found(found), &of),
		dynamo.Unmarshal(refs[1].Found(found), &person)); err != nil {
		return person, err
	}
	if err := a.holds(of, person); err != nil {
		return communitymodel.User{}, err
	}
	a.seen(ctx, &person)
	return person, nil
}

// seen writes down that a person is there, at most once a minute. It is no part of what they do: that it fails, or that
// another request has written it, stops nothing.
func (a *Access) seen(ctx context.Context, user *communitymodel.User) {
	now := model.At(a.Now())
	if a.Now().Sub(user.LastSeenAt.Go()) < seenEvery {
		return
	}
	values := dynamo.Item{":now": dynamo.S(now)}
	was := dynamo.SameText("LastSeenAt", user.LastSeenAt, values)
	err := a.DB.Update(ctx, dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(user.ID), Do: "SET LastSeenAt = :now",
		If: "attribute_exists(pk) AND attribute_not_exists(ErasedAt) AND " + was, Values: values,
	})
	if err == nil {
		user.LastSeenAt = now
	}
}

// SignOut ends a person's session. It changes nothing if the session has ended.
func (a *Access) SignOut(ctx context.Context, session model.Name) error {
	if err := a.DB.Transact(ctx, []dynamo.Write{ended(session)}); err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return nil
}

// ended returns the write that ends a session, which may have ended already.
func ended(session model.Name) dynamo.Delete {
	return dynamo.Delete{Table: tables.CommunityUsers, Key: keys.SignIn(session), If: dynamo.Unconditional}
}

// SignOutEverywhere ends all sessions of a person. The condition is that they have not ended since the person was read.
func (a *Access) SignOutEverywhere(ctx context.Context, user communitymodel.User) error {
	values := dynamo.Item{":one": dynamo.N(1)}
	err := a.DB.Update(ctx, dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(user.ID), Do: "ADD #Epoch :one, #Version :one",
		If: "attribute_exists(pk) AND " + dynamo.SameNumber("#Epoch", user.Epoch, values), Values: values,
	})
	return dynamo.IgnoreConditionFailed(err)
}
