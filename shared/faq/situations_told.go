package faq

// toldSituations are the same situations as people tell them: what has happened to them, and not what they ask.
const toldSituations = `
price: what is the fee for the course; consultation fee; cost of one kilo; rent per month; price of a thyroid test
price: doctor ki fees; room rent kitna hai; fare to delhi; what would a full set cost; charges for two people
price: how much should i pay for this; monthly charge kya hai; mujhe kitna padega; rate for double
discount: why so costly reduce it; is there any scheme; price mein kuch hoga; special rate for us
discount: senior citizen concession; referral benefit; paying full year any benefit; sale kab hai
pay-how: can i pay when it comes; cash on delivery; paying at home; online nahi aata cash de du; net banking se bharna
pay-how: account mein transfer kar du; which app for payment; card swipe; pay after service
pay-failed: amount gone but no message; upi failed but bank says paid; recharge done not reflected
pay-failed: paise kate recharge nahi hua; order not showing but debited; do baar paise kat gaye
pay-failed: accidentally paid twice
bill-wrong: charged for six but it was four; amount higher than told; bill does not match; you said less on phone
bill-wrong: reading is wrong; extra rupees added why; last month was less; why did you take more money
bill-copy: statement of account; year wise list; send bill on email; invoice for office claim; payment slip
bill-copy: proof for file; purana bill chahiye; receipt with stamp
refund-when: approved return but nothing in bank; you agreed to give my money back; subsidy not credited
refund-when: cashback not received; claim amount kab aayega; week ho gaya paisa nahi aaya
refund-when: when does the money reach me
refund-if: if i leave in between; did not like it money back; agar cancel kiya to; unable to attend want money
refund-if: beech mein chhod diya to fees; is advance returned if we do not come
cancel: function called off; plan changed not coming; booked by mistake; galti se order ho gaya; do not make it
cancel: twice ordered cancel one; stop the delivery; mat bhejna; remove my booking; not travelling now
cancel: how late can i cancel; radd karne par kitna katega
reschedule: make it friday instead; come in the evening not morning; kal nahi parso; slot change karna hai
reschedule: ek hafte baad; move my appointment; running late can you wait; aaj nahi aa sakta; change pickup time
reschedule: delivery at eight instead of five; interview ki tarikh badal do; travel date change
hours: is anyone there at nine; sunday evening hours; now open or closed; do you close for lunch; lunch break
hours: how late are you there; raat ko khule rehte ho; what time should i come; counter timing
hours: when does the shop open; daftar kab khulega
schedule: batch kab shuru hoga; next batch; evening batch for working people; what time is dinner
schedule: when does garbage come; water kab aata hai; visiting hours; pooja ka samay; bus kitne baje; show timing
schedule: pickup time of the van
address: send me the google map; your location; where is the shop; which side of road; opposite to what; kis jagah par
address: clinic kidhar hai; cannot find your place; kahan milenge; where to drop things myself; branch near me
area: vaishali nagar delivery hogi; sector 22; my pin code 302001; send it six km away; kitni door tak delivery
area: kya bhopal mein bhi; noida mein branch; come up to my colony; which routes; how far do you come
how-book: need an appointment tomorrow at six; number laga do; table for four; doctor se milna hai
how-book: show my child to doctor; please collect from my house; pickup chahiye; kaise order karu; booking ka tarika
how-book: i want to come on saturday; reserve hall; need a cab; gas booking; slot book karna hai; admit my son
how-book: bed book; how to order from you
walkin: must i book or just come; number lagana padega ya seedha; open for all without booking
walkin: can we come directly today
how-long: by when will my phone be ready; in how many days will i get it; kitne din mein lag jayega
how-long: same day mil jayega; waiting time; loan approve hone mein kitna; visa kitne din; how soon; report kab tak
how-long: course finish in how many months; kab tak banega
track: which stage is my parcel; order kaha hai; rider kaha hai; parcel number 445 where; reached which city
track: abhi kaha pahuncha; out for delivery or not; how can i follow my order
late: party has started and nothing came; an hour over; it has been six days; should have come on monday
late: time ho gaya kab aayega; kab se wait kar raha hu order ka; cylinder not come booking was last week; itni der kyu
late: food not arrived; where is my stuff
noshow: your guy was supposed to come at seven; no one at my door; technician nahi pahuncha; waiting for your man
noshow: appointment was at ten nobody; called twice no visit; sample lene koi nahi aaya; driver not come
noshow: engineer ne bola tha aayega; kab bhejoge banda
missing-item: only one in the bag; cheeni nahi hai thaili mein; charger was not inside; two pieces less
missing-item: gave seven got six; ek shirt kam hai; bill has it but box does not; accessories missing
missing-item: half the order came
wrong-item: asked butterscotch this is pineapple; chocolate manga tha vanilla bhej diya; sent to other person
wrong-item: label has other name; these belong to someone; report is not mine; different model came
wrong-item: kisi ka saman mere paas
damaged-item: box upside down ruined; smashed; crushed; bottle leaking in box; glass broke on the way; rotten tomatoes
damaged-item: milk curdled; smells bad; sour taste; basi tha; expired date over; not fresh; insects inside food
damaged-item: packet open tha; dead on arrival; new one has fault
damaged-by-you: your man broke my tile; hole in my kurta after wash; shirt turned pink; you lost my parcel who pays
damaged-by-you: scratch on my car after service; burnt by iron; will you pay for loss
exchange: give me another one; ek size bada chahiye; want a new piece not repair; change the flavour
exchange: replace under warranty; badal kar do; old for new
not-working: switched on but no light; screen black; does not charge; app crash; button dead
not-working: net not coming since morning; ac not cooling room; fan stopped; fridge not cold; card not swiping
not-working: meter not running; tv no picture; chalu nahi ho raha; bandh padi hai; sir koi signal nahi; does not open
repair-request: sink leaking send someone; mcb gir raha hai; need electrician; lift stuck; ro kharab; cycle puncture
repair-request: fix my zip; can you mend; repair at home; kal mistri bhej do; engineer bhejiye
warranty: is it covered if it breaks; covered under warranty; how long is free service; battery ki guarantee
warranty: part changed guarantee; water gaya to warranty; months covered for new handset
warranty: khareede paanch mahine hue free hoga; extended warranty; second year cover
maintenance: half yearly check; service due; yearly contract kitne ka; oil change; filter change; free service kitni
maintenance: panels ki dekhbhal
installation: who fixes it on wall; demo and install; lagane ka charge; kab lagega meter; naya connection lagwana
installation: shift and refit
docs: what to bring on first day; which proof for address; kaun sa kagaz; papers for loan; form ke saath kya
docs: photo chahiye kya; vaccination card needed; id at check in; what should i carry with phone; kya saath laye
eligible: qualified to join; left school after fifth; no experience can i; am i too old; is my income enough
eligible: diploma holders allowed; homemaker can apply; four months old too early; can shopkeepers take loan
eligible: kis umar mein; from what age
apply-how: new account; how do i get a connection; admission process; want to become member
apply-how: kya karna hoga lene ke liye; registration kaise; steps to start; loan lena hai; card banwana hai
apply-how: naam likhwana hai
apply-status: job number 55120 is it done; where can i see what stage; loan kaha tak pahuncha; my complaint status
apply-status: has my request gone through; result of interview; phone bana ya nahi; claim ka kya hua; kab tak jawab
apply-status: subsidy status; is my repair ready
correct-details: printed 43 but i am 34; surname missing; father name wrong; old number given; address purana hai
correct-details: mobile badal gaya; update email; change name on bill; wrong date in certificate
duplicate: passbook lost; card gum gaya; certificate kho gaya; book of vaccination lost; need second copy
duplicate: phir se print; reprint; license lost; marksheet gum
download: reports on whatsapp; mail me the pdf; certificate online; see bill online; photo bhej do
download: link to open result
human: is there any number to call; want to speak to your manager; give me your boss number; i want a human
human: aapse phone par baat; connect me to agent; call back please; kisko phone karu
complaint: nobody is solving my problem; third time i am telling; very angry; report against staff; raise a ticket
complaint: complaint number; baar baar bola par kuch nahi hua; worst experience; will go to court
stop-service: do not need it from next month; membership khatam karna; account band; stop milk; course chhodna hai
stop-service: remove my name; disconnection chahiye; surrender; leave the hostel; number hata do
pause: out of station for a week; no milk from tenth to fifteenth; gaon ja raha hu; stop for few days only
pause: ek mahine baad phir se; on leave; medical break; holiday hold; skip meals; thode din rok do
renew: licence expired; policy khatam; subscription ended yesterday; pack over; next year continue; dobara chalu
renew: renewal due
unused: did not use all kilos; bacha hua weight; remaining days; half package left; points expire
unused: did not come for a week adjust; extra days milenge; last month balance
upgrade: one more panel; bigger room; from single to double; faster speed; add family member; enhance cover
upgrade: 1kw aur badhana; extra storage; higher class
options: which rooms; which breads; what flavours; kaun kaun se course; types of insurance; what tests in package
options: colours available; what all is covered; aap log kya kya karte ho
brand: chinese or indian; original part or local; kis company ka inverter; which paint; is it genuine leather
brand: wala brand rakhte ho; do you keep royal; what soap
do-you-do: can you wash sneakers; parde saaf karte ho; can you remove stain; do you see birds; x ray hota hai
do-you-do: carpet cleaning; blouse stitching bhi; do you take old; laptop bhi theek; do you make eggless; home tuition
do-you-do: is there a gym; lift hai kya; library hai kya; print hota hai
allowed: can i cook in room; induction rakh sakte; may i bring food from outside; photography allowed; can couple stay
allowed: bike le ja sakte; tea before test; water before surgery; can i feed in the morning; alcohol allowed; smoking
allowed: tenants allowed; drilling wall
see-first: can i look at the flat; show me the room; sample video; one session before deciding; trial pack
see-first: can i taste; test ride; visit campus; come to measure the roof; dekh ke batao; ghar aakar dekho
minimum: only two shirts will you take; just one bread; single piece order; 1 kg se kam; ek aadmi ke liye
minimum: small order ok; smallest pack; kam se kam balance
bulk: eighty pastries for office; bedsheets of guest house; two hundred pieces; society mein sabke liye; school order
bulk: event on friday many people; shaadi ke liye order; reseller rate; buses for barat
express: need by tomorrow; tonight itself; very urgent wedding; aaj hi chahiye; in two hours; fastest
express: jaldi kar do extra lelo
move: shifting to pune; naye ghar le jana; change of house; transfer my connection; new address install again
move: makan badla
job: any opening for driver; looking for work; can i work with you; nurse vacancy; electrician job; part time job
job: delivery ka kaam; internship milegi
partner: want to open your outlet; supply vegetables to you; become collection centre; dealer in ratlam
partner: sell my product through you; commission agent; apna center kholna; kitna invest
safe: can my daughter travel alone; raat ko safe; is door locked; women staff; who can enter; kids safe from road
safe: is it harmful; fire safety; germs; needle new
result: marks kab; when will blood report come; list kab lagegi; selected list; reports by evening; x ray report
result: promised report yesterday still waiting
test-prep: should i come empty stomach; tea allowed in the morning; water before test; medicine band karna
test-prep: no food before operation; what to do before surgery; prepare for interview; kya dhyan rakhna
home-visit: boy comes to my place; doctor at home; cannot walk come to us; tailor at home; sample from house
home-visit: parlour at home; ghar aakar; collect clothes from house; trainer home; old mother cannot come
missed-class: four days ill; could not come two days; lessons gone; dobara padha doge; catch up; absent tha
how-works: how is extra electricity sold; what is net metering; process after booking; kaise kaam karta hai system
how-works: what happens next; steps of treatment
lifespan: how many years do panels run; kitne din tak kharab nahi; how long fresh; keep in fridge; shelf life
lifespan: till tuesday ok; store kaise kare; kab tak taza
quantity: how many units in a month; how big for twenty guests; ek kilo kitne logo; how many seats
quantity: how much in one pack; how much electricity will it make; how many sessions; kitna nikalta hai
side-time: how do i give tablet; pill spits out; dose kitni; kaise khilaye; before food; din mein kitni baar
side-time: worm medicine how often; when should shots be given; kab lagta hai; schedule of vaccine
illness: not eating since yesterday; vomiting; loose motion; fever since two days; pain; swelling; bleeding
illness: breathing problem; khana nahi kha raha; ulti; dast; tabiyat kharab; bite; itching; kamzori; behosh
illness: swallowed something
treat: do you treat; ilaj hota hai; doctor for skin; can it be cured; operation possible; specialist available
treat: kya ilaj hai; remedy; bird doctor; eye checkup
no-effect: medicine not working; no improvement; koi fark nahi; finished course still same; aaram nahi; still pain
no-effect: again problem after repair; same issue back; theek nahi hua
give-away: adoption; rescue; free to good home; donate clothes; take home a kitten; injured street animal; ngo
teach: learn how to make; want to learn; classes for beginners; sikhna hai; course karate ho; training dete ho
teach: workshop; beginner class; teach me
sit-place: place to sit; dine in; cafe; six of us; waiting room; baithne ki jagah; seats upstairs; table for family
add-on: add candles and knife; extra items; along with it; saath mein ye bhi; include flowers; balloon add
add-on: accessories also
loyalty: stamp card; points; tenth free; member benefit; regular customer; refer a friend; reward
copy-design: same as in photo; make like this picture; from instagram; photo jaisa; sample design dikhau; theme
copy-design: reference image
write-name: write name on it; message on top; naam likh do; happy birthday likhna; engrave; print logo
ready: is it ready; can i collect it; ban gaya kya; taiyar ho gaya; finished or not; when may i pick it up
ready: order ready hone par batana; has my work been done; is my thing done; aa jau lene; kab taiyar hoga
today-offer: what is there today; aaj kya hai; special of the day; what are you making today; aaj ka menu
today-offer: today's list
extra-quantity: more than usual today; one more of it; zyada chahiye aaj; double portion; increase the number
extra-quantity: two instead of one; thoda aur; not enough for me
skip-once: do not send tomorrow; leave out one day; kal mat bhejna; aaj nahi chahiye; only this day no; skip next one
skip-once: not this week
other-place-once: send it to my office today; different address for one day; aaj dusri jagah bhejna
other-place-once: deliver at my friend's; bring it elsewhere this time
stop-for-good: end everything and return the rest; hamesha ke liye band; leaving the city close it
stop-for-good: no more from next month; final settlement
visit-place: may i come and look how you work; visit your kitchen; factory dekhna hai; see where it is made
visit-place: tour of the place; come on wednesday to look
start-how: i want this from monday what to do; kaise shuru kare; begin from tomorrow; naya customer hu kya karu
start-how: what is the first step; sign me up
day-pass: only for one day; just tomorrow; ek din ke liye; single visit; one time use; few hours only; try for a day
own-thing: can i use my own; apna samaan la sakte; i have my own frame; bring my own material; my own container
own-thing: khud ka; own cook; own cloth
do-it-myself: i want to do it myself; khud kar lunga; without your help; self service; main khud pack karunga
workers-trust: who are these people; are they checked; police verification of staff; is it safe to let them in
workers-trust: identity card of worker; bharose ke log; background check
money-asked: your man asked for money; driver wants a tip; paise maang raha hai; demanded cash; rishwat
money-asked: extra money to worker; chai pani
not-taken: what do you not take; things that are not allowed to carry; forbidden items; ye le jaoge kya
not-taken: kya nahi le jaate; do not accept
pieces-lost: count does not match; there should be more; ek kam hai ginti mein; one is not here; 31 came of 32
pieces-lost: piece short
broke-at-yours: table toot gayi aap logo se; after your people came it is cracked; your worker broke
broke-at-yours: damaged while moving; glass broken by staff; todh diya
price-fixed: will the price change later; final price; will you ask more afterwards; baad mein zyada to nahi loge
price-fixed: is the quotation fixed; rate lock
book-early: how many days before must i book; kitne din pehle batana; is it too late to book; last minute booking
book-early: advance booking time; for a date at month end
pay-when: when do i have to pay; full money before or after; kab dene hai paise; rest of the amount
pay-when: balance payment time; pay at month end
keep-things: can you keep my things; storage for months; samaan rakh lo; locker to keep laptop; place for luggage
keep-things: till my flat is ready
few-items: only a fridge to move; just one thing; sirf ek almari; small load; one item only; not the whole
office-job: for our office; 40 desks; company ke liye; business customers; team of six; whole floor; staff ke liye
height-extra: fourth floor without lift; stairs extra; upar chadhane ka; no elevator; floor charge
grow: hired more people need bigger; more space needed; bada chahiye ab; team grows; upgrade to larger
temperature: too cold here; freezing; very hot inside; ac tez hai; thand lag rahi; garmi lag rahi; change temperature
loud-people: people talk loudly; sales guys shout; shor bahut; cannot concentrate; noisy neighbours at desk
loud-people: silent zone
access-card: forgot my card; door does not open; standing outside without card; card ghar bhool gaya; access pin
access-card: entry card lost
letters: receive my parcel; letters come to your address; sign for courier; post kaun lega; mail handling
register-address: use your address for company; gst on your address; registered office; business address
register-address: address proof for firm
print-here: can i print; printer available; take out papers; photocopy here; scan document
call-place: place to talk on phone; private corner; phone booth; quiet room for call; meeting with client
brand-mark: put our logo; name on glass; own branding; sticker lagana; paint the room
meet-others: events; meetups; community; networking; programmes for members; friday get together
vision: cannot see clearly; blurry; number changed; dizzy with new glasses; wrong power; headache from it; dhundhla
turns-dark: dark in sun; sunlight protection; dhoop ke liye; for computer; screen all day; night driving
loose-part: screw fell out; arm came off; loose; hinge; dheela ho gaya; came apart; khul gaya
how-to-wear: how do i put it on; teach me to use; kaise pehne; kaise lagaye; remove and clean; first time user
how-often: how often should it be done; kitne din mein; once a year or more; last done three years back; regular check
how-often: next visit when
old-for-new: give old get new; exchange offer; purana dekar; benefit for old one; buyback
size-of-group: we are six; for four people; family of five; how big for us; chhe log hain
`
