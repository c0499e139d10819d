package faq

// usualSituations are what people write to any business about, and how they write it. A row has the name of a situation
// and, after a colon, ways to write of it. A situation may have several rows.
const usualSituations = `
price: how much does it cost; what is the price; what are the charges; rate kya hai; kitne ka hai; kitna lagega
price: kitne paise lagenge; total kharcha kitna; fees kitni hai; price list please; what will it cost me; kya bhav
price: kitna paisa lete ho; quotation bhejo; how expensive is it; damage to my pocket; kitna dena padega
price-each: per piece rate; per kg price; ek ka kitna; per person charge; rate per unit; per hour cost
price-each: single piece price
extra-charge: is there any extra charge; do i have to pay more; alag se paisa lagega; additional cost; kya free hai
extra-charge: free of cost or charged; hidden charges; koi aur charge; upar se kitna; is it included; shamil hai kya
extra-charge: do you charge separately
discount: any discount; can you reduce the price; kuch kam karo; offer chal raha hai; coupon code; best price
discount: concession; chhoot milegi; first order offer; new customer discount; thoda kam kijiye; festival offer
discount: cashback; student discount; loyal customer discount
coupon-failed: coupon not working; promo code invalid; discount not applied; code lag nahi raha; voucher shows error
coupon-failed: coupon expired message; offer not showing at checkout
pay-how: how can i pay; payment modes; do you accept upi; gpay chalega; card payment possible; cash lete ho
pay-how: online payment kaise karu; payment kaise kare; kaise bharna hai; paytm se de sakte hai
pay-how: account number for payment; qr code; can i pay in cash; cheque accepted
pay-instalment: pay in instalments; emi available; kist mein de sakte hai; monthly payment option; thoda thoda karke
pay-instalment: part payment allowed; half now half later; no cost emi; installment plan; kishton mein
pay-deposit: how much advance to pay; security deposit amount; booking amount; token kitna dena; down payment
pay-deposit: advance kitna; jamanat rashi; initial payment
deposit-back: when do i get my deposit back; security refund; deposit wapas kab milega; advance returned
deposit-back: is the deposit refundable; jamanat wapas; left but deposit not received; caution money return
deposit-back: token refundable or not
pay-late: what if i pay late; late payment penalty; fine for delay; der se bhara to; due date missed charge; late fee
pay-late: jurmana kitna; salary late pay after due date; miss payment what happens; extra for paying after last date
pay-due: last date to pay; when is payment due; kab tak bharna hai; due date; aakhri tarikh; deadline for payment
pay-due: till when can i pay; payment kab karna hai
pay-failed: money deducted but order failed; paisa kat gaya; payment stuck; debited twice
pay-failed: transaction failed amount cut; double charged; paise kat gaye par nahi hua
pay-failed: account se paisa gaya confirmation nahi aaya; payment done still showing pending
bill-wrong: wrong bill; you charged me more; bill zyada aaya; overcharged; amount is not correct; galat bill
bill-wrong: billing mistake; charged for something i did not take; bill mein galti; why is my bill so high
bill-wrong: extra amount in invoice
bill-copy: need invoice; send me the receipt; bill chahiye; gst invoice; payment proof; rasid kaise milegi; pakka bill
bill-copy: invoice with company name; receipt for tax or hra; bill download; copy of the bill; need proof of payment
refund-when: when will i get my refund; refund kab aayega; money not credited yet; paisa wapas kab; refund status
refund-when: how many days for refund; refund not received; returned but money not come; kitne din mein paisa wapas
refund-when: amount not in my bank yet
refund-if: can i get my money back; will you refund; paise wapas milenge; is it refundable; leave midway refund
refund-if: refund policy; want my money returned; agar na aau to paisa wapas; advance wapas kar do; booking money back
cancel: cancel my order; cancel booking; i do not want it any more; radd karna hai; not needed now; mann badal gaya
cancel: changed my mind; order cancel kaise kare; appointment cancel; cannot come cancel it; nahi chahiye ab
cancel: dont send; withdraw request; cancellation charges; please call it off; nahi aa paunga
reschedule: change date or time; can we do it another day; postpone; shift to tomorrow; timing badalna hai
reschedule: date aage badhao; kisi aur din; i cannot come at that time; different slot; reschedule appointment
reschedule: wont be home then come later; prepone; kal ki jagah parso; busy that day
hours: what time do you open; opening hours; kab khulta hai; kitne baje tak; timing kya hai
hours: till what time are you open; working hours; office timings; kab band hota hai; are you open now
hours: subah kitne baje; raat kitne baje tak; when can i come; last entry time; dukan ka samay
hours-days: open on sunday; holiday open or closed; kaunse din band; weekly off; saturday working; festival open
hours-days: ravivar ko khula; closed on which day; diwali par chutti; do you work on weekends; public holidays
schedule: what is the schedule; batch timings; morning or evening batch; kitne baje hota hai; slots available
schedule: time table; class kab hai; meal timing; kab milta hai; when is it served; which time slot
address: where are you located; address please; where is your office; kahan hai; location bhejo; dukan kaha par hai
address: nearest branch; pata kya hai; map link; landmark; kidhar aana hai; where should i come; how to reach
address: kaise pahunche; which floor
distance: how far from station; nearest metro; kitni dur hai; walking distance; near bus stop
distance: railway station se kitna dur; airport distance; close to market
area: do you come to my area; do you serve here; hamare yahan aate ho; pincode serviceable; deliver to my village
area: kaunse shahar mein; which cities; other city service; mere ilake mein; available in my locality
area: just moved here do you cover; branch in my city; gaon mein milega
outside-area: do you deliver abroad; other state; international shipping; out of station; videsh bhejte ho
outside-area: dusre shahar mein
how-book: how do i book; book an appointment; booking kaise kare; slot chahiye; reserve for me; number lagana hai
how-book: i want to book; please arrange a visit; kaise bulaye; call someone home; order kaise kare; schedule a pickup
how-book: place an order; want to come tomorrow is there a slot; milna hai kab aau
walkin: can i come without appointment; direct aa sakte hai; is booking necessary; walk in allowed; bina appointment
walkin: just drop by; seedha aa jaye
how-long: how long does it take; kitne din lagenge; kitna time lagta hai; by when will it be done; kab tak ho jayega
how-long: turnaround time; when will it be ready; kitni der; how many days; ready kab hoga; when do i get it back
how-long: installation time
duration: how long is the course; duration; kitne mahine ka; how many sessions; kitne din ka; length of program
duration: total hours
delivery-when: when will it be delivered; delivery time; kab pahunchega; kab tak aayega; when will i get my parcel
delivery-when: expected date; kitne din mein milega; arrive by; aaj milega kya; same day delivery
delivery-charge: delivery charges; is delivery free; shipping cost; home delivery ka kitna; courier charge
delivery-charge: ghar pahunchane ka paisa; free shipping above; pickup free or paid; bringing home cost
track: where is my order; track my parcel; kahan tak pahuncha; order status; tracking id; kab niklega
track: where has it reached; live location of delivery boy; map pe kaha; dispatch hua kya
late: my order is late; still not delivered; abhi tak nahi aaya; delayed; time is over but nothing came
late: how much more to wait; bahut der ho gayi; so many days passed; kab tak wait karu
late: promised yesterday still waiting; supposed to come already; itne din ho gaye
noshow: nobody came; technician did not come; pickup boy did not come; koi nahi aaya; waited whole day
noshow: subah se intezaar; no one turned up; appointment time passed no one; engineer not arrived
noshow: person did not show up; kab aaoge wait kar raha hu; kisi ne contact nahi kiya
shows-delivered: shows delivered but not received; app says delivered nothing came; delivered likha hai par mila nahi
shows-delivered: marked done but not done; status complete but i have not got it
missing-item: one item is missing; less quantity received; ek kam hai; not all things in the box; ek cheez nahi nikli
missing-item: gave twelve got eleven; incomplete order; saman kam aaya; paid for two got one; part not in package
wrong-item: wrong item received; got someone else's; not mine; galat saman aaya; i ordered this you sent that
wrong-item: different colour came; kisi aur ka aa gaya; exchanged with other customer; mixed up parcel; galat product
wrong-item: wrong size sent
damaged-item: broken item received; it came torn; damaged in transit; toota hua aaya; phata hua mila; leaked; crack
damaged-item: you damaged my thing; kharab nikla; hole in it; defective piece; rotten or spoiled; quality is bad
damaged-item: sada hua; expired product; scratch; gala hua
damaged-by-you: you spoiled my thing; damage during service; broke my item; compensation for damage; nuksan ki bharpai
damaged-by-you: tumhare yaha kharab hua; colour gone after wash; shrunk
return: how to return; i do not like it want to return; wapas karna hai; return policy; send back; pasand nahi aaya
return: within how many days return; lautana hai; not satisfied with product
exchange: exchange for another size; replace it; badal do; size is small change; replacement possible; badli karna hai
exchange: want another piece; new one instead
not-working: it is not working; machine stopped; kaam nahi kar raha; chal nahi raha; band ho gaya; kharab ho gaya
not-working: not starting; problem in it; shows error; what should i do it is not working; not cooling; no power
not-working: on nahi ho raha; hang; dead; signal nahi aa raha; not connecting; internet down
slow-weak: it is slow; low performance; less than before; kam ho gaya; speed kam hai; output dropped; weak
slow-weak: dheema chal raha; not as strong; pressure low; producing less
warning: red light blinking; alarm; beep sound; warning on display; lal batti; error code; makes noise; smell coming
warning: smoke; heating up; garam ho raha
repair-cost: how much to repair; repair charges; theek karane ka kitna; fixing cost; screen badalne ka
repair-cost: part replacement price; toot gaya kitne mein banega
repair-request: please send a technician; need someone to fix; mistri bhejo; theek karwana hai; repair karwana hai
repair-request: engineer visit; kisi ko bhejiye; plumber chahiye; leaking please fix
warranty: warranty period; how many years guarantee; kitne saal ki warranty; guarantee hai kya; warranty covers what
warranty: free repair till when; kharab ho gaya to free theek hoga; within warranty; kitne din ki guarantee
warranty: handset covered for how many months
maintenance: annual maintenance contract; yearly service plan; regular servicing; kitne din mein service
maintenance: service karwana; maintenance charge; free services; saal bhar ka plan; upkeep
cleaning: how to clean; how often cleaned; safai kaun karta hai; kitni baar saaf; cleaning included; dhool jam gayi
cleaning: ganda hai; not cleaned today; hygiene; wash it how
installation: installation process; who will install; lagane kab aaoge; fitting charge; install free; lagwana hai
installation: set up; kitne din mein lagega; mount
space-needed: how much space is needed; kitni jagah chahiye; is my place enough; size of area required; will it fit
space-needed: minimum space; room size; capacity of place
weather: does it work in rain; barish mein chalega; storm; hail; winter; sun needed; badal; will it survive wind
weather: garmi mein; monsoon
power-cut: what if the light goes; bijli jane par; works during power cut; backup; generator; outage
power-cut: light nahi rahegi to
docs: which documents are required; what papers to bring; kaunse kagaz chahiye; id proof needed
docs: documents for admission; aadhaar chahiye kya; what to submit; kya kya lana padega; paperwork
docs: what should i carry; necessary proof; documents list; kyc documents
docs-missing: i do not have the document; without id; aadhaar nahi hai; no salary slip; bina kagaz ke; lost my papers
docs-missing: other document accepted; without prescription; bill nahi hai
eligible: who can apply; am i eligible; age limit; minimum qualification; kaun le sakta hai; umar kitni honi chahiye
eligible: criteria; can i join if; minimum salary; fresher allowed; condition to apply; kya main kar sakta hu
apply-how: how to apply; application process; how do i join; admission kaise le; form kaha milega; register kaise kare
apply-how: sign up; new connection; kaise judu; become a member; procedure to enrol; want to take admission
apply-how: start karna hai
apply-status: status of my application; where has it reached; kya hua mere form ka; approved or not; kab tak approve
apply-status: applied last week no reply; selected or not; file kaha tak pahunchi; how do i know if accepted
apply-status: is it done
rejected: why was it rejected; application refused; reject kyu hua; not approved; denied; mana kar diya
rejected: can i apply again
correct-details: name is wrong; correct my details; spelling mistake; galat naam; update my number
correct-details: address change karna hai; age printed wrong; change mobile number; email update; jankari sudharna
correct-details: moved to new house update address; edit profile; date of birth wrong
duplicate: lost my card need another; duplicate copy; kho gaya naya chahiye; reissue; another copy; nakal
duplicate: certificate lost; again print; receipt lost
download: how to download; online copy; pdf; whatsapp par bhejo; where to see online; link; get it on phone
download: report online; soft copy email
printed: printed copy; hard copy; kagaz par chahiye; courier the paper; original document by post
app-how: how do i use the app; check on phone; mobile mein kaise dekhe; see usage online; website login; app mein kaha
app-how: view my data; online dekhna; check balance online
login: cannot log in; forgot password; otp not coming; account locked; password bhool gaya; reset pin
login: app does not open; login nahi ho raha
block: block my card; stolen card; account hacked; fraud transaction; unknown call asked otp; band karo turant
block: someone used my account
lost: i lost something; left my bag there; kho gaya; lost key; chabi kho gayi; forgot my thing at your place
lost: phone gir gaya; misplaced; cannot find
theft: stolen; chori ho gayi; if somebody steals; theft cover; chor le gaye
insurance-cover: is it insured; insurance covers; who pays if damaged; bima hai kya; accident covered; claim kaise
insurance-cover: fire or theft; safe from loss; nuksan ka paisa kaun dega
safe: is it safe; security for women; ladkiyon ke liye surakshit; guard and cctv; safe for children; side effects
safe: risk; bharosa; camera lage hai; my data safe; private
privacy: who sees my data; data private; share my number; photos safe; confidential
human: talk to a person; customer care number; call me; kisi se baat karni hai; manager se baat; phone number do
human: contact number; helpline; executive; whom to call; mujhe call karo
complaint: i want to complain; where to complain; shikayat karni hai; very bad service; not happy; escalate
complaint: no one listens; complaint register; koi sun nahi raha; unhappy with work
rude: staff was rude; behaved badly; badtameezi ki; gaali di; delivery boy misbehaved; shouted at me; galat vyavhar
rude: threatened
stop-service: close my account; discontinue; band karwana hai; stop the subscription; terminate
stop-service: do not want service any more; leave the course; connection band; quit; chhodna hai; unsubscribe; exit
pause: pause for some days; going out of town; chutti par ja raha hu; hold my membership; dont send these days
pause: kuch din band; freeze; break lena hai; will be away; bahar ja rahe hain; temporarily stop
renew: renew my plan; expired how to renew; plan khatam ho gaya; renewal charge; continue next month; validity over
renew: aage badhana hai; subscription ended
validity: how long is it valid; expiry; kab tak chalega; valid till; kitne din valid; when does it expire
unused: what about unused balance; carry forward; bacha hua; left over next month; missed classes adjust; roll over
unused: rest of package; remaining sessions; judega kya; lapse
upgrade: upgrade my plan; increase; add more later; badhana hai; bigger plan; extend; aur jodna hai; add one more
upgrade: enhance limit; higher package; speed badhani; additional unit
downgrade: reduce my plan; lower package; chhota plan; kam karna hai; switch to cheaper
plans: which plans do you have; packages; monthly package; kaun kaun se plan; combo; yearly plan; membership options
plans: plan batao; for whole month; bachelor plan
options: what types do you have; which varieties; kya kya milta hai; kaunse options; which model; available kinds
options: list of services; menu; catalogue; what all do you do
brand: which brand; company kaunsi hai; original or duplicate; asli hai; made in; quality kaisi; genuine parts
brand: kis company ka; which product do you use; nakli to nahi; material used; soap used
stock: is it available; in stock; milega kya; khatam ho gaya; out of stock when back; bacha hai kya; seats left
stock: room available; vacancy; khali hai kya; any slot left
do-you-do: do you also do this; kya ye bhi karte ho; do you have this facility; suvidha hai kya
do-you-do: is this available with you; provide karte ho; do you repair; do you clean; can you make; hota hai kya
do-you-do: milta hai kya; do you offer
allowed: is it allowed; can i bring; permission; kya la sakte hai; allowed hai kya; rules for; mana to nahi
allowed: can we use; anumati; chalega kya; restriction; forbidden; may i; can i keep
guest: can my friend stay; visitors allowed; parents visit; mehman; friend aa sakta hai; someone stay overnight
guest: relative coming; bahar ka aadmi; family milne aaye
curfew: gate closing time; late night entry; raat ko kitne baje tak aa sakte; lock at night; come late from work
curfew: night entry rule
pets: pet allowed; dog; kutta la sakte hai; cat with me; animal
children: for kids; child allowed; bachche ke liye; minimum age child; baby; child ticket; free for children
children: bachon ka
gender: for boys or girls; ladies only; male or female; ladkiyon ke liye; separate for women; mahila staff
gender: lady trainer; gents
food-included: is food included; meals provided; khana milta hai; breakfast free; dinner extra; mess; khana shamil
food-included: canteen
food-type: veg or non veg; non veg milta hai; jain food; chicken; spicy; egg; shuddh shakahari; special diet
food-type: menu today
wifi: wifi available; internet free; net milega; password of wifi; speed
wifi-down: wifi not working; internet down; net nahi chal raha; connection gone
water: hot water; paani kab aata hai; drinking water; geyser; garam pani; water supply timing; pani nahi aa raha; tap
ac: ac room; air conditioning; cooler; ac charge; ac not cooling; heater
electricity: electricity bill separate; light ka bill; unit rate; meter; power backup; bijli alag
parking: parking available; car kaha lagaye; bike parking; gaadi khadi; parking charge; where to keep my scooter
parking: visitor parking; parking slot
transport: pick and drop; bus facility; school van; cab from airport; transport available; ghar se lene aaoge; driver
transport: route; station pickup
luggage: luggage storage; bag limit; samaan rakh sakte; baggage allowance; locker; cloak room; keep my things
room: what is in the room; furniture; bed and cupboard; attached bathroom; room size; sharing or single; kamra kaisa
room: facilities in room; almirah
change-room: change my room; different seat; shift to another; upar wala; batch change; switch branch; another floor
change-room: transfer to other
roommate: problem with roommate; fight; noise by others; neighbour loud; disturbs me; music all night; padosi shor
roommate: someone smoking
notice: how early should i inform; notice period; before leaving tell; kitne din pehle batana; leaving next month
notice: vacate; minimum stay; lock in; kam se kam kitne mahine; contract period
short-stay: for few days only; one week; short term; ek din ke liye; trial for a day; temporary
see-first: can i see first; visit before booking; dekh sakte hai; site visit; demo; trial class; sample; have a look
see-first: come and see; free trial; try before; pehle dekhna; inspection; survey of my place; send someone to look
minimum: minimum order; smallest quantity; kam se kam kitna; only one will do; less than minimum; just two pieces
minimum: lower limit; itna kam chalega
maximum: maximum limit; how many at most; zyada se zyada; upper limit; kitne tak
bulk: bulk order; wholesale rate; for office; corporate; hotel orders; large quantity; party order; group booking
bulk: zyada lena hai; for company; business rates
express: urgent; need it today; same day; express service; jaldi chahiye; by tomorrow; emergency; tatkal
express: fast service extra; immediate
only-part: only this part; sirf ye chahiye; without the rest; just ironing; only one service; half portion
customise: custom design; print my name; as i want; apne hisaab se; own design; special request; personal; gift wrap
customise: note
gift: gift for someone; send as gift; surprise; wrap; gift card; voucher
move: moving to new house; shift my connection; relocate; naye ghar mein lagana; take it to another place
move: ghar badal raha; transfer to other city; address shifting
tenant: i live on rent; kirayedar hu; owner permission; rented house possible; landlord consent; flat in apartment
roof-type: tin shed; sloping roof; kachchi chhat; metal sheet; tile roof; terrace
job: do you have jobs; work with you; vacancy; naukri chahiye; hiring; driver job; salary for staff; join your team
job: resume bhejna
partner: become a dealer; franchise; dealership; agency lena; sell your products; tie up; business partner
partner: distributor; supply to you; open your branch
experience: how many years experience; trained staff; who will do it; doctor qualification; teacher kaun; expert
experience: verified person; which doctor
staff-choice: can i choose the person; same technician; lady doctor; particular teacher; mera wala stylist
certificate: will i get a certificate; valid certificate; government recognised; praman patra; certificate kab
certificate: accredited; licence
result: when is the result; report ready; result kab; marks; score; report delayed; report not received
result: when do results come
test-prep: empty stomach; fasting; before the test; khali pet; can i eat; what to do before coming; preparation
test-prep: medicine before test
home-visit: do you come home; ghar aate ho; home collection; doorstep service; visit at home; ghar se lena
home-visit: collect from my place; someone come to my place; home service; ghar par
online-class: online classes; from home; live or recorded; ghar baithe; zoom; recording of missed class; distance
missed-class: missed a class; absent; chhut gaya; backup class; make up lesson; was ill could not come
missed-class: class miss ho gayi; extra class
syllabus: what will be taught; syllabus; topics covered; kya sikhate; which subjects; course content
syllabus: language of teaching; hindi medium
placement: job after course; placement; naukri milegi; help in job; internship; training ke baad kaam
fees-structure: total fees; fees for whole course; admission fee; semester; monthly fee; year fees
concession: fee concession; scholarship; poor student; sibling discount; free for widow; sarkari chhoot
uniform: dress code; what to wear; uniform kaha milegi; kapde; shoes needed
exam: exam date; pariksha kab; test series; fail then; retest; pass marks; paper
subsidy: government subsidy; sarkari yojana; government help; kitni subsidy; subsidy not received; scheme money
subsidy: anudan kab
tax: gst included; tax kitna; tax benefit; tds; 80c; gst number
loan: loan facility; finance available; interest rate; bank loan; byaj kitna; percent per year; loan tenure
loan: credit score needed
interest: rate of interest; byaj dar; percent; per annum; kitna interest; interest charged
prepay: close loan early; pay before time; foreclosure; part prepayment; pura paisa ek saath; thoda jama kar du
prepay: early payment charge
account-change: change bank account; auto debit; other bank; khata badalna; nominee; mandate; ecs
measure: how to measure; size chart; size kaise pata; measurement; naap dena; fit hoga kya; which size for me
fade: will colour fade; rang utrega; shrink; wash care; kaise dhona; how to wash; dry clean only
stain: stain removal; daag nahi gaya; mark still there; spot; dobara dho do; not clean properly; oil ink stain; redo
stain: phir se karo
allergy: allergic; sensitive skin; rash; suits baby; khujli; chemical free; reaction; side effect; safe for skin
pest: insects; cockroach; bed bug; pest control; machhar; chuha; keede; termite
noise: too much noise; loud; awaz; disturb; shor
smoking: smoking allowed; drink alcohol; daru; cigarette; party in room; sharab
quantity: how many; how much will i get; kitne units; kitna banega; count; how much produced; output; average
quantity: serve how many people; capacity
compare: which is better; difference; kaunsa lu; suggest; best for me; farak kya; recommend
how-works: how does it work; explain; kya hota hai; what is it; matlab; samjhao; what does it mean; process
how-works: kaise kaam karta
lifespan: how long does it last; kitne saal chalega; life; durable; strong enough; tikau; when to replace
ingredients: what is in it; ingredients; contains; kya dala hai; preservatives; sugar free
side-time: kab lena hai; before or after food; how to use; kaise istemal; dose; instructions
emergency: emergency number; gas leak; accident; fire; at night help; turant madad; ambulance; stuck in lift; danger
election: nominee add; death of holder; family transfer; waris; naam par karna; transfer ownership
address-delivery: change delivery address; send to other address; galat pata diya; different place; naya pata order
receiver-absent: nobody at home at delivery; leave with guard; not at home; padosi ko de do; kal lana
receiver-absent: receive by other
call-before: call before coming; time pe aana; phone karke aana; inform before
donate: donate; daan; 80g; give old things; charity
feedback: give feedback; rating; review; happy with service; suggestion; tip
language: do you speak hindi; english; language; hindi mein; form in hindi; teach in hindi
`
