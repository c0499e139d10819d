package answers

import (
	"strings"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
)

// textKey names a text of an answer to an admin.
type textKey string

const (
	textApproved    textKey = "approved"
	textRejected    textKey = "rejected"
	textWasApproved textKey = "was approved"
	textWasRejected textKey = "was rejected"
	textExpired     textKey = "expired"
	textCannot      textKey = "cannot"
	textHelp        textKey = "help"
)

// texts are the answers to admins by language. {product}, {who} and {when} are replaced.
var texts = map[string]map[textKey]string{
	"en": {
		textApproved:    "Approved: {product}. The customer is being told.",
		textRejected:    "Rejected: {product}. The customer is being told.",
		textWasApproved: "Nothing changed: {who} approved this request on {when}.",
		textWasRejected: "Nothing changed: {who} rejected this request on {when}.",
		textExpired:     "Nothing changed: this request expired on {when}, before your answer arrived.",
		textCannot: "This request cannot be approved: the customer is disabled, or the product is gone. " +
			"Answer REJECT to close it.",
		textHelp: "I did not understand. Tap a button of the request, or answer APPROVE and its code, or " +
			"REJECT, its code and a reason: REJECT 7KQ2-M9XD income too low.",
	},
	"hi": {
		textApproved:    "मंज़ूर हुआ: {product}। ग्राहक को बताया जा रहा है।",
		textRejected:    "नामंज़ूर हुआ: {product}। ग्राहक को बताया जा रहा है।",
		textWasApproved: "कुछ नहीं बदला: {who} ने {when} को यह अनुरोध मंज़ूर कर दिया था।",
		textWasRejected: "कुछ नहीं बदला: {who} ने {when} को यह अनुरोध नामंज़ूर कर दिया था।",
		textExpired:     "कुछ नहीं बदला: इस अनुरोध की समय-सीमा {when} को ख़त्म हो गई थी।",
		textCannot: "यह अनुरोध मंज़ूर नहीं हो सकता: ग्राहक बंद है या उत्पाद अब नहीं है। बंद करने के लिए " +
			"नामंज़ूर लिखें।",
		textHelp: "समझ नहीं आया। अनुरोध का बटन दबाएँ, या लिखें: मंज़ूर और कोड, या नामंज़ूर, कोड और कारण: " +
			"नामंज़ूर 7KQ2-M9XD आय कम है।",
	},
	"es": {
		textApproved:    "Aprobado: {product}. Se avisa al cliente.",
		textRejected:    "Rechazado: {product}. Se avisa al cliente.",
		textWasApproved: "No cambia nada: {who} aprobó esta solicitud el {when}.",
		textWasRejected: "No cambia nada: {who} rechazó esta solicitud el {when}.",
		textExpired:     "No cambia nada: esta solicitud venció el {when}, antes de que llegara su respuesta.",
		textCannot: "Esta solicitud no se puede aprobar: el cliente está desactivado o el producto ya no " +
			"existe. Responda RECHAZAR para cerrarla.",
		textHelp: "No entendí. Pulse un botón de la solicitud, o responda APROBAR y su código, o RECHAZAR, " +
			"su código y un motivo: RECHAZAR 7KQ2-M9XD ingresos bajos.",
	},
}

// textConfirmed returns the text for the admin whose answer has decided.
func textConfirmed(request cardsmodel.Request) textKey {
	if request.Status == cardsmodel.RequestApproved {
		return textApproved
	}
	return textRejected
}

// textDecided returns the text for an admin whose answer came after the decision.
func textDecided(request cardsmodel.Request) textKey {
	switch {
	case request.Decision != nil && request.Decision.By == cardsmodel.BySystem:
		return textExpired
	case request.Status == cardsmodel.RequestApproved:
		return textWasApproved
	}
	return textWasRejected
}

// render returns a text about a request. Times are in UTC.
func render(text textKey, language string, program cardsmodel.Program, request cardsmodel.Request) string {
	product := string(request.ProductID)
	if known, has := policy.Product(program.Policy, request.ProductID); has {
		product = known.Name
	}
	who, when := "", request.ExpiresAt
	if d := request.Decision; d != nil {
		who = requests.Decider(*d)
		if text != textExpired {
			when = d.DecidedAt
		}
	}
	shown := when.Go().Format("2006-01-02 15:04 UTC")
	return strings.NewReplacer("{product}", product, "{who}", who, "{when}", shown).Replace(texts[language][text])
}
