package faq

// serviceConcepts are words for the same, a row each, as in ideaRows: of what any business does with its customers, of
// money, time, papers, access, places and delivery. A long row goes on in the next line, which begins with its idea.
const serviceConcepts = `
price price rate cost charge fee fees fare amount kimat keemat daam dam mulya moolya bhav bhaav shulk kharcha kharch
price lagat quotation quote estimate rupee rupaya rupay bucks kitne-ka kitne-ki kitne-mein kitna-lagega kitna-padega
price kitna-paisa kitne-paise how-much what-price
pay pay payment bhugtan bhugtaan chukana chukao bharna bhar settle clear remit transaction len-den
money money paisa paise rakam raqam dhan fund funds cash nagad nakad nakdi
refund refund money-back paise-wapas paisa-wapas reimburse reimbursement moneyback wapas-paise returned-money get-back
refund paise-vapas
deduct deduct debit cut kat kata kate katega katauti kaat charged charge-kiya withhold subtract
overcharge overcharge overcharged extra-charge zyada-liya zyada-paise charged-more excess-bill billed-more bill-zyada
overcharge wrong-bill inflated double-charge galat-bill
discount discount chhoot chhut chut concession rebate offer deal promo sale kam-karo riyayat less-price bargain coupon
discount voucher code promocode cashback off
free free muft nishulk complimentary gratis without-charge no-charge bina-paise zero-cost free-of-cost
extra extra additional more surcharge atirikt alag-se zyada upar-se add-on
instalment instalment installment emi kist kisht parts monthly-payment thoda-thoda part-payment easy-payment tukdo
instalment in-parts
deposit deposit security advance token caution jamanat peshgi bayana booking-amount down-payment downpayment upfront
deposit earnest
credit credit udhaar udhar khata-credit baad-mein-paisa pay-later
cash cash nagad nakad note notes cod cash-on
onlinepay upi gpay phonepe paytm netbanking card debit-card credit-card online-payment scan qr wallet google-pay bhim
bill bill invoice receipt raseed rasid parchi bil pakka-bill kachcha-bill gst-bill challan voucher-slip memo
gst gst gstin tax vat taxation tds cess
fine fine penalty jurmana latefee late-fee late-payment vilamb surcharge punish
due due baki bakaya balance pending-payment outstanding unpaid remaining baaki
lastdate deadline due-date last-date last-day aakhri-tarikh antim-tithi final-date aakhri-din cutoff
account account khata bank-account bank a/c
loan loan karz karj rin udhari finance borrow lend mortgage
interest interest byaj sood percent percentage pratishat
salary salary pay-scale vetan tankhwah stipend wages income aay kamai earning ctc package-salary mazdoori
tip tip bakshish baksheesh
subsidy subsidy anudan sarkari-madad government-help yojana scheme grant benefit sahayata
saving saving save bachat economical cheap sasta budget low-cost kifayati affordable kam-daam cheaper
expensive expensive costly mehnga mahanga overpriced high-price
profit profit munafa commission margin labh faayda benefit earning
budget budget range bajat
wallet wallet points reward loyalty coin coins bonus
today today aaj turant right-now same-day is-waqt immediately
tomorrow tomorrow next-day
morning morning subah savere early-morning forenoon sunrise sabere
evening evening shaam sham sandhya dusk
afternoon afternoon dopahar dopehar noon midday lunch-time
night night raat rat midnight overnight late-night
weekend weekend sunday saturday ravivar itvar itwar shanivar holiday chhutti festival tyohar diwali holi closed-day
weekend weekly-off
weekday monday tuesday wednesday thursday friday somvar mangalvar budhvar guruvar shukravar weekday
hours timing time hours open opening closing khulne khulta band-hone kab-khulta working-hours office-hours samay
hours kitne-baje kab-tak waqt schedule from-when till-when
duration duration how-long kitna-time kitne-din kitni-der kitna-samay kitne-ghante how-many-days days-take turnaround
duration lead-time long-take din-lagenge time-lagega samay-lagega
late late delay der deri vilamb delayed overdue slow-delivery not-yet abhi-tak still-waiting still-not pending ab-tak
late waiting intezar intezaar so-long
early early jaldi pehle advance ahead sooner pahle jald
urgent urgent urgently emergency express fast jaldi turant tatkal asap quick immediately rush speedy hurry fauran
date date tarikh tareekh din day tithi
month month mahina mahine monthly maah
week week hafta hafte saptah weekly
year year saal sal varsh annual yearly salana baras
hour hour ghanta ghante minute minat minut
period period avadhi tenure span validity valid vaidh
daily daily roz rozana everyday pratidin har-din har-roz
often often kitni-baar how-often frequency kitne-din-mein kab-kab regular niyamit every-how
first first pehla pehli pehle-baar initial new-customer naya-grahak first-time pahli
last last pichla pichhla previous aakhri antim final
again again dobara phir-se repeat once-more punah redo firse reapply
minimum minimum least kam-se at-least nyuntam smallest lowest
maximum maximum most highest zyada-se adhiktam upto limit up-to seema
duration-stay stay-long kitne-mahine kitne-saal
future future coming-soon aage upcoming
document document documents paper papers kagaz kagaj kagzat dastavej paperwork certificate proof id-proof aadhaar
document aadhar pan identity pehchan passport licence voter photo-id papers-needed
form form application aavedan farm prapatra fill-form
apply apply application aavedan register registration enrol enroll admission join sign-up signup dakhila pravesh
apply panjikaran nominate
sign sign signature hastakshar dastakhat
photo photo picture image tasveer pic photograph selfie
copy copy duplicate photocopy xerox soft-copy hard-copy print printout prati nakal
download download save-file pdf nikaalna
certificate certificate praman pramanpatra sertifiket diploma degree
name name naam spelling surname
correction correct correction wrong-name galat-naam edit update modify sudhar sudhaar rectify misprint mistake-in
correction change-name
verification verify verification kyc satyapan check-document jaanch-padtal authenticate
agreement agreement contract bond anubandh ikrarnama lease lock-in lockin terms
policy policy rule rules niyam terms condition shart guideline regulation
permission permission allow allowed permit anumati ijazat izazat can-bring consent manzoori noc
forbidden forbidden not-allowed banned mana manaa prohibited strict restriction pratibandh
reject reject rejected deny denied refuse decline khaarij namanzoor turned-down
approve approve approved sanction manzoor pass accepted swikaar clear selected
status status progress stage track kahan-tak kaha-tak update-on kya-hua sthiti
eligible eligible eligibility qualify criteria yogya patra qualification who-can kaun-kar
age age umar umra aayu years-old saal-ka minimum-age old-enough budhe bachcha-umar
notice notice notice-period soochana inform intimation batana-padega pehle-batana tell-before before-leaving
login login log-in sign-in signin password otp pin forgot-password unlock access locked-out cannot-open
app app application mobile-app website site portal web online-site
update update upgrade latest-version new-version refresh
register register registration create-account new-account account-banana khata-kholna signup
profile profile details account-details personal-details mobile-number email-id contact-details
block block blocked blacklist freeze lock band-kar-do stop-card deactivate
hack hack hacked fraud scam thagi dhokha cheat cheated suspicious fake phishing
privacy privacy private confidential data secret gopniya gupt personal-data
notification notification message sms alert reminder msg
call call phone ring phone-call baat contact reach-you helpline toll-free customer-care number-do
email email mail inbox
human human agent person executive representative insaan manager speak-to talk-to baat-karni
complaint complaint complain shikayat grievance report-problem naraz unhappy dissatisfied escalate sunwai
feedback feedback review rating suggestion sujhav rate-us
rude rude misbehave behaviour behave badtameez badtameezi gaali abuse abusive shout impolite bura-vyavhar bolne-ka
rude manners vyavhar
address address pata location jagah thikana situated located map directions landmark rasta route reach pahunche
address pahuche how-to-reach google-map
shop shop bakery garage pharmacy chemist medical-store parlour salon restaurant cafe school institute agency bank
shop clinic hospital lab gym academy library club company store showroom outlet dukan dukaan branch shakha centre
shop center office daftar counter karyalaya godown warehouse factory studio workshop
near near nearby nearest paas pass najdeek kareeb close-to aas-paas distance far door dur kitni-door kitna-dur
near walking-distance
area area locality ilaka ilake sector colony region zone city shahar town village gaon district pincode pin-code serve
area cover service-area muhalla mohalla hamare-yahan
outside outside bahar out-of-station other-city dusre-shahar outstation abroad videsh foreign international overseas
home home house ghar residence doorstep makan flat my-place niwas
floor floor manzil storey upar upper-floor ground-floor tal
building building imarat complex tower premises block campus parisar
room room kamra kamre chamber suite accommodation cabin
parking parking park park-car gaadi-khadi gadi-khadi car-khadi bike-khadi gaadi-lagane khadi-karne keep-vehicle
roof roof chhat chat terrace tin-shed rooftop ceiling
wall wall deewar diwar
kitchen kitchen rasoi cook cooking pakana khana-banana stove induction
bathroom bathroom toilet washroom shauchalay restroom latrine
lift lift elevator
garden garden lawn park-garden bageecha baag
hall hall banquet venue auditorium mandap lawn-hall party-hall
station station metro bus-stop railway airport stand depot bus-stand
branch-other other-branch dusri-branch branches kitni-branch another-location
entry entry entrance gate main-gate darwaza darwaja door come-in andar andar-aana
delivery delivery deliver home-delivery ship shipping dispatch courier parcel bhejna bhejte bhej pahunchana pahuncha
delivery deliver-karte drop-off bring
pickup pickup pick-up collect collection le-jana le-jao utha lene-aana lene-aaoge pick come-take lene-aayega fetch
arrive arrive reach pahunch receive received get-delivered aa-gaya
notarrived not-received not-arrived not-come nahi-aaya nahi-mila nahi-pahuncha didnt-come nobody-came did-not koi-nahi
notarrived nahi-aayi not-delivered not-reached no-show noshow never-came never-arrived nahi-aaye no-one not-got
track track tracking trace where-order-order order-status location-of live-location
order order purchase booking book kharid buy kharidna mangana mangwana mangaya place-order
cancel cancel cancellation radd raddh kensal cancle call-off nahi-chahiye changed-mind dont-want no-longer not-needed
cancel withdraw drop-order nirast
return return wapas vapas lautana send-back give-back take-back
exchange exchange replace replacement swap badal badalna badlo change-item instead
reschedule reschedule postpone prepone change-time change-date shift-time another-day another-time other-time
reschedule time-badal din-badal badal-tarikh later-date aage-badhana samay-badal slot-change move-appointment
missing missing less kam kam-nikla not-in-box left-out chhoot-gaya one-less gayab nahi-nikla shortage short incomplete
missing adhura
wrongitem wrong-item wrong-product galat-saman galat-item wrong-order different-item dusra-saman someone-else kisi-aur
wrongitem not-mine not-ordered mix-up mixed-up not-what galat galti wrong incorrect
damaged damaged broken torn crack cracked toota tuta phata fata phat kharab defective faulty hole tear leaking spoiled
damaged dented scratch scratched tut damage nuksan bigad bigda spoil ruined
lost lost lose kho gum misplace misplaced gir-gaya missing-item gayab stolen chori steal theft chura cant-find
lost not-finding bhool-gaya left-behind chhoot
packing packing package pack box packaging wrap dabba parcel-box
stock stock available availability uplabdh in-stock out-of-stock sold-out bacha left maujood khatam
quantity quantity number-of kitne-piece pieces how-many bulk wholesale large-order thok zyada-order bulk-order
quantity corporate-order dher party-order
weight weight kilo kg gram wajan vajan heavy bhari per-kg
size size measurement naap big small bada chhota fit fitting dimension lambai chaudai height width large length
colour colour color rang shade pink white black red blue rangeen
fade fade colour-gone rang-utar rang-nikal rang-chala discolour bleed turned-colour faded dull rang-ud
quality quality original genuine asli nakli fake real gunvatta standard pure purity shuddh milawat
brand brand company kampani manufacturer which-brand kaunsi-company kis-company
warranty warranty guarantee guaranty garanti vaaranti free-repair
model model version variety kism prakar kinds category
`
