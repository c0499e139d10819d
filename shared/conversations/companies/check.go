package companies

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// Channels are all channels of conversations.
var Channels = []model.Channel{model.ChannelWhatsApp, model.ChannelSMS, model.ChannelEmail}

// wrong returns the error about a field of a company or a project.
func wrong(field, detail string, values ...any) error {
	return problem.Wrong(ErrSettings, "body."+field, detail, values...)
}

// CheckMap returns ErrSettings for a map that is longer than may be, or that is no JSON object. The field is its name
// in the request.
func CheckMap(field string, d model.Document) error {
	var members map[string]json.RawMessage
	switch {
	case len(d) == 0:
		return nil
	case len(d) > conversationsmodel.MaxMap:
		return wrong(field, "it has %d bytes of JSON, and at most %d are taken", len(d), conversationsmodel.MaxMap)
	case json.Unmarshal(d, &members) != nil || members == nil:
		return wrong(field, "not a JSON object")
	}
	if _, err := d.MarshalDynamoDBAttributeValue(); err != nil {
		return wrong(field, "it cannot be stored: too many levels, an empty name, or a number of over 38 digits")
	}
	return nil
}

// Check returns ErrSettings for a company that cannot be stored.
func Check(c conversationsmodel.Company) error {
	if err := CheckMap("companyRep", c.CompanyRep); err != nil {
		return err
	}
	if err := CheckMap("channelConfig", c.ChannelConfig); err != nil {
		return err
	}
	own, err := conversationsmodel.AddressesIn(c.ChannelConfig)
	if err != nil {
		return wrong("channelConfig", "its addresses are texts")
	}
	numbers := map[string]string{"company_whatsapp_number": own.WhatsApp, "company_sms_number": own.SMS}
	for name, number := range numbers {
		if is, err := conversationsmodel.ParseNumber(number); number != "" && (err != nil || string(is) != number) {
			return wrong("channelConfig."+name, "not a number in E.164, such as +447588713814")
		}
	}
	if is, err := conversationsmodel.ParseEmail(own.Email); own.Email != "" && (err != nil || string(is) != own.Email) {
		return wrong("channelConfig.company_email", "not an email address in small letters")
	}
	return nil
}

// CheckProject returns ErrSettings for a project that cannot be stored.
func CheckProject(p conversationsmodel.Project) error {
	if err := CheckMap("aiConfig", p.AIConfig); err != nil {
		return err
	}
	for i, channel := range p.AllowedChannels {
		if !slices.Contains(Channels, channel) || slices.Contains(p.AllowedChannels[:i], channel) {
			return wrong(fmt.Sprintf("allowedChannels[%d]", i), "not a channel, or there twice")
		}
	}
	if h := p.ExpiresAfterHours; h != 0 && (h < conversationsmodel.MinExpiry || h > conversationsmodel.MaxExpiry) {
		return wrong("expiresAfterHours", "between %d and %d", conversationsmodel.MinExpiry,
			conversationsmodel.MaxExpiry)
	}
	o := p.Opening
	switch {
	case o.Template == "" && o.Text == "":
		return wrong("opening", "it has neither a template nor a text")
	case o.Template != "" && o.Language == "":
		return wrong("opening.language", "a template has a language")
	case o.Template == "" && len(o.Parameters) > 0:
		return wrong("opening.parameters", "only a template has parameters")
	}
	for _, text := range append([]string{o.Text, o.Subject}, o.Parameters...) {
		if gap := unknownGap(text); gap != "" {
			return wrong("opening", "%s is no gap: there are {first_name}, {last_name}, {company}, {project} and "+
				"{data.name}", gap)
		}
	}
	return checkRules(p.Rules)
}

func checkRules(r conversationsmodel.Rules) error {
	for field, list := range map[string][]model.Name{
		"initialMessageFromNumbers": r.QueueInitialNumber, "replyMessageFromNumbers": r.QueueReplyNumber} {
		for i, number := range list {
			if is, err := conversationsmodel.ParseNumber(string(number)); err != nil || is != number {
				return wrong(fmt.Sprintf("rules.%s[%d]", field, i), "not a number in E.164, such as +447700900111")
			}
		}
	}
	for field, list := range map[string][]model.Name{
		"initialMessageFromEmails": r.QueueInitialEmail, "replyMessageFromEmails": r.QueueReplyEmail} {
		for i, email := range list {
			if is, err := conversationsmodel.ParseEmail(string(email)); err != nil || is != email {
				return wrong(fmt.Sprintf("rules.%s[%d]", field, i), "not an email address in small letters")
			}
		}
	}
	return nil
}

// dataGap begins a gap for a value of project_data.
const dataGap = "data."

// known are the gaps of an opening text beside those for project_data.
var known = []string{"first_name", "last_name", "company", "project"}

func unknownGap(text string) string {
	unknown := ""
	_, _ = fill(text, func(gap string) (string, bool) {
		if !slices.Contains(known, gap) && (!strings.HasPrefix(gap, dataGap) || gap == dataGap) && unknown == "" {
			unknown = "{" + gap + "}"
		}
		return "", true
	})
	return unknown
}

// fill replaces the gaps of a text. It returns the gaps for which there is no value.
func fill(text string, value func(gap string) (string, bool)) (filled string, missing []string) {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(text, "{")
		gap, after, closed := strings.Cut(rest, "}")
		b.WriteString(before)
		if !open || !closed {
			if open {
				b.WriteString("{" + rest)
			}
			return b.String(), missing
		}
		is, has := value(gap)
		if !has {
			missing = append(missing, gap)
		}
		b.WriteString(is)
		text = after
	}
}

// Fill returns a text of a project's opening for a conversation. It returns the gaps for which the conversation has no
// value.
func Fill(text string, c conversationsmodel.Conversation) (filled string, missing []string) {
	var data map[string]any
	_ = json.Unmarshal(c.ProjectData, &data)
	return fill(text, func(gap string) (string, bool) {
		value := ""
		switch gap {
		case "first_name":
			value = c.RecipientFirstName
		case "last_name":
			value = c.RecipientLastName
		case "company":
			value = c.CompanyName
		case "project":
			value = c.ProjectName
		default:
			switch of := data[strings.TrimPrefix(gap, dataGap)].(type) {
			case string:
				value = of
			case nil, map[string]any, []any:
			default:
				raw := map[string]json.RawMessage{}
				_ = json.Unmarshal(c.ProjectData, &raw) // as it was written: a number keeps its digits
				value = string(raw[strings.TrimPrefix(gap, dataGap)])
			}
		}
		value = strings.Join(strings.Fields(model.Shown(value)), " ")
		return value, value != ""
	})
}
