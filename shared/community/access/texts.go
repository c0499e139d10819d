package access

import (
	"strings"

	"github.com/haatline/haatline/shared/community/templates"
)

// words are what an email says.
type words struct{ subject, text string }

// text is a message: an email in all languages, and the template over WhatsApp.
type text struct {
	code     bool // it has a code, at {code}
	template string
	in       map[string]words
}

// with returns the email in a language; in English for one that there is none of.
func (t text) with(language, code string) words {
	w, known := t.in[language]
	if !known {
		w = t.in["en"]
	}
	w.text = strings.ReplaceAll(w.text, "{code}", code)
	return w
}

// The emails. None repeats what somebody has typed in: who asks for it need not be who reads it.
var (
	signUpCode = text{true, templates.Code, map[string]words{
		"en": {"Confirm your address", "Your code is {code}. It is good for ten minutes.\n\n" +
			"If you have not signed up just now, do nothing. Give the code to nobody."},
		"hi": {"अपना पता पक्का करें", "आपका कोड {code} है। यह दस मिनट तक चलेगा।\n\n" +
			"अगर आपने अभी साइन अप नहीं किया है, तो कुछ न करें। यह कोड किसी को न दें।"},
		"es": {"Confirma tu dirección", "Tu código es {code}. Vale durante diez minutos.\n\n" +
			"Si no te has registrado ahora mismo, no hagas nada. No des el código a nadie."},
	}}
	signUpKnown = text{false, templates.Known, map[string]words{
		"en": {"You have an account already", "Somebody has just signed up with this address, which has an account " +
			"already.\n\nIf it was you, sign in, or ask for a new password. If not, do nothing."},
		"hi": {"आपका खाता पहले से है", "किसी ने अभी इस पते से साइन अप किया है, लेकिन इस पते का खाता पहले से है।\n\n" +
			"अगर वह आप थे, तो साइन इन करें या नया पासवर्ड माँगें। नहीं तो कुछ न करें।"},
		"es": {"Ya tienes una cuenta", "Alguien acaba de registrarse con esta dirección, que ya tiene una cuenta.\n\n" +
			"Si has sido tú, inicia sesión o pide una contraseña nueva. Si no, no hagas nada."},
	}}
	addressCode = text{true, templates.Code, map[string]words{
		"en": {"Confirm your address", "Your code is {code}. It is good for ten minutes.\n\n" +
			"If you have not asked for it just now, do nothing. Give the code to nobody."},
		"hi": {"अपना पता पक्का करें", "आपका कोड {code} है। यह दस मिनट तक चलेगा।\n\n" +
			"अगर आपने इसे अभी नहीं माँगा है, तो कुछ न करें। यह कोड किसी को न दें।"},
		"es": {"Confirma tu dirección", "Tu código es {code}. Vale durante diez minutos.\n\n" +
			"Si no lo has pedido ahora mismo, no hagas nada. No des el código a nadie."},
	}}
	addressKnown = text{false, templates.Known, map[string]words{
		"en": {"This address has an account", "Somebody wants to have this address in their account, but it has an " +
			"account already.\n\nIf it was you, nothing has to change, or use another address. If not, do nothing."},
		"hi": {"इस पते का खाता है", "कोई इस पते को अपने खाते में रखना चाहता है, लेकिन इस पते का खाता पहले से है।\n\n" +
			"अगर वह आप थे, तो कुछ बदलना ज़रूरी नहीं, या कोई दूसरा पता दें। नहीं तो कुछ न करें।"},
		"es": {"Esta dirección tiene una cuenta", "Alguien quiere tener esta dirección en su cuenta, pero ya tiene " +
			"una cuenta.\n\nSi has sido tú, no hace falta cambiar nada, o usa otra dirección. Si no, no hagas nada."},
	}}
	resetCode = text{true, templates.Code, map[string]words{
		"en": {"Set a new password", "Your code is {code}. It is good for ten minutes.\n\n" +
			"If you have not asked for a new password, do nothing: yours stays. Give the code to nobody."},
		"hi": {"नया पासवर्ड रखें", "आपका कोड {code} है। यह दस मिनट तक चलेगा।\n\n" +
			"अगर आपने नया पासवर्ड नहीं माँगा है, तो कुछ न करें: आपका पासवर्ड वही रहेगा। यह कोड किसी को न दें।"},
		"es": {"Elige una contraseña nueva", "Tu código es {code}. Vale durante diez minutos.\n\n" +
			"Si no has pedido una contraseña nueva, no hagas nada: la tuya sigue igual. No des el código a nadie."},
	}}
	resetUnknown = text{false, templates.Unknown, map[string]words{
		"en": {"No account with this address", "Somebody has asked for a new password with this address. No " +
			"account that can sign in has it.\n\nIf it was you, try another address of yours. If not, do nothing."},
		"hi": {"इस पते का कोई खाता नहीं है", "किसी ने इस पते से नया पासवर्ड माँगा है। इस पते का कोई चालू खाता " +
			"नहीं है।\n\n" +
			"अगर वह आप थे, तो अपना कोई दूसरा पता आज़माएँ। नहीं तो कुछ न करें।"},
		"es": {"Ninguna cuenta con esta dirección", "Alguien ha pedido una contraseña nueva con esta dirección. " +
			"Ninguna cuenta activa la tiene.\n\nSi has sido tú, prueba con otra dirección tuya. Si no, no hagas " +
			"nada."},
	}}
)
