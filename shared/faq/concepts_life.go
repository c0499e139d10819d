package faq

// lifeConcepts are words for the same, a row each: of people, health, education, work, travel, homes, devices, clothes,
// events, animals, risks and plans.
const lifeConcepts = `
man man men male boy boys gents ladka ladke purush aadmi mard bachelor guy
woman woman women female girl girls ladies ladki ladkiyan mahila aurat lady madam
child child children kid kids baby infant bachcha bachche bacche beta beti son daughter toddler shishu minor
child school-going
senior senior elderly old-people bujurg buzurg parents maa-baap mata-pita mother father mummy papa grandparent dadi
senior dada nani nana vriddh
family family parivar wife husband pati patni spouse couple married brother sister bhai behen relatives rishtedar
friend friend dost yaar mitra companion saathi colleague
guest guest visitor mehman mehmaan atithi outsider visiting friends-come
group group team people-together batch-of party gang samuh
student student vidyarthi chhatra pupil learner
teacher teacher tutor faculty trainer coach instructor shikshak adhyapak guru mentor
doctor doctor physician specialist vaidya daktar surgeon dentist consultant
staff staff employee worker karmchari delivery-boy boy rider executive driver technician agent engineer mechanic
staff mistri karigar attendant
customer customer client grahak consumer buyer user
owner owner malik landlord makan-malik proprietor boss
tenant tenant kirayedar renter lodger
partner partner dealer dealership franchise distributor reseller agency business-partner become-dealer sell-your
partner tie-up collaboration vendor supplier
disabled disabled handicap handicapped wheelchair divyang viklang ramp
pregnant pregnant pregnancy garbhvati garbh maternity expecting delivery-case
roommate roommate room-partner flatmate room-mate saath-rehne roomie
neighbour neighbour neighbor padosi next-door
lawyer lawyer advocate vakil legal-advisor
police police thana
guard guard security chowkidar watchman cctv camera surveillance
appointment appointment slot booking-time number-lagana milne-ka consult consultation opd visit-doctor checkup
appointment see-doctor
medicine medicine dawa dawai tablet capsule syrup drug goli tonic ointment inhaler
prescription prescription parcha parchi doctor-slip doctor-paper without-prescription doctor-note
test test blood-test jaanch janch sample pathology xray scan mri ultrasound sonography
report report result lab-report
vaccine vaccine vaccination teeka tika injection sui immunization dose
illness illness disease bimari fever bukhar cold cough khansi infection flu rog sick unwell bimar tabiyat
pain pain dard ache hurt takleef suffering sore
allergy allergy allergic rash rashes sensitive itching khujli reaction side-effect skin-problem nuksan-kare
skin skin face twacha chehra pimple acne daane muhase
hair hair baal haircut hairfall dandruff
teeth teeth tooth dental dant daant cavity braces root-canal
eye eye aankh aankhen vision spectacles chashma glasses lens
heart heart dil bp blood-pressure cardiac ecg
diabetes diabetes sugar madhumeh insulin glucose
surgery surgery operation operate opration stitches
admit admit hospitalise bharti discharge ward bed-charge icu inpatient
emergency emergency ambulance accident 24x7 24-hours aapatkaal
insuranceh insurance insured bima mediclaim cashless claim tpa policy-cover ayushman coverage covered reimbursement
diet diet nutrition khan-paan kya-khana weight-loss vajan-kam motapa
exercise exercise workout gym yoga cardio kasrat fitness zumba
side side-effect nuksan haani harmful safe-to-use risk dangerous khatra
expire expiry expire expired best-before expiry-date purana-maal stale out-of-date basi sada rotten
fast fasting empty-stomach khali-pet bina-khaye bhukhe
course course class classes lecture program batch coaching tuition padhai training kaksha session
syllabus syllabus curriculum pathyakram topic subject vishay chapter
exam exam examination test pariksha paper quiz assessment entrance
resulte result marks score marksheet grade percentage natija toppers rank ank
fees fees tuition-fee course-fee admission-fee school-fee
book book books notes material study-material kitab pustak textbook stationery copies library
online online-class live-class zoom recorded recording video-lecture from-home distance-learning ghar-baithe
demo demo trial sample-class try free-class first-class trial-class aazmaish aazmakar
scholarship scholarship merit freeship chhatravritti financial-aid
placement placement job-guarantee naukri-lagna campus-interview after-course
hostel hostel accommodation stay lodging pg paying-guest rehne rahne dormitory boarding boarders
transport transport bus van school-bus cab conveyance shuttle pick-drop
uniform uniform dress-code vardi school-dress kapde-pehenna what-to-wear wear pehenna
attendance attendance absent present haziri leave-application miss-class chhutti-lena bunk
holiday holiday vacation leave chhutti break chhuttiyan
homework homework assignment grihkarya project-work
doubt doubt query sawaal prashn clear-doubt extra-class samajh-nahi
sports sports khel game cricket football playground swimming badminton
admission admission enrol enrolment dakhila pravesh seat seat-available join-school intake
school school vidyalaya skool college university institute
medium medium language english hindi bhasha madhyam speak-language translation
transfercert tc transfer-certificate leaving-certificate migration
job job vacancy naukri work-with hiring career opening recruit kaam-chahiye employment rozgar resume cv bharti-nikli
experience experience fresher anubhav years-of-experience kaam-ka-anubhav
interview interview sakshatkar selection joining
shift shift duty working-shift night-shift overtime
ticket ticket booking-ticket seat reservation pnr berth tikat
travel travel trip tour journey yatra safar package-tour itinerary ghoomna ghumna sightseeing
flight flight airport plane hawai boarding-pass
hotel hotel resort stay-hotel lodge guesthouse homestay guest-house
cab cab taxi car-rental auto rickshaw driver-car ola uber
car car vehicle gaadi gadi four-wheeler kaar suv sedan automobile
bike bike scooter scooty motorcycle two-wheeler bicycle cycle activa
luggage luggage baggage bag suitcase saman samaan bags belongings
visa visa passport immigration embassy
driver driver chauffeur chalak
fuel fuel petrol diesel cng mileage
tyre tyre puncture tire wheel
service service servicing maintenance amc service-plan maintain annual-service yearly-plan upkeep rakhrakhav
service service-contract sarvis
breakdown breakdown roadside stranded rasta-kharab tow towing band-ho-gayi
testdrive test-drive trial-ride test-ride chalake-dekhna
checkin checkin check-in early-check in-time
checkout checkout check-out out-time vacate khali-karna leave-room
meal meal breakfast lunch dinner food khana nashta bhojan tiffin mess eat thali
menu menu dish dishes cuisine vyanjan items-list
veg veg vegetarian pure-veg shakahari jain no-onion satvik
nonveg nonveg non-veg non-vegetarian chicken mutton meat egg fish maans mansahari maansahari anda murga
spice spicy spice teekha mirch masaledar
drink drink drinking water pani paani tea coffee chai juice cold-drink
alcohol alcohol liquor beer wine daru sharab drinks
smoke smoke smoking cigarette tobacco gutka sutta
sweet sweet mithai cake dessert chocolate
fresh fresh taza taaza freshness
taste taste swad quality-of-food tasty khana-kharab
wifi wifi wi-fi internet broadband net router data connection speed slow-net
ac ac air-conditioner air-conditioning aircon cooler cooling thanda airconditioner
heater heater geyser hot-water garam-pani heating warm
tv tv television led screen-tv
laundry laundry wash washing clothes-wash dhulai dhona dhote dhoye kapde-dhona dhobi washing-machine dhulwana
dryclean dryclean dry-clean dry-cleaning
iron iron ironing press pressing istri
clean clean cleaning cleaner cleanliness safai saaf sanitize sweep mop jhadu dusting hygiene hygienic ganda dirty dust
clean dhool gandagi
bed bed mattress bistar pillow bedsheet gadda cot charpai blanket kambal razai quilt rajai
furniture furniture cupboard wardrobe almirah table chair sofa desk study-table almari
key key chabi chaabi lock taala
noise noise loud shor disturb music-loud awaaz hulla
pest pest insect cockroach bug bedbug mosquito rat termite keede keeda machhar chuha deemak khatmal
electricity electricity bijli power-supply light current unit units meter power kilowatt watt
powercut power-cut power-failure outage light-chali bijli-jaane bijli-jana load-shedding light-goes blackout no-power
powercut light-off light-gayi
backup backup battery generator inverter ups battery-backup
solar solar panel panels sun-power saur
device device machine equipment appliance gadget yantra upkaran instrument
mobile mobile smartphone handset cellphone
computer computer laptop pc desktop system
printer printer print-out printing ink-cartridge
screen screen display glass monitor
repair repair fix mend theek thik thik-karna marammat banwana sudharna restore
install install installation fit fitting lagana lagwana set-up setup mount place-it lagate
notworking not-working doesnt-work stopped-working kaam-nahi nahi-chal chal-nahi band-pada out-of-order dead
notworking malfunction error fault problem dikkat kharab kharaab issue trouble gadbad hang stuck crash not-starting
notworking not-turning wont
lowoutput dropped low-output less-output reduced decrease kam-ho down-performance ghat-gaya poor-performance weak
lowoutput slower drop kam-aa less-than
redlight red-light blinking warning-light lal-batti indicator alarm beep
connect connect connection pair link-device jodna attach joint
battery battery baitri cell charge-hold
charge charge charger charging recharge
signal signal network tower coverage-signal
sound sound awaaz volume speaker mic audio
software software program windows virus format
memory memory storage data-loss backup-data photos-lost
spare spare part parts purza purze component spare-part
camera camera lens photography
water water pani paani tank tanki supply jal
leak leak leakage drip seepage tapak seelan risav
plumber plumber plumbing tap pipe nal drain
electrician electrician wiring switch fuse mcb
carpenter carpenter badhai woodwork
paint paint painting putai rang-rogan
gas gas cylinder lpg stove chulha burner
purifier purifier ro filter aquaguard
garbage garbage waste trash kachra kooda dustbin
rent rent rental kiraya lease hire on-rent rent-out kiraye-par bhade bhada
vacate vacate leave-room move-out chhodna khali quit-stay leaving chhod
move move moving shift shifting relocate relocation transfer-house ghar-badalna new-house ghar-badal shift-house
move naye-ghar dusri-jagah
sell sell selling bechna resale second-hand used-purchase buyback
construction construction build builder naksha nirman contractor thekedar
survey survey inspection inspect measure visit-site site-visit dekhne nirikshan see-room look-around have-a-look
survey come-and-see dikhao check-place
property property plot land flat-sale zameen jameen registry
society society apartment residents association rwa
clothes clothes cloth kapda kapde garment dress shirt pant trouser jeans kurta suit blazer coat saree sari dupatta
clothes lehenga sherwani outfit apparel
fabric fabric silk cotton wool resham linen material-type
shoes shoes shoe sneakers joote chappal footwear sandal boots
curtain curtain curtains parda parde blinds carpet rug kaleen
stain stain daag dhabba spot mark tel-ka ink-mark
tailor tailor tailoring stitch stitching silai darzi sew button zip buttons hem
alteration alteration alter loose tight dheela chhota-karna fitting-change
jewellery jewellery gold sona chandi silver ornament gehne zevar diamond ring necklace
gift gift present tohfa uphar gift-wrap hamper surprise
personalise customize custom personalised engraving name-print design-own apna-design logo
makeup makeup bridal bride dulhan facial beauty parlour mehndi
massage massage spa malish
soap soap detergent shampoo chemical powder sabun product-used surf perfume cosmetics
event event function party celebration wedding marriage shaadi shadi birthday anniversary reception sangeet ceremony
decoration decoration decor flowers phool sajawat balloon stage
catering catering caterer outside-food own-caterer halwai
music music dj band song gaana sound-system orchestra dance
photography photography photographer video-shoot album videography drone
priest priest pandit puja pooja temple mandir havan aarti prasad
donate donate donation daan chanda charity volunteer ngo
pet pet dog cat animal kutta billi puppy janwar paltu bird rabbit
vet vet veterinary pashu-doctor grooming animal-doctor
plant plant paudha nursery-plant seed beej sapling gardening
farm farm farmer kheti kisan crop fasal khet agriculture pump-farm tractor
fertilizer fertilizer khaad pesticide keetnashak urea
weather rain rainy barish baarish badal cloud cloudy weather mausam storm tufan toofan hail ole aandhi flood garmi
weather sardi wind barsat monsoon snow
milk milk doodh dairy curd dahi paneer ghee
grocery grocery kirana ration sabzi vegetables fruit rice atta dal
theft theft steal stolen chori thief burglary robbery chor
fire fire aag burn jal burnt
accident accident durghatna injury chot crash-car
insure insured insurance covered bima policy protection damage-cover compensation muavza mua-avza bharpai claim
law law legal court kanoon case kanuni advocate
safe safe safety secure security suraksha surakshit suraksit trustworthy bharosa reliable risk khatra
child-safe child-safe for-children bachchon-ke-liye kids-allowed
curfew curfew gate-close gate-closing late-night-entry raat-ko-aana kitne-baje-tak-aa come-late gate-lock night-entry
death death died mrityu nidhan deceased passed-away
will nominee nomination heir waris varis
plan plan package pack scheme-plan monthly-plan combo bundle membership subscription sadasyata paik
upgrade upgrade increase expand extend badhana badhao add-more add-on higher enhance zyada-karna extension
upgrade more-capacity jodna jod aur-lagana
downgrade downgrade reduce-plan kam-karna lower-plan
renew renew renewal renewed navinikaran continue-plan
pause pause hold freeze temporarily skip stop-for kuch-din-band going-away break-in rok
stop stop close terminate end discontinue band-karna khatm deactivate unsubscribe
carryforward carry-forward rollover carry unused bacha-hua left-over next-month-add jud-jayega bacha leftover
carryforward remaining-balance
transfer transfer someone-elses give-to-friend naam-par shift-to
join join joining become-member judna new-member sign-me
share share sharing double-sharing triple-sharing single-room occupancy together-with twin
included included include inclusive shamil included-in comes-with saath-mein alag extra-charge separately separate
included part-of
method how-to how-do procedure process tarika kaise steps vidhi
discountgroup group-discount bulk-discount student-discount senior-discount
compare difference better compare antar fark best which-one kaun-sa-behtar
reason why reason karan kyu kyun wajah
open open opened khula khuli khulta chalu start-business
close close closed shut band bund
new new naya nayi latest recent fresh-new
old old purana purani used second-hand
big big bada large larger huge
small small chhota little tiny
more more zyada additional plus adhik
half half aadha adha partial half-day
single single akela alone individual one-person
double double two do-log dono twin couple-room
hot hot garam warm heat
cold cold thanda thandi chilled
dry dry sookha sukha dryer
wet wet geela bheega gila
strong strong mazboot durable tikau last-long survive withstand jhel long-lasting
easy easy aasan simple
mix mix together ek-saath milakar combined same-machine with-others mixing
`
