package policy

import (
	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/language"
)

// wording is what the rules say in a language. %s is the company's name.
type wording struct{ introduction, machine, handOver, closed, greeting, welcome string }

var texts = map[string]wording{
	language.English: {
		"I am the automatic assistant of %s.",
		"Yes, I am a machine: the automatic assistant of %s. Write \"agent\" if a person should answer.",
		"A person of our team will answer you here.",
		"A person of our team will answer you here in our next working hours.",
		"Hello! How can I help you?",
		"You are welcome.",
	},
	language.Hindi: {
		"मैं %s का ऑटोमैटिक असिस्टेंट हूँ।",
		"हाँ, मैं एक मशीन हूँ: %s का ऑटोमैटिक असिस्टेंट। किसी व्यक्ति से बात करने के लिए \"एजेंट\" लिखें।",
		"हमारी टीम का कोई व्यक्ति आपको यहीं जवाब देगा।",
		"हमारी टीम का कोई व्यक्ति अगले काम के समय में आपको यहीं जवाब देगा।",
		"नमस्ते! मैं आपकी क्या मदद कर सकता हूँ?",
		"आपका स्वागत है।",
	},
	language.Latin: {
		"Main %s ka automatic assistant hoon.",
		"Haan, main ek machine hoon: %s ka automatic assistant. Kisi insaan se baat karni ho to \"agent\" likhein.",
		"Hamari team ka koi vyakti aapko yahin jawab dega.",
		"Hamari team ka koi vyakti agle kaam ke samay mein aapko yahin jawab dega.",
		"Namaste! Main aapki kya madad kar sakta hoon?",
		"Aapka swagat hai.",
	},
}

// Announcement returns the words that tell a person that the conversation is handed over.
func Announcement(lang string, reason assistant.Reason) string {
	said, known := texts[lang]
	if !known {
		said = texts[language.English]
	}
	if reason == assistant.Closed {
		return said.closed
	}
	return said.handOver
}
