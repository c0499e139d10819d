package content

// TemplateButton fills one button of a template. Its type says which of the other fields it takes.
type TemplateButton struct {
	Index int    `json:"index" minimum:"0" maximum:"9" doc:"Which button, from 0."`
	Type  string `json:"type" enum:"quick_reply,url,copy_code,otp,flow,catalog,mpm,spm,voice_call,order_details" doc:"What kind of button it is; otp is the button of an authentication template."`
	Value string `json:"value,omitempty" minLength:"1" maxLength:"2000" doc:"What a quick reply brings back, the end of the URL, or the code."`

	FlowToken                  string           `json:"flowToken,omitempty" maxLength:"1000" doc:"Comes back with the answer to a flow."`
	FlowData                   map[string]any   `json:"flowData,omitempty" doc:"What the first screen of a flow shows."`
	ThumbnailProductRetailerID string           `json:"thumbnailProductRetailerId,omitempty" maxLength:"200" doc:"Your own id of the product whose picture a catalog or a list of products shows."`
	Sections                   []ProductSection `json:"sections,omitempty" maxItems:"10" doc:"The products of a button of type mpm."`
	TTLMinutes                 int              `json:"ttlMinutes,omitempty" minimum:"1" maximum:"43200" doc:"For how many minutes a button that calls you works."`
	Order                      *Order           `json:"order,omitempty" doc:"The order of a button of type order_details."`
}

const copiedCode = `^[A-Za-z0-9]{1,15}$`

func (b TemplateButton) rules() (found Faults) {
	switch b.Type {
	case "quick_reply":
		found.unless(b.Value != "" && len([]rune(b.Value)) <= 256, "value", "a quick reply takes 1 to 256 characters")
	case "url":
		found.unless(b.Value != "", "value", "required for a button of type url")
	case "copy_code":
		found.unless(compiled(copiedCode).MatchString(b.Value), "value", "a code has 1 to 15 letters and digits")
	case "otp":
		found.unless(b.Value != "" && len([]rune(b.Value)) <= 15, "value", "a code has 1 to 15 characters")
	case "mpm":
		found.unless(b.ThumbnailProductRetailerID != "", "thumbnailProductRetailerId",
			"required for a button of type mpm")
		found.unless(len(b.Sections) > 0, "sections", "required for a button of type mpm")
	case "order_details":
		found.unless(b.Order != nil, "order", "required for a button of type order_details")
	}
	return append(found, productSections(b.Sections)...)
}

func (b TemplateButton) graph() any {
	subType, parameters := b.Type, []any{}
	add := func(parameter object) { parameters = append(parameters, parameter) }
	action := object{}
	switch b.Type {
	case "quick_reply":
		add(object{"type": "payload", "payload": b.Value})
	case "url":
		add(object{"type": "text", "text": b.Value})
	case "otp": // WhatsApp fills it like a URL
		subType = "url"
		add(object{"type": "text", "text": b.Value})
	case "copy_code":
		add(object{"type": "coupon_code", "coupon_code": b.Value})
	case "voice_call":
		if b.TTLMinutes > 0 {
			add(object{"type": "ttl_minutes", "ttl_minutes": b.TTLMinutes})
		}
		if b.Value != "" {
			add(object{"type": "payload", "payload": b.Value})
		}
	case "flow":
		with(action, "flow_token", b.FlowToken)
		if len(b.FlowData) > 0 {
			action["flow_action_data"] = b.FlowData
		}
	case "catalog", "mpm":
		with(action, "thumbnail_product_retailer_id", b.ThumbnailProductRetailerID)
		if len(b.Sections) > 0 {
			action["sections"] = sectionsOf(b.Sections)
		}
	case "order_details":
		action["order_details"] = b.Order.graph()
	}
	if len(action) > 0 {
		add(object{"type": "action", "action": action})
	}
	component := object{"type": "button", "sub_type": subType, "index": b.Index}
	if len(parameters) > 0 {
		component["parameters"] = parameters
	}
	return component
}
