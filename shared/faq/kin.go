package faq

// kinRows are ideas that belong to one matter, a row each: the first with each of the others. Who speaks of one may
// mean an entry about the other. A word stands for its usual idea.
const kinRows = `
price discount cheap expensive bargain pay loan instalment tariff rent
discount cheap expensive bargain family result points
cheap expensive bargain
expensive bargain
pay loan instalment cash card onlinepay autopay codpay cod due latefee
loan instalment bank interest eligible prepay cibil guarantor finish gold
tariff rent
cash card onlinepay autopay codpay cod balance salary limit
card onlinepay autopay codpay cod atm new
onlinepay autopay codpay cod online
autopay codpay cod
codpay cod arrive
due latefee date late
date latefee second day move
latefee late fine bounce
late fine wait queue time
refund return deduct deposit money stuck cancel price
return deduct deposit money stuck complaint
deduct deposit money stuck
deposit money stuck
money stuck cash balance salary
stuck failed lift
failed refund
balance salary account statement savings
cancel finish surrender close reschedule postpone
finish surrender close
surrender close
reschedule change date second day move
change date second day move correct exchange address house
second day move
day move
correct exchange wrong spelling
wrong spelling damaged exchange return quality report
damaged exchange return broken lost parcel
exchange return
broken return exchange repair leak lost helpline
missing lost less order
lost less missed blocked block fraud duplicate card insurance
blocked block fraud
block fraud card
fraud complaint
complaint block wrong quality night person manager
like bad return complaint
bad return complaint wrong quality
repair technician visit clean
technician visit plumber electrician
plumber electrician leak water repair
install new
new start apply connection
start apply account
apply admission form documents eligible
admission form start seat
form start download
documents eligible proof identity kyc form sign stamp
proof identity kyc form
identity kyc form passport licence
kyc form
sign stamp spelling
passport licence
report reportready status download understand doctor
reportready status time
understand doctor
test sample report blood urine sugar thyroid cholesterol cbc fullbody xray
sample report
blood urine
sugar thyroid cholesterol cbc fullbody
thyroid cholesterol cbc fullbody
cholesterol cbc fullbody
cbc fullbody
fasting eat food water drink empty morning tea
eat food water drink
food water drink menu plate veg spicy
water drink supply
homecollection house visit pickup sample technician blood
house visit pickup sample home
visit pickup sample trial
pickup sample driver
home homecollection
old senior person age lifecertificate lift
senior person discount
child family age account
family age guest death
woman staff safe
man woman
guest friend parking safe stay guard
friend family
parking safe allowed
safe guard cctv alone privacy product
guard cctv alone gate
cctv alone
tenant rent owner documents
rent owner
maid guest guard food
society committee due
maintenance society due service repair
service repair clean
noise complaint night
garbage clean time
clubhouse hall party
hall party wedding birthday event capacity
wedding birthday party event
birthday party event
party event
capacity group seat
group seat
decoration wedding birthday
music dj noise
dj noise
catering food menu plate
menu plate veg spicy
veg spicy eggless allergy
eggless allergy
allergy skin safe
skin safe
leak water
power electricity generator
electricity generator
lift broken
possession start registry
sitevisit visit trial
floorplan carpet
homeloan loan bank interest
bank interest
interest eligible savings fixeddeposit latefee price
prepay finish partial noc close early
savings fixeddeposit
fixeddeposit maturity
withdraw atm cash limit money
atm cash limit
transfer limit money
account statement
statement download
download account
passbook statement
cheque account
password login otp forgot netbanking
login otp forgot netbanking app website
otp forgot netbanking
forgot netbanking lost
app website
nominee family death name
death succession name
succession nominee name
minor child account
dormant start account
goldloan loan gold
pension old lifecertificate
branch office location
office location address
address distance reach station pincode city house
distance reach station area city
reach station pickup
area city address pincode
pincode city
city abroad move
abroad move shipping
move address house transfer
wait queue book
queue book
walkin book
book apply
doctor book person medicine prescription
medicine prescription
emergency urgent night
urgent sameday speed
sameday speed today
hospital admit operation
admit operation
cashless insurance claim
insurance claim
insured covered claim
covered claim lost insurance
corporate wholesale company invoice discount
wholesale company invoice quantity
company invoice
partner corporate start
camp corporate
school admission
board syllabus school
syllabus school
medium language
teacher staff experience talk
staff experience
ptm talk parents
talk parents phone
homework material
marksheet result exam
result exam
transfercertificate leave
uniform books
schoolbus bus route pickup
bus route pickup
route pickup
holidays sunday leave closed
sunday leave open
attendance leave missed
leave missed time move
sports music
sibling discount family
scholarship discount result
hostel room stay food
room stay
canteen food
batch time class morning evening
time class
morning evening time
demo class
recording missed
onlineclass online remote
online remote recording
beginner experience learn
placement job result
delivery arrive reach track area
arrive reach late time
track arrive late status
shipping delivery
parcel order courier
order delivery
stock restock empty order wait
restock empty
size measurement small big fit exchange
measurement small big fit
small big fit
big fit
tight size
colour fade
fade clean
fabric cloth
customise name
giftwrap wrap gift
wrap gift
coupon discount points
packages discount plan
bulk group
alcohol drink
cake birthday
photographer video
checkin arrive time early
checkout leave time
earlycheckin morning
extrabed bed
breakfast food
laundry clean cloth
clean cloth
stain clean
pool swim
sightseeing travel guide taxi
travel guide
taxi pickup driver airport station
airport station reach pickup
luggage locker weight lost
locker bag
cloakroom bag locker
seat choose
missed late delivery
scooter parking vehicle
car vehicle parking
testdrive trial drive
trial drive
tyre repair
pickupdrop pickup house
spare repair
accidental accident insurance claim
accident insurance claim
licence document expire learner
expiry renewal finish
renewal late
automatic car
drive learn driver
learn class course teach
class course
teach class
instructor teacher woman
mobile repair
screen broken price
battery charger
data safe
meter light wrong
load change
solar install
disconnection due pay
reconnection disconnection pay
donation tax receipt pay
tax receipt invoice
volunteer join
pooja temple
membership join price
join price
pause away leave
upgrade change
equipment gym
diet slim
slim gym
shower locker
shoes uniform
facial skin
haircut hair man
hair man
bridal wedding
product brand
original quality brand
warranty repair broken
teeth doctor
vet pets
tailor measurement
alteration tight
farmer seed
gstbill invoice
lawyer law
job salary
fresher experience
website online
recharge plan
plan price upgrade
speed internet
router internet
invoice pay
tds interest
feedback complaint
callback talk phone
whatsapp phone
email phone
saturday open sunday
evening time
night time
nobody missed delivery away
away travel
alone woman
notice leave move
curfew late time
wheelchair old lift
toilet stop
forbidden allowed rule
allowed rule limit
choose change
approve status reject
status reject late delayed
reject reason ?why
eligible age salary
age salary
name wrong
mobilenumber phone change
phone change
processing price
bounce emi balance
emi due date loan
partial pay
noc finish certificate close
topup loan
selfemployed salary job
score eligible
limit price
minimum limit
credited approve account
delayed wait track
noshow technician delayed missed
helpline phone emergency
electrician repair power
sell noc house
renovation permission repair
gatepass maid guard
printed report copy
bloodcount blood
lipid fasting
accredited quality certificate
postpone reschedule
buyback sell
accessories charging
unlock password
substitute stock
expiredproduct return fresh
minimumorder delivery
slot delivery
mocktest test
studymaterial books
doubtclass doubt
batchchange time
dropout refund
close early
`
