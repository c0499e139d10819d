package chat

import (
	"github.com/haatline/haatline/shared/lazy"
)

// paidWords say that somebody has paid. A word of the future, such as dunga, is none.
var paidWords = lazy.Words(`
	paid sent transferred deposited diya diye dia die di bheja bheje bhej jama chukaya chukaye chuka pay payment transfer
	दिया दिए दिये भेजा भेजे भेज जमा चुकाया चुकाए पेमेंट ट्रांसफर`)

// fillers may stand beside it.
var fillers = lazy.Words(`
	i have just now today yesterday the by via on through to you your my in for amount done already hi hello sir madam bhai
	bhaiya ji uncle aunty please maine mene hamne humne ne aaj abhi kal se ko ka ki ke kar kr de ho gaya gya gaye hai hain h
	hu tha the kiya kiye kia karke khata khate khaate me mein mai udhar udhaar baki account hisab hisaab upi gpay google
	phonepe phone paytm cash nakad online bank neft imps ref reference utr no number txn namaste मैंने हमने ने आज अभी कल से
	को का की के कर दे हो गया गए है हैं था थे किया किए खाते खाता में उधार बाकी हिसाब नकद भैया जी यूपीआई`)
