package model

// Channel is a way by which messages come in and go out.
type Channel string

// The channels. An address of a person belongs to one of them: a number or a user id on WhatsApp, a number by SMS, an
// email address.
const (
	ChannelWhatsApp Channel = "whatsapp"
	ChannelSMS      Channel = "sms"
	ChannelEmail    Channel = "email"
)
