package faq

// tradeRows are words for the same, as ideaRows are: of one trade or another. A word may stand in several rows.
const tradeRows = `
city delhi dilli mumbai bombay pune nagpur indore bhopal jaipur lucknow kanpur patna ranchi kolkata chennai
city bangalore bengaluru hyderabad ahmedabad surat vadodara rajkot nashik thane noida gurgaon gurugram ghaziabad
city faridabad agra varanasi allahabad prayagraj meerut amritsar ludhiana chandigarh dehradun haridwar shimla jammu
city srinagar udaipur jodhpur kota ajmer gwalior jabalpur raipur bilaspur ujjain aurangabad goa kochi guwahati
city bhubaneswar दिल्ली मुंबई पुणे नागपुर इंदौर भोपाल जयपुर लखनऊ कानपुर पटना कोलकाता चेन्नई हैदराबाद अहमदाबाद
date tomorrow yesterday january february march april june july august september october november december
family sister brother cousin uncle aunty bhai behen bahan behan didi friend relatives wife husband saas sasur
book booking bookings booked appointment appointments slot slots reserve reserved reservation apointment apaintment
book-in-advance advance token pehle-se bayana biyana earnest
queue line crowd rush bheed bhid kataar number-lagana
walkin walk-in direct directly seedha seedhe without-booking without-appointment bina-booking bina-appointment
walkin drop-in
start begin begins beginning starting starts commence commences shuru shuruat
finish finishes ends ended ending complete completed poora pura khatm over
expiry expire expires expired expiring valid validity lapse lapsed out-of-date khatm vaidh vaidhta maanya avdhi
renew renewal renewed renewing naveenikaran dobara-banwana phir-se
duplicate duplicate-copy dobara new-copy
form forms farm faarm prapatra fill filling filled bharna
sign signs signature signatures dastakhat hastakshar sain
stamp affidavit notary shapath shapathpatra
original asli mool
proof praman saboot sabut
identity id ids pehchan pahchan aadhaar passport voter photo-id
eligible eligibility qualify criteria yogya yogyata patrata
rule rules niyam terms conditions policy guidelines shart sharten
allowed allow permit permitted permission ijazat ijajat anumati manjoori manzoori chhoot
forbidden prohibited banned mana manahi not-allowed allowed-items restricted pratibandh varjit
approve approved approval sanction sanctioned manzoor manjur swikrit pass
choose choice select prefer pasand pasandida
like liked pasand happy satisfied unhappy dissatisfied disappointed naakhush bad
bad poor kharaab ganda bekaar bekar ghatiya
wrong galat incorrect mistake galti error errors mistakes
correct correction sudhar sudhaar sahi theek-karna rectify fix edit
spelling naam-galat
guest guests visitor visitors mehman mehmaan relative relatives rishtedar rishtedaar
guard guards security watchman chowkidar gate gatepass gate-pass
maid maids servant servants domestic-help bai cook cooks driver-help naukar kaamwali
tenant tenants kirayedar kiraedar renter renting rent-out
owner owners malik maalik landlord
society colony residents association samiti rwa
committee committees meeting meetings baithak agm sabha
maintenance maintain upkeep monthly-maintenance rakhrakhaav
latefee late-fee late-payment late-charges overdue penalty penalties fine jurmana vilamb penal
noise noisy loud shor halla awaaz
garbage waste trash dustbin kachra kooda kuda kude collection
clubhouse club community-hall banquet hall halls lawn function-hall
gym-play playground park garden bageecha khel kids-area
lift lifts elevator elevators
leak leakage leaking seepage seelan drip dripping tapakna
plumber plumbing nal tap taps pipe pipeline
electrician electrical bijli-wala wiring switch
power powercut power-cut electricity bijli light light-gayi load outage
generator genset backup inverter power-backup
water supply paani tanker tanki jal
pest cockroach cockroaches termite termites rats mosquito mosquitoes deemak machhar fogging
paint painting paints putai rangai
construction construct building builder imarat nirman tower towers
possession handover hand-over kabza chaabi chabi key keys ready-to-move move-in
sitevisit site-visit see-flat visit-site dekhne show-flat sample-flat ghar-dekhna
carpet area sqft square feet foot size built super-built vargfut
floorplan floor-plan layout brochure naksha map plan-copy
rera approved-project registration-number
noc no-objection no-dues anapatti clearance
resale resell sell transfer-flat bechna
bookingamount booking-amount token-amount
stampduty stamp-duty registry registration rajistri registration-charges
homeloan home-loan loan finance
bhk bedroom bedrooms 2bhk 3bhk 1bhk rooms
furnished semi-furnished furniture sofa bed almirah
balcony balconies terrace chhat roof rooftop
vastu facing east-facing north-facing
bank banks bainka
savings saving bachat savings-account
fixeddeposit fd fds fixed-deposit term-deposit miyadi savadhi
recurring rd rds recurring-deposit aavarti
interest rate-of-interest byaj byaaj byaz percent
withdraw withdrawal withdrawn nikal nikaalna nikalna nikale nikaal cash-limit
transfer transfers neft rtgs imps bheje fund-transfer paise-bhejna
deposit jama jama-karna jamaa
balance minimum-balance minimum bakaya balance-kitna check-balance
passbook pasbook
statement statements vivaran vivran account-statement bank-statement hisab
cheque cheques cheque-book chequebook chek check-book bounce bounced
card cards debit credit atm rupay visa-card atm-card debit-card credit-card
block blocked hotlist freeze frozen lock locked band-karna unblock
fraud frauds scam cheated dhokha thagi thag phishing unknown-transaction suspicious unauthorised unauthorized
stuck deducted debited kat-gaya kat-gaye cut katna katega katenge deduct deduction kata kate katti
credited credit received jama
failed fail fails failure asafal fel not-done unsuccessful declined
otp one-time
login log-in signin sign-in log logging
password passwords reset-password pin mpin passcode forgot-pin
netbanking net-banking internet-banking mobile-banking online-banking
ifsc micr code codes
kyc re-kyc ekyc verification
nominee nominees nomination namankit namaanki waris varis
joint joint-account sanyukt dono-ke
minor minors nabalig naabaalig bachche-ka children-account
dormant inactive inoperative nishkriya
locker lockers safe-deposit
goldloan gold-loan sona jewellery jewelry zevar gehne gahne aabhushan
loan loans rin karz karja karj udhaar borrow borrowing
prepay foreclose foreclosure early-payment close-loan preclosure
cibil credit-score creditscore score
guarantor guarantors guarantee-person jamanatdar zamanatdar
pension pensions pensioner pensioners penshan retired life-certificate jeevan
lifecertificate jeevan-pramaan jeevan-praman
scheme schemes yojana yojna subsidy anudan sabsidi
exchange foreign-currency currency dollar dollars forex
lunch lunch-time lunch-break break
test tests testing tested jaanch janch jaanchen janchen checkup check-up investigation examination exam
sample samples sampal namoona namuna specimen
blood khoon khun rakt
urine peshab mootra stool
fasting empty-stomach khali-pet upvas without-eating kuch-khake kha-ke khaali-pet
sugar diabetes glucose madhumeh hba1c
thyroid tsh thairaid
cholesterol lipid
cbc hemogram haemoglobin hemoglobin
fullbody full-body body-checkup health-package health-checkup poore-sharir whole-body master-checkup package
fullbody packages
xray x-ray xrays mri ct scan scans sonography ultrasound sonograph echo ecg imaging
report reports riport ripot reporting
reportready reports-ready report-ready report-kab result result-kab
understand explain explained samajh samjha samjhaye meaning matlab interpret
accurate accuracy sahi-hai reliable trust bharosa quality nabl accredited wrong-report
recheck repeat dobara-test retest again-test
homecollection home-collection sample-collection ghar-se come-home house-call doorstep home-visit home-service
homecollection ghar-aake ghar-aakar ghar-pe ghar-par ghar-aa
prescription prescribed parcha parchi doctor-slip likha-hua without-prescription
child children kid kids baby babies infant newborn toddler bachcha bachche bacche bachhe bacha bache bachon bachchon
child shishu
pregnancy pregnant garbhvati garbh expecting maternity
woman women female lady ladies mahila aurat madam gents-ladies
man men male gents gent purush mard mardon aadmi ladke boys boy
old elderly senior seniors aged bujurg vriddh buzurg budhe grandparents grandfather grandmother dada dadi nana nani
staff female-staff
needle injection sui syringe pain
doctor doctors physician dr vaidya daktar doktor specialist consultant consult consultation paramarsh
medicine medicines dawai dawa dava dawaiyan tablet tablets goli drug drugs syrup
fever bukhar illness cold cough khansi
emergency emergencies urgent ambulance aapatkaal accident 24x7 24-hours raat-ko
admit admitted ward bharti icu
surgery operation operations opration
cashless mediclaim insurance tpa ayushman ayushmaan pmjay cghs echs
insured insure insurance bima beema
claim claims reimbursement reimburse
corporate company companies bulk business employees office-staff group
camp camps shivir
partner partners franchise franchises franchisee dealership collection-centre dealer agency
school schools skool vidyalay
admission admissions dakhila daakhila pravesh enrol enroll join seat-available
nursery lkg ukg kg playschool preschool kindergarten
board cbse icse boards
medium english-medium hindi-medium madhyam
subjects subject vishay stream science commerce arts
teacher teachers miss ma'am adhyapika tichar class-teacher
principal head headmaster
ptm parent-meeting parents-meeting parent-teacher
homework grihkarya assignment
marksheet marksheets report-card result-card marks grades progress
transfercertificate tc transfer-certificate leaving-certificate slc school-leaving
bonafide bonafied character-certificate
uniform uniforms dress-code school-dress vardi
schoolbus school-bus bus-facility bus-route van pick-and transport
holiday holidays vacation vacations chhuttiyan chhutti summer-break garmi diwali festival tyohar
attendance haaziri hajiri hazri absent present upasthiti leave-application
sports sport games khel cricket-ground football swimming-class
music dance singing nritya sangeet guitar zumba yoga yog
sibling siblings bhai-behen second-child
scholarship scholarships chhatravritti merit freeship rte concession
hostel hostels chhatravas pg paying-guest
canteen mess tiffin tifin
lostfound lost-found
idcard id-card identity-card
alumni old-student
syllabus silebus
exam exams pariksha paper papers test unit-test
batch batches baich timing-batch
demo trial free-class trial-class sample-class try
certificate certificates sertifiket pramanpatra praman-patra
placement placements job-guarantee naukri-lagegi job-milegi
internship interns
recording recordings recorded recorded-lecture backup-class missed-class
onlineclass online-class online-classes zoom live
beginner beginners basic naya-seekhna scratch start-learning
`
