package faq

// everydaySituations are rows as in usualSituations: what customers of any service write about, in both scripts.
const everydaySituations = `
minimum: minimum period; shortest plan; i need it for one month only; just for a week; sirf ek mahine ke liye
minimum: कम से कम कितने समय; only few days; short time use; ek hafte ke liye milega; lock in period
minimum: sirf 2 din ke liye chahiye; at least how many months
keep-forever: can i buy it at the end; own it later; keep it for good; purchase the rented item
keep-forever: baad mein kharid sakte hain; apne paas rakh lu hamesha ke liye; क्या यह मेरा हो सकता है; buy out option
keep-forever: ownership transfer after rent
extend: extend my plan; keep it longer; few more months; aur kuch din rakhna hai; mahine badhana hai
extend: और रखना चाहता हूँ; want to stay two more days; date aage badhao return ki; one more week
extend: continue after the end; plan khatam ho raha hai aage bhi chahiye
end-early: return before the plan ends; leaving early; close before time; samay se pehle lautana; beech mein chhodna
end-early: समय से पहले बंद; early closure charges; break the contract; stop in the middle; quit halfway
end-early: mahina poora nahi karna; notice for leaving
pickup-request: please take it back; collect the item from my house; uthwa lo; saman le jao; आकर ले जाइए
pickup-request: when will you collect; arrange pickup; come and take the old one; send someone to collect
pickup-request: return request; sample lene kab aaoge
damaged-by-you: i broke it by mistake; who pays if something breaks; mujhse toot gaya; टूट गया तो कितना देना होगा
damaged-by-you: my child damaged it; scratch on it by me; dog spoiled it; accidental breakage charges
damaged-by-you: kuch kharab ho gaya humse; spilled water on it; toot foot ka paisa
theft: what if it is stolen; thief took it; chori ho jaye to; चोरी हो गई तो; things missing after the staff left
theft: something stolen from house; saman gayab ho gaya; jewellery missing; who is responsible for theft
theft: zimmedar kaun
insurance-cover: is it insured; who covers loss; fire or theft cover; nuksan ka bima; बीमा शामिल है; accident cover
insurance-cover: liability; kuch ho gaya to kaun bharega; compensation for loss; damage during work who pays
insurance-cover: muavza milega
condition: is it new or used; second hand or fresh; purana to nahi; नया होता है या पुराना
condition: somebody else used it before; refurbished product; condition of the item; kisi ka use kiya hua
condition: kitna purana hai
hygiene: is it cleaned before giving; sanitised; saaf karke dete ho; सफाई होती है; washed after every use
hygiene: clean and safe; hygiene of kitchen; dhula hua; germs; sterilised tools; fresh towels; is the water clean
hygiene: kya safai rakhte ho
free-repair: it stopped working who repairs; repair free or charged; kharab ho jaye to; खराब हो गया ठीक करवाइए
free-repair: not cooling; makes noise; machine problem; send technician; band pad gaya; does not switch on
free-repair: chalu nahi ho raha
swap-item: want a different one; bored of this one; change to another model; doosra chahiye; यह बदलकर दूसरा
swap-item: upgrade to bigger; swap for new design; replace with another; exchange for other colour
swap-item: badalwana hai dusre se
staff-replace: not happy with the person; send someone else; change the staff; ye aadmi theek nahi; दूसरा भेजो
staff-replace: replace the worker; dislike the teacher; want another trainer; badal do isko; person is not good
staff-replace: change my driver; doctor change karna hai; staff pasand nahi aaya
staff-same: will the same person come; new face every time; fixed person; wahi aayega na roz; रोज़ एक ही आदमी
staff-same: same teacher all year; permanent staff assigned; alag alag log to nahi aayenge; same driver daily
staff-leave: staff on leave; weekly off of worker; chhutti par ho to; छुट्टी लेती है; who comes when absent
staff-leave: substitute person; replacement on holiday; uski jagah kaun aayega; teacher absent what happens
staff-leave: didi nahi aayi aaj
staff-verified: are your people verified; police check; how do i trust the person; bharose ka hai; पुलिस जाँच
staff-verified: criminal background; id card of staff; safe to let him in; thane mein verification
staff-verified: kaun log hain pehchan; background check
staff-trained: is he trained; know the work; experienced people; kaam aata hai; सीखे हुए हैं; qualification of staff
staff-trained: certified; degree of doctor; how many years of practice; who will do it, is he expert; kitna anubhav
staff-trained: do they know how to handle
staff-gender: only lady staff; female doctor; mahila chahiye; महिला मिल सकती है; ladki bhejna; male trainer
staff-gender: gents nahi chahiye; woman for my mother; lady driver available; aurat hi ho
staff-choice: can i choose the person; select my trainer; apni pasand ka; request a particular one
staff-choice: book with the same stylist; meri pasand ki didi; specific doctor
staff-tasks: will she also do other work; does it include cleaning; ye kaam bhi karega; क्या खाना भी बनाएगी
staff-tasks: duties of worker; what work is included; jhadu pocha bhi karegi; can he also drive
staff-tasks: only this or other work too
staff-food: do we give food to the worker; where will he sleep; uske khane ka kya; रहने की जगह देनी होगी
staff-food: stay and meals of staff; tea and lunch for team; who feeds them; rahna khana
staff-pay: pay cash to the worker; asking me for money directly; uske haath mein paise de du; सीधे उसको पैसे
staff-pay: tip for the boy; driver asked extra; technician demanded cash; give money in hand; usi ko de du kya
rude: spoke badly; misbehaved with us; on phone all day; badtameezi ki; बुरा बर्ताव; shouted at my mother
rude: staff was rude; not behaving properly; gaali di; bad manners; apke aadmi ne bura bola; unprofessional person
complaint: how to complain; where do i report; shikayat karni hai; शिकायत कहाँ करें; not satisfied with service
complaint: write a complaint; escalate to manager; kisse bolu dikkat; your service is bad; problem with staff
complaint: koi sunta nahi; consumer complaint
noshow: nobody came today; worker did not turn up; koi nahi aaya; कोई नहीं आया; waited whole day; aaj aayi hi nahi
noshow: still waiting for the man; driver did not come; no one at the door; was left alone
noshow: person absent without telling
come-along: can he come with us; travel with staff; saath chal sakta hai; साथ में जाएगी; out of town with us
come-along: go to hospital with patient; accompany on trip; take along to another city; bahar gaon le ja sakte
shift-night: only for night; night duty; raat ke liye; रात को चाहिए; from 8 pm to 8 am; evening till morning
shift-night: raat bhar rahega; overnight person; night shift charges
day-shift: only daytime; 12 hours; din ke liye; दिन में चाहिए; morning to evening; half day; 24 hours stay
day-shift: full time live in
send-soon: how soon can someone come; need somebody today; send someone right now; aaj hi bhejo
send-soon: आज ही किसी को भेज दीजिए; by tomorrow morning; urgent need of a person; abhi koi aa sakta hai
send-soon: kitni jaldi bhej sakte; need by evening; start from tomorrow
do-you-do: which services do you offer; what all do you do; can you help my father; kya kya karte ho
do-you-do: क्या क्या काम होता है; list of services; what can you do for us; kis cheez ki madad; do you also do this
do-you-do: services available
difference: what is the difference between the two; which one do i need; dono mein kya farq; कौन सा सही रहेगा
difference: is this better than that; difference in plans; which one should i choose; a or b
difference: samajh nahi aa raha kaunsa; basic and premium difference
long-discount: cheaper for long time; discount for six months; lambe samay ke liye kam; लंबे समय के लिए छूट
long-discount: yearly plan benefit; best rate for long stay; quarterly discount; saal bhar ka lu to
student-discount: discount for students; i am in college any concession; padhta hoon kuch kam; छात्रों को छूट
student-discount: student id offer; kids rate; senior citizen discount; army discount; staff of hospital discount
student-discount: ladies offer
joining-fee: registration fee; joining charges; one time charge; admission fee alag; पंजीकरण शुल्क
joining-fee: any fee besides the monthly; entry fee; setup charges; starting fee; form fee; processing fee kitni
pay-when: when do i pay; pay before or after; end of month or start; payment kab karna hai; पैसे कब देने हैं
pay-when: advance or later; pehle dena padega ya baad mein; due on which day; after work pay; full payment at booking
pay-when: weekly or monthly payment
pay-how: cash accepted; card or upi; do you take credit card; nakad de sakte; कैश चलेगा; bank transfer; netbanking
pay-how: gpay number; cheque ya online; how should i send the money; which app to pay; qr bhejo
auto-debit: on which date is money taken; debit date; kis tarikh ko kat ta hai; पैसा कब कटता है; autopay
auto-debit: automatic payment; standing instruction; khate se apne aap; ecs date; stop the auto debit
auto-debit: change debit date
pay-late: salary delayed cannot pay now; pay after due date; der ho jayegi; देर से भरूँगा; little late this month
pay-late: pay next week; extra time to pay; missed the payment; late fee; kist chhut gayi
pay-late: give me some days for payment; penalty lagegi
deposit-back: where is my deposit; security not returned; jamanat kab milegi; जमानत वापस
deposit-back: you took the things but money not back; refund of deposit; caution money; advance wapas
deposit-back: when will you return the security; deposit ka paisa nahi aaya
pay-deposit: how much upfront; money to put down at start; shuru mein kitna; पहले कितना जमा; security amount
pay-deposit: deposit required; initial payment; advance kitna dena; booking ke liye kitna; down payment
refund-when: when will i get my money; refund not received; paise wapas kab; पैसे कब आएँगे; money not credited
refund-when: how long does refund take; cancelled but no money; refund status; kitne din mein wapas; where is my money
refund-if: will i get money back; refundable or not; paisa wapas milega kya; पैसे वापस मिलेंगे
refund-if: if i do not come do i lose it; part refund; unused days refund; fees wapas; left in middle money back
refund-if: do you refund
cancel: do not want it anymore; cancel my order; mana karna hai; अब नहीं चाहिए; changed my mind; ordered by mistake
cancel: cancel booking; plans changed; nahi lena ab; drop it please; cancel before it comes; rehne do
cancel-charge: cancellation charges; how much is cut if i cancel; cancel karne par kitna katega; रद्द करने पर
cancel-charge: penalty for cancelling; last minute cancel; same day cancel fee; free cancellation till when
reschedule: change the date; cannot come tomorrow; another day; din badalna hai; तारीख़ बदलनी है; shift my appointment
reschedule: come in evening instead; postpone; prepone; kal nahi ho payega; next week instead; time aage badha do
reschedule: busy today come later
address-delivery: change the address of order; moved to new flat; ghar badal raha hoon; नया पता
address-delivery: shift my things to new house; deliver at office instead; gave wrong address; pata galat likh diya
address-delivery: relocate my connection; will you move it
area: do you come to my area; service in this city; yahan aate ho; किन शहरों में; deliver to village
area: how far do you come; which localities; kanpur mein bhi; available in my pin code; ilake mein
area: outside city service; branch in my town; hamare gaon tak
address: where are you; shop location; kahan hai; कहाँ पर है; how to reach; nearest metro; landmark; google map
address: which floor; dukan ka pata; office address; raasta batao; kis taraf
see-first: can i see before paying; showroom; pehle dekhna hai; पहले देखना चाहता हूँ; sit on it first; touch and feel
see-first: sample dikhao; visit before booking; show me the room; demo piece; dekh ke lena hai; try before buy
trial: free trial; one day try; ek din dekh ke; पहले एक बार; demo class; trial session; sample meal
trial: taste before order; test for a week; try once and decide
human: talk to a person; call me; kisi se baat karni; किसी से बात; phone number; customer care; whom do i call
human: helpline; manager number; baat karwao; speak with someone; not a machine
docs: which papers; documents needed; kya kya lana; कौन से काग़ज़; proofs to keep ready; id proof required
docs: aadhaar chalega; submit for booking; kagaz kya dene honge; photo and id; original or copy; what should i bring
docs-missing: no aadhaar; lost my id; pan nahi hai; काग़ज़ नहीं है; without documents; rent agreement not there
docs-missing: address proof of other city; license expired; marksheet not received yet; any other id ok
rejected: application declined; rejected because of score; reject ho gaya; मंजूर नहीं हुआ; why refused; not approved
rejected: apply again after rejection; low cibil; visa refused; verification failed
correct-details: name is wrong; spelling mistake; naam galat hai; नाम ग़लत; correct my date of birth
correct-details: wrong number in record; change in certificate; details galat; update my name after marriage
correct-details: typo in report
update-contact: change my phone number; new mobile; number badal gaya; नंबर बदल गया; update email
update-contact: otp goes to old number; sim lost; registered number change
bill-copy: need bill; invoice with gst; receipt chahiye; पक्का बिल; bill for office; bill for insurance; payment proof
bill-copy: download invoice; gstin on bill; old receipt; bill kho gaya; statement of payments; tax certificate
bill-wrong: charged twice; amount is more than told; zyada paise le liye; ज़्यादा पैसे काट लिए; wrong bill
bill-wrong: hidden charge; bill too high; extra amount added; double payment; overcharged; told less but took more
price-fixed: price will not change later; final or negotiable; baad mein zyada to nahi; बाद में दाम बढ़ेगा
price-fixed: fixed quotation; extra later; rate badhoge; price increase next year; estimate and actual
price-each: charges per day; rate for 12 hours; ek din ka kitna; एक दिन का शुल्क; monthly charges; hourly rate
price-each: per visit; per person; per plate; per km; per piece; ek baar ka
price: what does it cost; rate list; kitne ka hai; कितना लगेगा; total kharcha; fees batao; price of this; charges pls
price: how expensive; kitna loge; budget; kya daam
delivery-when: when will it reach; order today when will i get; kab tak aayega; कब तक पहुँचेगा
delivery-when: how many days for delivery; same day possible; time of arrival; ghar kab aayega; delivery time
delivery-when: will it come before the party
delivery-charge: carry upstairs extra; delivery free; assembly charges; lane ka paisa; पहुँचाने का शुल्क
delivery-charge: shipping cost; no lift third floor; who will put it together; fitting charges
delivery-charge: minimum for free delivery; manzil tak chadhana
not-at-home: i am not at home; nobody to receive; ghar par nahi hoon; घर पर कोई नहीं; leave with neighbour
not-at-home: guard ko de do; deliver later; missed the delivery; come after 6; door was locked
wrong-item: got wrong product; sent another colour; galat bhej diya; ग़लत सामान; not what i ordered; different size
wrong-item: someone else's parcel; mixed up; brought white instead; kuch aur de diya
missing-item: one thing missing; box incomplete; ek kam hai; एक चीज़ नहीं मिली; less quantity; part not in packet
missing-item: forgot to send; adhoora saman; charger not inside
damaged-item: came broken; received torn; toota hua mila; टूटा हुआ आया; leaking packet; spoiled on arrival
damaged-item: defective piece; box was open; crushed; stale food came; bad condition on delivery
return: return it; do not like it; wapas karna hai; वापस करना; not as shown; size does not fit
return: how many days to return; send back; pasand nahi aaya; unused return; return policy
track: where is my order; has he started; kahan tak pahuncha; कहाँ है मेरा; status of my request; track the driver
track: live location; how far is the technician; kitni der mein; any update; application status; report bani kya
late: it is late; delayed again; abhi tak nahi; अभी तक नहीं आया; waiting since morning; why so late
late: promised yesterday; bahut der; overdue; two hours late; taking too long
hours: when do you open; closing time; kab khulta; कितने बजे तक; open at night; timing; lunch time closed; last entry
hours: reception hours; subah kitne baje; office timings; call between what time
hours-days: open on sunday; holiday closed; itwar ko; रविवार को खुला; festival timing; weekly off; diwali ko khula
hours-days: working on saturday; public holiday; chhutti kab
how-book: how to book; want appointment; kaise book kare; बुकिंग कैसे; reserve for me; order kaise de; book a slot
how-book: get started; need one; register online; mujhe chahiye kaise milega; sign up; i want to order
walkin: come without appointment; directly come; bina booking; सीधे आ सकते; need to book first; walk in; token system
walkin: queue; appointment zaroori
book-early: how early to book; too late to book now; kitne din pehle; कितने दिन पहले; advance booking
book-early: last minute booking; available for next month; full already; festival season booking; how many days before
bulk: for office; twenty pieces; thok mein; बड़ा ऑर्डर; company order; bulk rate; want 50; corporate; hundred people
bulk: party order; school order; wholesale price; zyada lene par
few-items: only one item; single piece; ek hi chahiye; सिर्फ़ एक; just one chair; small order; minimum order
few-items: half quantity; thoda sa; not the full set
options: which types; models available; kaun kaun se; कौन कौन से; variety; colours and sizes; brands; what plans; menu
options: list bhejo; choices; kitni tarah ke; do you rent this; do you have this; milta hai kya
plans: which plans are there; packages; monthly and yearly; kaunsa plan; पैकेज; what is included; plan details; combo
plans: membership types; subscription
included: what is included; does price include food; isme kya kya; शामिल है क्या; is it part of package
included: extra or included; material included; taxes included; sab milakar; tea included
pause: going out of town; stop for some days; kuch din band; कुछ दिन बंद; hold my plan; vacation; not needed this week
pause: skip tomorrow; freeze membership; bahar ja rahe hain; resume later; kal mat bhejna
stop-for-good: stop permanently; do not need any more; hamesha ke liye band; अब बंद कर दो; close my account
stop-for-good: patient died stop service; unsubscribe; zarurat nahi rahi; end membership; leave the group
stop-for-good: delete my profile
transfer-other: give to my friend; transfer to another name; kisi aur ke naam; दूसरे के नाम; roommate will take over
transfer-other: sell my membership; use by brother; change owner; family member use; someone else can come instead
guest: can i bring a friend; guests allowed; mehman aa sakte; मेहमान; one extra person; visitor stay; parents visit
guest: plus one; bring my kids; family with me
children: is it for kids; child allowed; bachche; बच्चों के लिए; age for children; baby; kids free; under five; infant
children: my son is 6; newborn
senior: for old people; father cannot walk; bujurg; बुज़ुर्ग; bedridden; 75 years old; senior citizens; wheelchair
senior: elderly parents; mother is old
pets: bring my dog; pets allowed; kutta; पालतू; cat; pet friendly; animal; have a puppy
parking: where to park; parking space; gaadi kahan; पार्किंग; car parking free; bike stand; two cars; basement
parking: visitor parking
food-type: veg or non veg; jain food; shakahari; शाकाहारी; without onion garlic; egg; halal; vegan; spicy; sugar free
food-type: allergy to nuts; satvik; fasting food
food-included: meals included; breakfast; khana milega; खाना मिलेगा; tea and snacks; kitchen; cook own food; water
food-included: lunch; dinner; mess
safe: is it safe; side effects; khatra to nahi; सुरक्षित; will it hurt; risk; safe for girls; dangerous; chemicals
safe: safe for baby; kuch hoga to nahi; cctv; guard at night
illness: patient has fever; sugar patient; bimar; बीमार; pregnant; heart problem; allergy; pain; high bp; operation
illness: knee pain; can i join with illness; doctor said no
test-home: test at home; sample from house; ghar par jaanch; घर पर जाँच; come to collect blood; home collection
test-home: morning sample; sugar test at home
doctor-home: doctor visit at home; come check him; ghar par doctor; डॉक्टर घर आकर; home visit doctor; physio at home
doctor-home: nurse at home; exercise at home by therapist
home-visit: come to my house; home service; ghar aa sakte; घर पर आकर; doorstep; visit at home; at my place
home-visit: ghar bulana hai; send person home; aap aayenge ya hum aaye
equipment-hire: on rent; hire a machine; kiraye par; किराए पर; wheelchair on hire; rent for a week; oxygen; rent a car
equipment-hire: bed on rent; per day rent; mil jayegi kiraye pe
job: i want to work with you; any opening; naukri; नौकरी; vacancy; job for my brother; salary; apply for job; hiring
job: fresher; resume bhejna; kaam chahiye; part time work; internship; i have done course, any opening
partner: franchise; dealer; distributor; एजेंसी; open branch; business with you; commission; supplier; collaboration
partner: tie up; sell your product; become agent
privacy: my data safe; who sees my number; photo use; गोपनीय; delete my details; share with others; spam calls
privacy: keep secret; hide my profile; personal details; report kisi ko mat dikhana
login: cannot log in; otp not coming; password bhool gaya; लॉगिन नहीं; app not opening; account locked
login: forgot password; link not working; blank screen; app crash; code nahi aaya
pay-failed: money cut but not booked; payment failed; paise kat gaye; पैसे कट गए; transaction stuck; debited twice
pay-failed: payment pending; amount gone no confirmation; upi fail
coupon-failed: coupon not working; code invalid; offer nahi lag raha; कूपन; discount not applied
coupon-failed: cashback not received; promo expired
loyalty: points; reward; refer a friend; रेफर; cashback; use my points; referral money; bring friend get
gift: as a gift; gift card; tohfa; उपहार; wrap it; surprise; send to someone; message on card; birthday gift
gift: name on it
customise: make it my way; custom size; apne hisab se; अपनी पसंद का; print name; change design
customise: without this ingredient; own music; special request; add photo; my own design
own-thing: bring my own; own material; apna saman; अपना लाएँ; outside food; own laptop; own cloth; use my product
own-thing: own vehicle; my own caterer
quality: is it original; good quality; asli; असली है; pure; brand; lasts how long; strong; duplicate; certified
quality: hallmark; fresh
warranty: warranty; if it breaks within a year; guarantee; गारंटी; how long guarantee; problem again after repair
warranty: free service; replacement guarantee; work guarantee
lifespan: how long will it last; kitne din chalega; कितने दिन चलेगा; expiry; shelf life; stays good; durability
lifespan: fade after wash; valid till when
validity: valid for how long; expiry of pack; use before; वैधता; till when can i use; coupon validity
validity: unused sessions expire; certificate valid
how-long: how long does it take; kitna time lagega; कितना समय; how many sessions; finish in a day; duration
how-long: ready by when; kitne ghante; course length; show ki lambai
how-works: how does it work; process; kaise hota hai; कैसे होता है; explain steps; what happens after booking
how-works: procedure; what to do first; samjhao; how do matches work; step by step
test-prep: before the visit; empty stomach; kya karke aaye; पहले क्या करना; eat before; preparation; stop medicine
test-prep: what to wear; what to bring; how early to reach
how-often: how often; kitni baar; कितनी बार; every month; times a week; again after; frequency; daily or weekly
how-often: how many times
eligible: who can apply; am i eligible; kya main le sakta; पात्रता; age limit; minimum salary; criteria
eligible: for girls also; non residents; without experience; divorced also; second time
language: which language; hindi or english; kis bhasha; किस भाषा; subtitles; teacher speaks; marathi; tamil
language: form in hindi
seat-choice: choose my seat; sit together; seat badalna; सीट; front row; window seat; recliner; corner seat
seat-choice: seats with family; which seats left
late-entry: came late; enter after start; der se aaye to; देर से आने पर; gate closed; last entry; late by 20 minutes
late-entry: allowed after time; missed the beginning
lost: forgot my bag; left my phone there; saman chhoot gaya; भूल गया; lost my card; lost ticket; found item; key lost
lost: wallet left behind; duplicate card; purse reh gaya
size: which size; fit me; naap; नाप; too tight; measurement; size chart; large; how big; capacity; how many people fit
weather: what if it rains; rain; barish; बारिश; too hot; outdoor; storm; cancelled by weather; monsoon
power-cut: no light; power backup; bijli gayi; बिजली; generator; inverter; lift during power cut
noise: noise at night; loud music; shor; शोर; neighbours complain; quiet; dj time limit
smoking: smoking; alcohol allowed; sharab; शराब; drinks; hookah; own liquor; corkage
photo: take photos; record video; photo khinchna; फ़ोटो; camera allowed; pictures after; download photos
photo: how many photos; photographer
dress: what to wear; dress code; kya pehne; कपड़े; uniform; shoes; costume; traditional
certificate: get certificate; certificate kab; प्रमाण पत्र; valid certificate; duplicate certificate; letter from you
certificate: recognised; government approved
success: success rate; results; kitne pass; कितने सफल; how many got; guarantee of result; proof of work; reviews
success: old customers; placement record
match-count: how many will i get; number per month; kitne milenge; कितने मिलेंगे; limit per day; how many contacts
match-count: how many free
meeting: meet in person; arrange meeting; milna hai; मिलना; talk before; face to face; visit office
meeting: video call with them; meet the family; meet the teacher
free-basic: is it free; any charge to register; free hai kya; मुफ़्त; free version; without paying; no money
free-basic: paid or free
visit-place: places to see; what is near; ghumne ki jagah; घूमने; sightseeing; restaurants nearby; market nearby
`
