package chat

import (
	"github.com/haatline/haatline/shared/lazy"
)

// paidWords say that somebody has paid. A word of the future, such as dunga, is none.
var paidWords = lazy.Words(`
	paid sent send transferred deposited diya diye dia die di bheja bheje bhej jama chukaya chukaye chuka chukta daale
	daal dal dala pay payment transfer transfered settled cleared दिया दिए दिये भेजा भेजे भेज जमा चुकाया चुकाए पेमेंट
	ट्रांसफर`)

// fillers may stand beside it.
var fillers = lazy.Words(`
	i have just now today yesterday the by via on through to you your my in for amount already hi hello sir madam bhai
	bhaiya ji uncle aunty please maine mene hamne humne ne aaj abhi kal se ko ka ki ke kar kr de ho gaya gya gaye hai
	hain h hu tha kiya kiye kia karke khata khate khaate me mein mai mera mere meri aapko apko aap aapke apke aapka pe
	par dukaan dukan check pls plz confirm kindly lo lena lijiye dekh dekho dekhlo of paise paisa money morning
	evening subah shaam sham raat screenshot ss ok okay thanks thank udhar udhaar baki account hisab hisaab upi gpay
	google phonepe phone paytm cash nakad online bank neft imps ref reference utr number txn namaste मैंने हमने ने आज
	अभी कल से को का की के कर दे हो गया गए है हैं था थे किया किए खाते खाता में उधार बाकी हिसाब नकद भैया जी यूपीआई आपको
	आप मेरा मेरे दुकान पर चेक देख लो लेना पैसे`)

// pastWords say that it has happened. Beside one, a command such as "jama kar do" asks that it be written down.
var pastWords = lazy.Words(`
	paid sent transferred transfered deposited diya diye dia die di bheja bheje kiya kiye kia gaya gya gaye chukaya
	chukaye chuka settled cleared दिया दिए दिये भेजा भेजे किया किए गया गए चुकाया चुकाए`)

// picture is what a customer says of a picture of the payment that they send.
var picture = lazy.Regexp(`(?i)\b(?:screenshot|ss|photo|pic)\s+(?:bhej|bheji|bheja|send|sent|attached?|share)` +
	`(?:\s+(?:raha|rahi|diya|di|kar|kiya|hu|hoon|hai))*\b`)

// auxiliary verbs say nothing of a payment by what follows them: 500 kar diya.
var auxiliary = lazy.Words("kar kr कर")

// referenceWords stand before the number of a payment.
var referenceWords = lazy.Words("ref reference utr txn number no id")
