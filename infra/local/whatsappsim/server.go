package whatsappsim

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options configure a simulator. Only AppSecret must be set.
type Options struct {
	WebhookURL string // the address that gets the webhooks; "": no webhook is posted
	// Carry, if it is set, is asked first about a webhook's body: it hands the body on in another way, as a partner of
	// WhatsApp does for the numbers that it connects. If it reports true, the body is not posted. After an error the
	// simulator tries again.
	Carry func(ctx context.Context, body []byte) (bool, error)
	// GatewayURL is below which the payment gateway posts its webhooks, each at the name of its payment configuration;
	// "": it posts none. GatewaySecret signs them.
	GatewayURL, GatewaySecret string

	FlowURL      string            // the address that is asked for the screens of forms; "": none is opened
	AppSecret    string            // the secret that signs webhooks
	AccessToken  string            // the token that callers must send; "": any token is accepted
	PhoneNumbers map[string]string // phone number id to display number; nil: any id is accepted, with a made-up number
	MediaIDs     []string          // ids of files that exist from the start, without content
	WABAID       string            // the id of the business account; "": a made-up one
	AppID        string            // the id of the access token's app; "": a made-up one
	Fields       []string          // the webhook fields that the app subscribes to; nil: messages
	TemplatesDir string            // a folder of <name>.<language>.json files; "": only hello_world exists
	Now          func() time.Time  // nil: time.Now
	Logger       *slog.Logger      // nil: slog.Default()

	Delays      Delays          // zero: 150, 300 and 900 ms, and 2 s
	RetryDelays []time.Duration // the pauses between attempts at a webhook; nil: 200 ms, 1, 3 and 9 s
	MaxMessages int             // the number of accepted messages that are kept; zero: 10,000
	// RefuseOutsideWindow refuses a message outside the 24-hour window with 131047. WhatsApp accepts the message and
	// fails it later.
	RefuseOutsideWindow bool
}

// Delays are the times from the acceptance of a message to the posting of its statuses, and how long the review of a
// template takes.
type Delays struct{ Sent, Delivered, Read, Review time.Duration }

const (
	defaultPhone     = "106540352242922"
	defaultWABA      = "102290129340398"
	defaultApp       = "670843887433847"
	maxUnderWay      = 10_000 // messages with statuses still to post
	maxPosting       = 16     // webhooks on the wire
	webhookTimeout   = 30 * time.Second
	maxMessageBytes  = 256 << 10
	maxControlBytes  = 4 << 20 // a webhook body is at most 3 MB
	maxCustomers     = 10_000
	defaultRemembers = 10_000
)

// Server is the simulated WhatsApp: an http.Handler for the Graph API and the control API.
type Server struct {
	options   Options
	templates *templates
	mux       *http.ServeMux
	client    *http.Client
	limits    *limits
	accepted  *accepted
	faults    *faults
	customers *customers
	account   *account
	media     *media
	known     *known
	payments  *payments
	samples   *samples
	settings  *settings
	catalogs  *catalogs
	groups    *groups
	calls     *calls
	flows     *flows
	insights  *insights
	payWays   *payWays

	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	mu       sync.Mutex // guards closed against the start of background work
	closed   bool
	running  sync.WaitGroup
	underWay chan struct{}
	posting  chan struct{}
}

// New checks the options and reads the templates. The server posts webhooks until Close.
func New(options Options) (*Server, error) {
	loaded, templatesErr := loadTemplates(options.TemplatesDir)
	if err := errors.Join(options.validate(), templatesErr); err != nil {
		return nil, fmt.Errorf("simulated WhatsApp: %w", err)
	}
	options.setDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		options: options, templates: newTemplates(loaded),
		client: &http.Client{
			Timeout:       webhookTimeout,
			Transport:     &http.Transport{MaxIdleConnsPerHost: maxPosting},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		limits: newLimits(), accepted: newAccepted(options.MaxMessages), faults: &faults{}, customers: newCustomers(),
		account: newAccount(options), media: newMedia(options.MediaIDs), known: newKnown(),
		payments: newPayments(), payWays: &payWays{of: map[string]payWay{}},
		samples: newSamples(), settings: newSettings(), catalogs: newCatalogs(),
		groups: &groups{of: map[string]*group{}}, calls: newCalls(),
		flows: &flows{}, insights: newInsights(),
		ctx: ctx, cancel: cancel,
		underWay: make(chan struct{}, maxUnderWay), posting: make(chan struct{}, maxPosting),
	}
	s.mux = s.routes()
	return s, nil
}

func (o Options) validate() error {
	var wrong []error
	if o.AppSecret == "" {
		wrong = append(wrong, errors.New("no app secret"))
	}
	if u, err := url.Parse(o.WebhookURL); o.WebhookURL != "" && (err != nil || u.Host == "") {
		wrong = append(wrong, fmt.Errorf("webhook URL %q is not one", o.WebhookURL))
	}
	if o.MaxMessages < 0 {
		wrong = append(wrong, fmt.Errorf("cannot remember %d messages", o.MaxMessages))
	}
	return errors.Join(wrong...)
}

func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.WABAID == "" {
		o.WABAID = defaultWABA
	}
	if o.AppID == "" {
		o.AppID = defaultApp
	}
	if o.Fields == nil {
		o.Fields = []string{"messages"}
	}
	if o.MaxMessages == 0 {
		o.MaxMessages = defaultRemembers
	}
	if o.Delays == (Delays{}) {
		o.Delays = Delays{Sent: 150 * time.Millisecond, Delivered: 300 * time.Millisecond, Read: 900 * time.Millisecond,
			Review: 2 * time.Second}
	}
	if o.RetryDelays == nil {
		o.RetryDelays = []time.Duration{200 * time.Millisecond, time.Second, 3 * time.Second, 9 * time.Second}
	}
	o.PhoneNumbers = maps.Clone(o.PhoneNumbers)
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{version}/{id}/messages", s.authorized(s.ofNumber(s.handleMessages)))
	mux.HandleFunc("POST /{version}/{id}/marketing_messages", s.authorized(s.ofNumber(s.handleMarketing)))
	mux.HandleFunc("POST /{version}/{id}/media", s.authorized(s.ofNumber(s.handleUpload)))
	mux.HandleFunc("DELETE /{version}/{id}", s.authorized(s.handleDelete))
	mux.HandleFunc("GET "+downloadPath+"{id}/{until}", s.handleDownload)
	mux.HandleFunc("GET /{version}/{id}/message_templates", s.authorized(s.handleTemplates))
	mux.HandleFunc("POST /{version}/{id}/message_templates", s.authorized(s.ofBusiness(s.handleCreateTemplate)))
	mux.HandleFunc("DELETE /{version}/{id}/message_templates", s.authorized(s.ofBusiness(s.handleDeleteTemplate)))
	mux.HandleFunc("POST /{version}/{id}", s.authorized(s.handleEditTemplate))
	mux.HandleFunc("POST /{version}/{id}/uploads", s.authorized(s.handleBeginSample))
	mux.HandleFunc("GET /{version}/{id}", s.authorized(s.handleObject))
	mux.HandleFunc("GET /{version}/message_template_library", s.authorized(s.handleLibrary))
	mux.HandleFunc("GET /{version}/debug_token", s.authorized(s.handleDebugToken))
	mux.HandleFunc("GET /{version}/{id}/phone_numbers", s.authorized(s.ofBusiness(s.handlePhoneNumbers)))
	mux.HandleFunc("GET /{version}/{id}/subscribed_apps", s.authorized(s.ofBusiness(s.handleSubscribedApps)))
	mux.HandleFunc("POST /{version}/{id}/subscribed_apps", s.authorized(s.ofBusiness(s.handleSubscribe(true))))
	mux.HandleFunc("DELETE /{version}/{id}/subscribed_apps", s.authorized(s.ofBusiness(s.handleSubscribe(false))))
	mux.HandleFunc("GET /{version}/{id}/subscriptions", s.asApp(s.handleSubscriptions))
	mux.HandleFunc("POST /{version}/{id}/subscriptions", s.asApp(s.handleSetSubscription))
	mux.HandleFunc("GET /{version}/{id}/template_analytics",
		s.authorized(s.ofBusiness(s.handleTemplateInsights)))
	mux.HandleFunc("PUT /simulator/insights", s.handleConfirmInsights)
	s.numberRoutes(mux)
	s.catalogRoutes(mux)
	s.groupRoutes(mux)
	s.callRoutes(mux)
	s.flowRoutes(mux)
	mux.HandleFunc("GET /{version}/{id}/payments/{configuration}/{reference}",
		s.authorized(s.ofNumber(s.handlePayment)))
	mux.HandleFunc("POST /{version}/{id}/payment_configuration", s.authorized(s.ofBusiness(s.handleCreatePayWay)))
	mux.HandleFunc("DELETE /{version}/{id}/payment_configuration", s.authorized(s.ofBusiness(s.handleDeletePayWay)))
	mux.HandleFunc("GET /{version}/{id}/payment_configuration/{configuration}",
		s.authorized(s.ofBusiness(s.handlePayWay)))
	mux.HandleFunc("POST /{version}/{id}/payments_refund", s.authorized(s.ofNumber(s.handleRefund)))
	mux.HandleFunc("POST /simulator/pay", s.handlePay)
	mux.HandleFunc("POST /simulator/say", s.handleSay)
	mux.HandleFunc("POST /simulator/fill", s.handleFill)
	mux.HandleFunc("POST /simulator/webhook", s.handleWebhook)
	mux.HandleFunc("GET /simulator/messages", s.handleListMessages)
	mux.HandleFunc("DELETE /simulator/messages", s.handleClearMessages)
	mux.HandleFunc("POST /simulator/faults", s.handleSetFault)
	mux.HandleFunc("GET /simulator/faults", s.handleListFaults)
	mux.HandleFunc("DELETE /simulator/faults", s.handleClearFaults)
	mux.HandleFunc("PUT /simulator/account", s.handleSetAccount)
	mux.HandleFunc("GET /simulator/account", s.handleGetAccount)
	mux.HandleFunc("POST /simulator/numbers", s.handleAddNumber)
	mux.HandleFunc("DELETE /simulator/account", s.handleClearAccount)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeGraphError(w, unknownPath(r))
	})
	return mux
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Close ends what is under way and waits for it. Statuses still to come are not posted.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.running.Wait()
	s.client.CloseIdleConnections()
}

// background runs work that Close waits for; after Close it runs nothing.
func (s *Server) background(work func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.running.Go(work)
	}
}

// displayNumber is the number people see; for an id nobody configured, one from the range kept for fiction.
func (s *Server) displayNumber(phone string) string {
	if number := s.options.PhoneNumbers[phone]; number != "" {
		return number
	}
	sum := fnv.New32a()
	sum.Write([]byte(phone))
	return fmt.Sprintf("155501%05d", sum.Sum32()%100_000)
}

// defaultPhoneNumberID is the number that customers write to where they do not say which.
func (s *Server) defaultPhoneNumberID() string {
	if len(s.options.PhoneNumbers) == 0 {
		return defaultPhone
	}
	return slices.Sorted(maps.Keys(s.options.PhoneNumbers))[0]
}

// Directions of a message in its id, as WhatsApp writes them.
const (
	fromCustomer = 0x12
	toCustomer   = 0x11
)

// newMessageID makes an id of WhatsApp's form: an envelope around the other side and 9 random bytes in hex.
func newMessageID(direction byte, other string) string {
	var random [9]byte
	_, _ = rand.Read(random[:]) // documented never to fail
	name := strings.ToUpper(hex.EncodeToString(random[:]))
	raw := append([]byte{0x1c, 0x18, byte(len(other))}, other...)
	raw = append(raw, 0x15, 0x02, 0x00, direction, 0x18, byte(len(name)))
	raw = append(append(raw, name...), 0)
	return "wamid." + base64.StdEncoding.EncodeToString(raw)
}

// newMediaID makes an id of the form WhatsApp gives to media.
func newMediaID() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // documented never to fail
	return strconv.FormatUint(binary.BigEndian.Uint64(random[:])>>14, 10)
}

// hashOf is a SHA-256 as webhooks carry it, of something.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}
