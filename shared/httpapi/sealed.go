package httpapi

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/sealing"
)

// Cursors seals the cursors of an API's lists with the keys of the stage. A sealed cursor tells nothing, and is good
// only for who got it, in the list and with the filters that it came from.
type Cursors struct {
	// Keys returns the keys, separated by commas: the first one seals, and each of them opens. It is called when a
	// request has or gets a cursor, and not before.
	Keys func(context.Context) (string, error)
	Log  *slog.Logger
}

// maxCursor is more characters than a cursor has.
const maxCursor = 4096

// errNoKeys means that there is nothing to seal a cursor with.
var errNoKeys = errors.New("no key of cursors")

// errNotSealed means that a cursor is none that was sealed here.
var errNotSealed = errors.New("no cursor of this list")

// On returns a handler whose operations seal their cursors.
func (c *Cursors) On(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), cursorsKey{}, c)))
	})
}

type (
	cursorsKey struct{}
	listKey    struct{}
)

const badCursor = "This cursor does not go on here. Send the one that your last page of this list came with, with " +
	"the same filters, or begin " +
	"without a cursor."

func notOfThisList(location string) error {
	return &huma.ErrorDetail{Location: location, Message: "not a cursor of this list"}
}

// InvalidCursor returns the problem for a cursor that the list has not given to the caller. location is its place in
// the request.
func InvalidCursor(location string) error {
	return newProblem(http.StatusBadRequest, badCursor, notOfThisList(location))
}

// Seal returns the text by which the caller of a request goes on behind a position; "" for "".
func Seal(ctx context.Context, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	keys, err := keysOf(ctx)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(keys.Seal(cursor, listOf(ctx))), nil
}

// Open returns what Seal was given. Any other text is a problem of the parameter at location.
func Open(ctx context.Context, location, sealed string) (string, error) {
	if sealed == "" {
		return "", nil
	}
	cursor, err := open(ctx, sealed)
	if errors.Is(err, errNotSealed) {
		return "", InvalidCursor(location)
	}
	return cursor, err
}

func open(ctx context.Context, sealed string) (string, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil || len(sealed) > maxCursor || strings.ContainsAny(sealed, "\r\n") {
		return "", errNotSealed
	}
	keys, err := keysOf(ctx)
	if err != nil {
		return "", err
	}
	if cursor, opened := keys.Open(raw, listOf(ctx)); opened {
		return cursor, nil
	}
	return "", errNotSealed
}

// keysOf returns the keys of the cursors of the API that a request came to.
func keysOf(ctx context.Context) (sealing.Keys, error) {
	cursors, _ := ctx.Value(cursorsKey{}).(*Cursors)
	if cursors == nil {
		return nil, errNoKeys
	}
	text, err := cursors.Keys(ctx)
	if err != nil {
		return nil, fmt.Errorf("keys of cursors: %w", err)
	}
	keys, err := sealing.Derive(text, "haatline cursors")
	if errors.Is(err, sealing.ErrNoKey) {
		return nil, errNoKeys
	}
	return keys, err
}

// listOf returns what a cursor is bound to: the caller, the operation, and of which things and with which filters it
// lists.
func listOf(ctx context.Context) []byte {
	list, _ := ctx.Value(listKey{}).(string)
	return []byte(list)
}

// bindCursors notes which list a request asks for, and opens the cursor that it brings, so that operations see
// positions alone.
func bindCursors(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		address, op := ctx.URL(), ctx.Operation()
		query := address.Query()
		sealed := query.Get("cursor")
		query.Del("cursor")
		query.Del("limit")
		ctx = huma.WithValue(ctx, listKey{},
			fmt.Sprintf("%q",
				[]string{CallerOf(ctx.Context()).Subject, op.OperationID, address.EscapedPath(), query.Encode()}))
		if sealed == "" || !hasCursor(op) {
			next(ctx)
			return
		}
		cursor, err := open(ctx.Context(), sealed)
		switch {
		case errors.Is(err, errNotSealed):
			_ = huma.WriteErr(api, ctx, http.StatusBadRequest, badCursor, notOfThisList("query.cursor"))
		case err != nil:
			if cursors, _ := ctx.Context().Value(cursorsKey{}).(*Cursors); cursors != nil {
				cursors.Log.ErrorContext(ctx.Context(), "cursor not opened", "error", err)
			}
			ctx.SetHeader("Retry-After", strconv.Itoa(RetryAfter))
			_ = huma.WriteErr(api, ctx, http.StatusServiceUnavailable,
				"The key of cursors is not there just now. Try again.")
		default:
			next(opened{ctx, cursor})
		}
	}
}

// request is a huma.Context by a name that its method Context leaves free.
type request = huma.Context

// opened is a request with its cursor opened.
type opened struct {
	request
	cursor string
}

func (o opened) Query(name string) string {
	if name == "cursor" {
		return o.cursor
	}
	return o.request.Query(name)
}

// hasCursor reports whether an operation takes a cursor as a parameter.
func hasCursor(op *huma.Operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == "cursor" })
}
