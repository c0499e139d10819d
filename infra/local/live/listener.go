package live

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/model"
)

const (
	// protocol is the WebSocket's sub-protocol. headerPrefix begins another one, which holds the headers that say who
	// connects: a web page can send no header with a WebSocket.
	protocol     = "aws-appsync-event-ws"
	headerPrefix = "header-"

	aliveEvery = time.Minute
	quietLimit = 5 * time.Minute
	backlog    = 100 // messages that wait for a slow listener, who then loses the connection
)

// message is what both sides write.
type message struct {
	Type          string            `json:"type"`
	ID            string            `json:"id,omitempty"`
	Channel       string            `json:"channel,omitempty"`
	Authorization map[string]string `json:"authorization,omitempty"`
	Timeout       int64             `json:"connectionTimeoutMs,omitempty"`
	Event         string            `json:"event,omitempty"` // its JSON, as text
	Errors        []failure         `json:"errors,omitempty"`
}

// listener is a connection.
type listener struct {
	server *Server
	out    chan message
	end    context.CancelFunc
}

// listen serves a connection until its end.
func (s *Server) listen(w http.ResponseWriter, r *http.Request) {
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{protocol}, InsecureSkipVerify: true}) // the origin has been checked
	if err != nil {
		return
	}
	defer socket.CloseNow()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if socket.Subprotocol() != protocol {
		_ = wsjson.Write(ctx, socket, message{Type: "connection_error", Errors: []failure{
			{"SubProtocolNotSupportedError", "the sub-protocol is " + protocol, http.StatusBadRequest}}})
		socket.Close(websocket.StatusPolicyViolation, "the sub-protocol is "+protocol)
		return
	}
	if !s.admits(ctx, connecting(r), admission.Connect, "") {
		_ = wsjson.Write(ctx, socket, message{Type: "connection_error", Errors: []failure{unauthorized}})
		socket.Close(websocket.StatusPolicyViolation, unauthorized.Message)
		return
	}
	l := &listener{server: s, out: make(chan message, backlog), end: cancel}
	defer s.forget(l)
	go l.write(ctx, socket)
	for {
		var in message
		if err := wsjson.Read(ctx, socket, &in); err != nil {
			return
		}
		l.answer(ctx, in)
	}
}

var unauthorized = failure{
	"UnauthorizedException", "You are not authorized to make this call.", http.StatusUnauthorized}

// connecting returns the authorization of a connection: a header, or a member of the sub-protocol's object.
func connecting(r *http.Request) string {
	for _, line := range r.Header.Values("Sec-Websocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			encoded, is := strings.CutPrefix(strings.TrimSpace(name), headerPrefix)
			if !is {
				continue
			}
			var headers map[string]string
			text, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encoded, "="))
			if err == nil && json.Unmarshal(text, &headers) == nil {
				return authorizationOf(headers)
			}
		}
	}
	return r.Header.Get("Authorization")
}

func authorizationOf(headers map[string]string) string {
	for name, value := range headers {
		if strings.EqualFold(name, "Authorization") {
			return value
		}
	}
	return ""
}

// write writes what there is to write, and a sign of life now and then.
func (l *listener) write(ctx context.Context, socket *websocket.Conn) {
	defer l.end()
	every := l.server.Alive
	if every == 0 {
		every = aliveEvery
	}
	alive := time.NewTicker(every)
	defer alive.Stop()
	for {
		out := message{Type: "ka"}
		select {
		case <-ctx.Done():
			return
		case out = <-l.out:
		case <-alive.C:
		}
		if wsjson.Write(ctx, socket, out) != nil {
			return
		}
	}
}

// answer does what a message says.
func (l *listener) answer(ctx context.Context, in message) {
	switch in.Type {
	case "connection_init":
		l.say(message{Type: "connection_ack", Timeout: quietLimit.Milliseconds()})
		l.say(message{Type: "ka"})
	case "subscribe":
		if wrong := l.subscribe(ctx, in); wrong != nil {
			l.say(message{Type: "subscribe_error", ID: in.ID, Errors: []failure{*wrong}})
		}
	case "unsubscribe":
		l.server.leave(l, in.ID)
		l.say(message{Type: "unsubscribe_success", ID: in.ID})
	case "publish": // only functions publish
		l.say(message{Type: "publish_error", ID: in.ID, Errors: []failure{unauthorized}})
	default:
		l.say(message{Type: "error", ID: in.ID, Errors: []failure{
			{"UnsupportedOperation", "Operation not supported through the realtime channel", http.StatusBadRequest}}})
	}
}

// subscribe begins a subscription, or returns why not.
func (l *listener) subscribe(ctx context.Context, in message) *failure {
	channel, is := live.Parse(in.Channel)
	switch {
	case in.ID == "" || !is:
		return &failure{"BadRequestException", "a subscription has an id and a channel", http.StatusBadRequest}
	case !l.server.admits(ctx, authorizationOf(in.Authorization), admission.Subscribe, channel):
		return &unauthorized
	}
	s := l.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.listeners[l][in.ID]; taken {
		return &failure{"DuplicatedOperationError", "the id has a subscription already", http.StatusBadRequest}
	}
	if s.listeners == nil {
		s.listeners = map[*listener]map[string]live.Channel{}
	}
	if s.listeners[l] == nil {
		s.listeners[l] = map[string]live.Channel{}
	}
	s.listeners[l][in.ID] = channel
	l.say(message{Type: "subscribe_success", ID: in.ID}) // before anything that is published from now on
	return nil
}

// say has a message written. A connection that is too slow for what there is to say ends, as in AppSync.
func (l *listener) say(out message) {
	select {
	case l.out <- out:
	default:
		l.end()
	}
}

// leave ends a subscription.
func (s *Server) leave(l *listener, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners[l], id)
}

// forget ends all subscriptions of a connection.
func (s *Server) forget(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
}

// admits reports whether somebody may connect, or subscribe to a channel. A person in a session is asked about where
// AppSync would ask. An operator's token is verified here, and they may listen to the numbers of their tenants.
func (s *Server) admits(ctx context.Context, authorization, operation string, channel live.Channel) bool {
	if !strings.HasPrefix(authorization, admission.TokenPrefix) {
		claims, err := s.Verifier.Verify(authorization)
		return err == nil && (operation == admission.Connect || operatorMay(claims, channel))
	}
	var asked admission.Request
	asked.AuthorizationToken = authorization
	asked.RequestContext.Operation, asked.RequestContext.Channel = operation, string(channel)
	if channel != "" {
		asked.RequestContext.Namespace = live.Namespace
	}
	answer, err := s.Admit(ctx, asked)
	if err != nil {
		s.Log.WarnContext(ctx, "nobody can tell who may listen", "error", err)
	}
	return err == nil && answer.IsAuthorized
}

// operatorMay does what the handler of the namespace does in AWS.
func operatorMay(claims map[string]any, channel live.Channel) bool {
	for group := range strings.FieldsSeq(strings.Trim(identity.Flatten(claims)["cognito:groups"], "[]")) {
		tenant, is := strings.CutPrefix(group, "tenant:")
		if channel.Kind() == live.KindNumber && (group == "platform" || is && channel.Of(model.TenantID(tenant))) {
			return true
		}
	}
	return false
}
