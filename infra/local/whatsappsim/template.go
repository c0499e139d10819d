package whatsappsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	placeholderForm  = regexp.MustCompile(`\{\{\s*([0-9a-z_]+)\s*\}\}`)
	templateNameForm = regexp.MustCompile(`^[a-z0-9_]{1,512}$`)
	languageForm     = regexp.MustCompile(`^[a-z]{2,3}(_[A-Z]{2})?$`)
)

// template is a message template: the body that creates it at message_templates, and what became of it.
type template struct {
	Name            string              `json:"name"`
	Language        string              `json:"language"`
	Category        string              `json:"category"`
	ParameterFormat string              `json:"parameter_format,omitempty"`
	Components      []templateComponent `json:"components"`
	LibraryName     string              `json:"library_template_name,omitempty"`
	LibraryButtons  json.RawMessage     `json:"library_template_button_inputs,omitempty"`
	LibraryBody     json.RawMessage     `json:"library_template_body_inputs,omitempty"`

	raw    []json.RawMessage // the components as they were given; nil for those of the simulator
	number string            // the id of one that was created; "" for one that was there from the start
	status string            // "" for one that was approved from the start
	edits  []time.Time       // while it was approved
}

type templateComponent struct {
	Type    string           `json:"type"`
	Format  string           `json:"format,omitempty"`
	Text    string           `json:"text,omitempty"`
	Example *templateExample `json:"example,omitempty"`
	Buttons []templateButton `json:"buttons,omitempty"`
	Offer   *templateOffer   `json:"limited_time_offer,omitempty"`
	Cards   []templateCard   `json:"cards,omitempty"`
}

// templateOffer is what a component of the type LIMITED_TIME_OFFER shows.
type templateOffer struct {
	Text          string `json:"text"`
	HasExpiration bool   `json:"has_expiration"`
}

// templateCard is a card of a carousel, a template of its own.
type templateCard struct {
	Components []templateComponent `json:"components"`
}

type templateExample struct {
	HeaderText   []string       `json:"header_text,omitempty"`
	HeaderHandle []string       `json:"header_handle,omitempty"`
	HeaderNamed  []namedExample `json:"header_text_named_params,omitempty"`
	BodyText     [][]string     `json:"body_text,omitempty"`
	BodyNamed    []namedExample `json:"body_text_named_params,omitempty"`
}

type namedExample struct {
	Name    string `json:"param_name"`
	Example string `json:"example"`
}

type templateButton struct {
	Type        string          `json:"type"`
	Text        string          `json:"text,omitempty"`
	URL         string          `json:"url,omitempty"`
	PhoneNumber string          `json:"phone_number,omitempty"`
	OTPType     string          `json:"otp_type,omitempty"`
	Example     json.RawMessage `json:"example,omitempty"` // a string or a list of strings, by the type of button
}

// id is what WhatsApp would number the template with. That of one that was there from the start is stable over
// restarts.
func (t template) id() string {
	if t.number != "" {
		return t.number
	}
	sum := fnv.New64a()
	sum.Write([]byte(t.Name + "." + t.Language))
	return strconv.FormatUint(sum.Sum64()>>14, 10)
}

func (t template) component(kind string) templateComponent {
	at := slices.IndexFunc(t.Components, func(c templateComponent) bool { return strings.EqualFold(c.Type, kind) })
	if at < 0 {
		return templateComponent{}
	}
	return t.Components[at]
}

// variables are the placeholders of a text in the order of their first appearance: {{1}}, or {{name}}.
func variables(text string) []string {
	var names []string
	for _, match := range placeholderForm.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	return names
}

func helloWorld() template {
	return template{
		Name: "hello_world", Language: "en_US", Category: "UTILITY",
		Components: []templateComponent{
			{Type: "HEADER", Format: "TEXT", Text: "Hello World"},
			{Type: "BODY",
				Text: "Welcome and congratulations!! This message demonstrates your ability to send a WhatsApp " +
					"message notification from the Cloud API, hosted by Meta. Thank you for taking the time to " +
					"test with us."},
			{Type: "FOOTER", Text: "WhatsApp Business Platform sample message"},
		},
	}
}

// loadTemplates reads <name>.<language>.json of a folder. An empty folder name stands for none, a missing folder is an
// error, and so is a file that WhatsApp would not take as the creation of the template its name says.
func loadTemplates(dir string) ([]template, error) {
	loaded := []template{helloWorld()}
	if dir == "" {
		return loaded, nil
	}
	files, err := fs.Glob(os.DirFS(dir), "*.json")
	if err != nil {
		return nil, fmt.Errorf("list templates in %s: %w", dir, err)
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	var wrong []error
	for _, file := range files {
		t, err := loadTemplate(filepath.Join(dir, file))
		if err != nil {
			wrong = append(wrong, fmt.Errorf("template %s: %w", file, err))
		}
		loaded = append(loaded, t)
	}
	return loaded, errors.Join(wrong...)
}

func loadTemplate(path string) (template, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return template{}, err
	}
	t, err := decodeTemplate(raw)
	if err != nil {
		return template{}, err
	}
	if want := t.Name + "." + t.Language + ".json"; filepath.Base(path) != want {
		return t, fmt.Errorf("holds what belongs in %s", want)
	}
	return t, t.validate()
}

// decodeTemplate decodes a template and keeps its components as they are given.
func decodeTemplate(text []byte) (t template, err error) {
	var given struct {
		Components []json.RawMessage `json:"components"`
	}
	if err := errors.Join(json.Unmarshal(text, &t), json.Unmarshal(text, &given)); err != nil {
		return template{}, err
	}
	t.raw = given.Components
	return t, nil
}

// validate says everything for which WhatsApp would refuse to create the template.
func (t template) validate() error {
	var wrong []error
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if !templateNameForm.MatchString(t.Name) {
		report("name %q is not in lower case, digits and underscores", t.Name)
	}
	if !languageForm.MatchString(t.Language) {
		report("language %q is not a language code", t.Language)
	}
	if !slices.Contains([]string{"AUTHENTICATION", "MARKETING", "UTILITY"}, t.Category) {
		report("category %q is not known", t.Category)
	}
	body := t.component("BODY")
	if len([]rune(body.Text)) > 1024 || (body.Text == "" && t.Category != "AUTHENTICATION") {
		report("the body must have 1 to 1024 characters")
	}
	if trimmed := strings.TrimSpace(body.Text); strings.HasPrefix(trimmed, "{{") || strings.HasSuffix(trimmed, "}}") {
		report("the body must not start or end with a variable")
	}
	if names := variables(body.Text); len(names) != body.examples() {
		report("the body has %d variables and examples for %d", len(names), body.examples())
	}
	if header := t.component("HEADER"); len(variables(header.Text)) > 1 || len([]rune(header.Text)) > 60 {
		report("the header must have at most one variable and 60 characters")
	}
	if len([]rune(t.component("FOOTER").Text)) > 60 {
		report("the footer must have at most 60 characters")
	}
	for _, button := range t.component("BUTTONS").Buttons {
		if n := len([]rune(button.Text)); n > 25 || (n == 0 && button.Type != "COPY_CODE" && button.Type != "OTP") {
			report("the text of a button must have 1 to 25 characters")
		}
	}
	wrong = append(wrong, t.mismatched()...)
	return errors.Join(wrong...)
}

func (c templateComponent) examples() int {
	switch {
	case c.Example == nil:
		return 0
	case len(c.Example.BodyNamed) > 0:
		return len(c.Example.BodyNamed)
	case len(c.Example.BodyText) > 0:
		return len(c.Example.BodyText[0])
	}
	return 0
}
