package content

import (
	"fmt"
	"strings"
)

// Header stands above an interactive message: a text, or a file.
type Header struct {
	Type     string `json:"type" enum:"text,image,video,document" doc:"What the header holds."`
	Text     string `json:"text,omitempty" maxLength:"60" lines:"1" doc:"The text of a text header."`
	MediaID  string `json:"mediaId,omitempty" maxLength:"512" doc:"The id of a file that was uploaded with upload-media."`
	MetaID   string `json:"metaId,omitempty" maxLength:"512" doc:"Meta's id of a file that was uploaded to Meta without haatline."`
	Link     string `json:"link,omitempty" maxLength:"2000" format:"uri" doc:"Where Meta fetches the file."`
	Filename string `json:"filename,omitempty" maxLength:"240" doc:"The name under which the customer sees a document."`
}

func (h Header) rules() (found Faults) {
	if h.Type == "text" {
		found.unless(h.Text != "", "text", "required for a header of type text")
		return found
	}
	return File{h.MediaID, h.MetaID, h.Link}.rules()
}

func (h Header) graph() any {
	if h.Type == "text" {
		return object{"type": "text", "text": h.Text}
	}
	file := plain(File{h.MediaID, h.MetaID, h.Link})
	if h.Type == "document" {
		with(file, "filename", h.Filename)
	}
	return object{"type": h.Type, h.Type: file}
}

// Frame is what most interactive messages have around their action.
type Frame struct {
	Header *Header `json:"header,omitempty" doc:"Stands above the text."`
	Body   string  `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
	Footer string  `json:"footer,omitempty" maxLength:"60" doc:"Stands below the text, in small letters."`
}

// around returns an interactive message with an action.
func (f Frame) around(kind string, action object) any {
	message := interactive(kind, f.Body, f.Footer, action)
	if f.Header != nil {
		message["header"] = f.Header.graph()
	}
	return message
}

// interactive returns an interactive message without a header.
func interactive(kind, body, footer string, action object) object {
	message := object{"type": kind, "action": action}
	if body != "" {
		message["body"] = object{"text": body}
	}
	if footer != "" {
		message["footer"] = object{"text": footer}
	}
	return message
}

// named returns an action with a name and its parameters.
func named(name string, parameters object) object {
	return with(object{"name": name}, "parameters", parameters)
}

// Button is a button that the customer taps to answer. The answer brings back its id.
type Button struct {
	ID    string `json:"id" minLength:"1" maxLength:"256" doc:"What the answer brings back; each button has its own."`
	Title string `json:"title" minLength:"1" maxLength:"20" lines:"1" doc:"What stands on the button; each button has its own."`
}

// Buttons is a question with up to three buttons.
type Buttons struct {
	Frame
	Buttons []Button `json:"buttons" minItems:"1" maxItems:"3" doc:"What the customer can answer."`
}

func (c Buttons) graph() any {
	buttons := listOf(c.Buttons, func(_ int, b Button) any { return object{"type": "reply", "reply": plain(b)} })
	return c.around("button", object{"buttons": buttons})
}

func (c Buttons) rules() Faults { return distinctButtons(c.Buttons) }

func distinctButtons(buttons []Button) (found Faults) {
	ids, titles := map[string]bool{}, map[string]bool{}
	for i, b := range buttons {
		at := fmt.Sprintf("buttons[%d]", i)
		found.unless(!ids[b.ID], at+".id", "another button has this id")
		found.unless(!titles[b.Title], at+".title", "another button has this title")
		found.unless(strings.TrimSpace(b.ID) == b.ID, at+".id", "must not begin or end with a space")
		ids[b.ID], titles[b.Title] = true, true
	}
	return found
}

// Row is a row of a list.
type Row struct {
	ID          string `json:"id" minLength:"1" maxLength:"200" doc:"What the answer brings back; each row has its own."`
	Title       string `json:"title" minLength:"1" maxLength:"24" lines:"1" doc:"What stands in the row."`
	Description string `json:"description,omitempty" maxLength:"72" doc:"What stands below it."`
}

// Section is a part of a list.
type Section struct {
	Title string `json:"title,omitempty" maxLength:"24" lines:"1" doc:"The heading; required where there are several sections."`
	Rows  []Row  `json:"rows" minItems:"1" maxItems:"10" doc:"The rows."`
}

// List is a question with a list of up to ten rows.
type List struct {
	Header   string    `json:"header,omitempty" maxLength:"60" lines:"1" doc:"Stands above the text."`
	Body     string    `json:"body" minLength:"1" maxLength:"4096" doc:"The text."`
	Footer   string    `json:"footer,omitempty" maxLength:"60" doc:"Stands below the text, in small letters."`
	Button   string    `json:"button" minLength:"1" maxLength:"20" lines:"1" doc:"What stands on the button that opens the list."`
	Sections []Section `json:"sections" minItems:"1" maxItems:"10" doc:"The parts of the list, with ten rows in all."`
}

func (c List) graph() any {
	message := interactive("list", c.Body, c.Footer,
		object{"button": c.Button, "sections": listOf(c.Sections, func(_ int, s Section) any { return plain(s) })})
	return withTextHeader(message, c.Header)
}

func withTextHeader(message object, header string) object {
	if header != "" {
		message["header"] = object{"type": "text", "text": header}
	}
	return message
}

func (c List) rules() (found Faults) {
	rows, ids := 0, map[string]bool{}
	for i, s := range c.Sections {
		found.unless(s.Title != "" || len(c.Sections) == 1, fmt.Sprintf("sections[%d].title", i),
			"required where there are several sections")
		for j, row := range s.Rows {
			rows++
			found.unless(!ids[row.ID], fmt.Sprintf("sections[%d].rows[%d].id", i, j), "another row has this id")
			ids[row.ID] = true
		}
	}
	found.unless(rows <= 10, "sections", "have more than 10 rows in all")
	return found
}

// Link is a button that opens a page.
type Link struct {
	DisplayText string `json:"displayText" minLength:"1" maxLength:"20" lines:"1" doc:"What stands on the button."`
	URL         string `json:"url" minLength:"1" maxLength:"2000" format:"uri" doc:"The page that it opens."`
}

func (l Link) rules() (found Faults) {
	found.unless(isWebAddress(l.URL), "url", "must be an address that begins with https:// or http://")
	return found
}

// URLButton is a message with a button that opens a page.
type URLButton struct {
	Frame
	Link
}

func (c URLButton) graph() any { return c.around("cta_url", named("cta_url", plain(c.Link))) }

// Flow is a message with a button that opens a form.
type Flow struct {
	Frame
	FlowID   string         `json:"flowId,omitempty" maxLength:"200" doc:"The flow's id."`
	FlowName string         `json:"flowName,omitempty" maxLength:"200" doc:"The flow's name, instead of the id."`
	Button   string         `json:"button" minLength:"1" maxLength:"30" lines:"1" doc:"What stands on the button that opens it."`
	Token    string         `json:"token,omitempty" maxLength:"1000" doc:"Comes back with the answer."`
	Mode     string         `json:"mode,omitempty" enum:"draft,published" doc:"Whether the draft is opened; the published flow where it is left out."`
	Action   string         `json:"action,omitempty" enum:"navigate,data_exchange" doc:"Whether WhatsApp opens a screen, or asks your endpoint for one."`
	Screen   string         `json:"screen,omitempty" maxLength:"1000" doc:"The first screen; required with the action navigate."`
	Data     map[string]any `json:"data,omitempty" doc:"What the first screen shows."`
}

func (c Flow) graph() any {
	parameters := object{"flow_message_version": "3", "flow_cta": c.Button}
	for name, value := range map[string]string{
		"flow_id": c.FlowID, "flow_name": c.FlowName, "flow_token": c.Token, "mode": c.Mode, "flow_action": c.Action,
	} {
		with(parameters, name, value)
	}
	payload := with(object{}, "screen", c.Screen)
	if len(c.Data) > 0 { // WhatsApp refuses an empty one
		payload["data"] = c.Data
	}
	with(parameters, "flow_action_payload", payload)
	if len(payload) == 0 {
		delete(parameters, "flow_action_payload")
	}
	return c.around("flow", named("flow", parameters))
}

func (c Flow) rules() (found Faults) {
	found.unless((c.FlowID == "") != (c.FlowName == ""), "flowId", "either flowId or flowName is required")
	found.unless(c.Action != "navigate" || c.Screen != "", "screen", "required with the action navigate")
	return found
}

// LocationRequest asks the customer for a location.
type LocationRequest struct {
	Body string `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
}

func (c LocationRequest) graph() any {
	return interactive("location_request_message", c.Body, "", named("send_location", nil))
}

// ContactRequest asks the customer to share a phone number.
type ContactRequest struct {
	Body string `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
}

func (c ContactRequest) graph() any {
	return interactive("request_contact_info", c.Body, "", named("request_contact_info", nil))
}

// CallPermissionRequest asks the customer whether the business may call.
type CallPermissionRequest struct {
	Body string `json:"body,omitempty" maxLength:"1024" doc:"The text."`
}

func (c CallPermissionRequest) graph() any {
	return interactive("call_permission_request", c.Body, "", named("call_permission_request", nil))
}

// CallButton is what a button that calls the business takes.
type CallButton struct {
	DisplayText string `json:"displayText,omitempty" maxLength:"20" lines:"1" doc:"What stands on the button."`
	TTLMinutes  int    `json:"ttlMinutes,omitempty" graph:"ttl_minutes" minimum:"1" maximum:"43200" doc:"For how many minutes the button works: 10,080 if it is left out."`
	Payload     string `json:"payload,omitempty" maxLength:"512" doc:"Comes back with the call."`
}

// VoiceCall is a message with a button that calls the business.
type VoiceCall struct {
	Body string `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
	CallButton
}

func (c VoiceCall) graph() any {
	parameters := plain(c.CallButton)
	if len(parameters) == 0 {
		parameters = nil
	}
	return interactive("voice_call", c.Body, "", named("voice_call", parameters))
}

// AddressValues are the fields of an address that the customer is asked for.
type AddressValues struct {
	Name         string `json:"name,omitempty" maxLength:"256" doc:"Who lives there."`
	PhoneNumber  string `json:"phoneNumber,omitempty" maxLength:"256" doc:"Their phone number."`
	InPinCode    string `json:"inPinCode,omitempty" maxLength:"6" doc:"The PIN code, in India."`
	SgPostCode   string `json:"sgPostCode,omitempty" maxLength:"6" doc:"The postal code, in Singapore."`
	HouseNumber  string `json:"houseNumber,omitempty" maxLength:"256" doc:"The house, in India."`
	FloorNumber  string `json:"floorNumber,omitempty" maxLength:"256" doc:"The floor, in India."`
	TowerNumber  string `json:"towerNumber,omitempty" maxLength:"256" doc:"The tower, in India."`
	BuildingName string `json:"buildingName,omitempty" maxLength:"256" doc:"The building, in India."`
	UnitNumber   string `json:"unitNumber,omitempty" maxLength:"256" doc:"The unit, in Singapore."`
	Address      string `json:"address,omitempty" maxLength:"256" doc:"The street and number."`
	LandmarkArea string `json:"landmarkArea,omitempty" maxLength:"256" doc:"What is near, in India."`
	City         string `json:"city,omitempty" maxLength:"256" doc:"The city."`
	State        string `json:"state,omitempty" maxLength:"256" doc:"The state, in India."`
}

// SavedAddress is an address that the customer can choose.
type SavedAddress struct {
	ID    string        `json:"id" minLength:"1" maxLength:"256" doc:"What the answer brings back."`
	Value AddressValues `json:"value" doc:"The address."`
}

// AddressRequest asks the customer for an address.
type AddressRequest struct {
	Frame
	Country          string            `json:"country" pattern:"^(IN|SG)$" doc:"The country: IN or SG." example:"IN"`
	Values           *AddressValues    `json:"values,omitempty" doc:"What the form is filled with."`
	SavedAddresses   []SavedAddress    `json:"savedAddresses,omitempty" maxItems:"10" doc:"What the customer can choose from."`
	ValidationErrors map[string]string `json:"validationErrors,omitempty" doc:"What was wrong with the last answer, by WhatsApp's name of the field."`
}

func (c AddressRequest) graph() any {
	parameters := object{"country": c.Country}
	if c.Values != nil {
		parameters["values"] = plain(*c.Values)
	}
	with(parameters, "saved_addresses", listOf(c.SavedAddresses, func(_ int, a SavedAddress) any { return plain(a) }))
	if len(c.SavedAddresses) == 0 {
		delete(parameters, "saved_addresses")
	}
	with(parameters, "validation_errors", c.ValidationErrors)
	return c.around("address_message", named("address_message", parameters))
}
