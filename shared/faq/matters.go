package faq

// matterRows are ideas that belong to one matter, as kinRows are: the first of a row with each of the others.
const matterRows = `
price overcharge discount free extra expensive saving bill budget fees
hours date duration late early open close morning evening
duration late delay wait period early
refund deduct deposit cancel return money account
deposit refund money order lastdate
cancel refund stop reschedule return
reschedule date late early hours update
missing lost notarrived wrongitem less complaint
wrongitem missing exchange return complaint mix
damaged exchange return warranty repair complaint fade quality insure
notworking repair damaged complaint warranty lowoutput redlight slow breakdown
lowoutput notworking redlight
redlight notworking device
repair service staff spare warranty duration
service repair clean plan
installation fit install
install duration site
lost missing theft copy key
theft insure police lost
insure accident claim theft fire damaged warranty
warranty insure service repair period exchange
track status late notarrived delivery order
late notarrived track complaint
notarrived late complaint track staff pickup
delivery order pickup home area courier late arrive
pickup delivery home staff collect
order delivery pay deposit join
stock order quantity
area delivery address branch outside
address near shop station route floor
near station distance address
document identity certificate verification form eligible copy proof
form apply document download
apply join admission form eligible register
eligible age document apply salary
join apply price plan start
plan price upgrade renew pause carryforward join
pause stop holiday plan
renew plan expiry lastdate
carryforward plan pause
upgrade plan extra
stop cancel vacate plan
vacate notice deposit move rent
notice vacate period
agreement period notice stay minimum
stay minimum period agreement short
rent price tenant owner room furniture deposit
room bed furniture rent stay price sharing
roommate noise complaint share move
noise complaint night neighbour music
curfew late night entry hours
entry curfew guest guard
guest friend family night stay
guard safe woman theft entry
safe woman child guard side allergy
meal menu veg nonveg hours price drink included
veg nonveg meal
nonveg veg meal menu
menu meal veg price
wifi speed connect notworking app
ac heater cold notworking
heater bathroom water hours
laundry clothes clean iron dryclean price
dryclean clothes price laundry stain
iron clothes laundry price
clothes laundry dryclean iron stain fabric fade size
fabric clothes quality dryclean
stain clean dryclean laundry
fade colour clothes damaged
soap allergy skin fabric side
alteration size tailor repair
tailor clothes alteration repair size
clean bathroom room often
pest insect clean complaint
parking car bike
car parking service driver fuel
bike parking service
electricity bill unit powercut power
powercut backup electricity
backup powercut battery
solar electricity roof weather
weather solar outside damaged close
roof area floor site
survey site staff visit home
subsidy money price eligible
instalment loan interest pay late
loan interest instalment document eligible
interest loan
bill gst pay overcharge copy
gst bill tax
overcharge bill complaint refund
fine late lastdate due
due pay fine lastdate bill
lastdate due fine hours
account money bank login
pay cash onlinepay bill method instalment
cash pay delivery
onlinepay pay card app
login app block
app login download update notworking
block theft hack stop
hack complaint block
privacy safe
human call complaint
call human email
complaint human rude feedback
rude staff complaint
feedback complaint
partner join order business
job salary interview form experience
experience job eligible
interview job
appointment doctor hours order reschedule cancel
doctor appointment human price staff
medicine prescription doctor side stock
prescription medicine doctor document
test report price fast blood sample home
report test download hours understand
vaccine child price age
illness doctor medicine pain
pain illness doctor emergency
allergy skin side soap medicine
surgery admit price doctor
admit emergency room insuranceh
emergency doctor hours night
insuranceh claim document pay
claim insuranceh document damaged
course price duration syllabus teacher hours online
syllabus course book exam
exam resulte date syllabus
book course syllabus library
online course app
demo free course test
scholarship discount resulte fees
placement job course
hostel room meal rent
transport area price home
uniform clothes
attendance holiday online
holiday close weekend date
doubt teacher course
admission form document age price lastdate
school admission
ticket order travel seat price
travel ticket price plan
flight ticket luggage
hotel room checkin
luggage lost weight
checkin hours early
checkout hours late vacate
driver car
breakdown repair emergency
pet allowed permission
vet pet
plant water
event hall decoration price group
hall event group price
decoration event flower outside
catering meal event
music event noise
photography event price
gift packing delivery
packing delivery damaged
personalise name gift
makeup event price
smoke alcohol forbidden fine
alcohol forbidden outside
forbidden permission policy
permission policy owner forbidden
policy forbidden period
quality brand complaint
brand quality model
model price brand
spare repair price
key lost room
quantity price minimum discount
minimum order price salary
maximum quantity
weight price size
size price exchange fit
group quantity discount
child age family
senior discount age
family guest child
woman safe room
man woman room
new install buy
sell price old
move transfer address price home
transfer move name
name correction document
correction name update
verification document identity
certificate document copy
copy certificate document bill
download app report copy
update profile name
profile update call
status form loan track
approve status reject
reject why approve
privacy privacy
survey appointment
expire medicine quality damaged
fresh quality damaged
taste quality meal complaint
water leak clean
leak plumber repair
plumber repair
electrician repair electricity
garbage clean hours
deposit booking
charge battery device
battery charge price backup
screen damaged repair price
data memory safe
mobile device screen
computer device repair
sound notworking
device repair notworking
join membership
share room price
why reason
`
