// The phone of a customer. What the customer has said is kept in this browser; what was sent to them is read from the
// simulated WhatsApp.
const $ = (id) => document.getElementById(id);
const kept = (name, otherwise) => JSON.parse(localStorage.getItem('haatline.phone.' + name) ?? 'null') ?? otherwise;
const keep = (name, value) => localStorage.setItem('haatline.phone.' + name, JSON.stringify(value));

const about = await (await fetch('about')).json();
const people = [...about.people, ...kept('people', [])];
let shown = '';

function choices(select, all, chosen) {
  select.replaceChildren(...all.map(({ value, text }) => new Option(text, value, false, value === chosen)));
}
function offer() {
  choices(
    $('who'),
    people.map((one) => ({ value: one.number, text: one.name })),
    kept('who', people[0]?.number),
  );
  choices(
    $('via'),
    about.numbers.map((one) => ({ value: one.id, text: one.name })),
    kept('via', about.numbers[0]?.id),
  );
}

const who = () => people.find((one) => one.number === $('who').value);
const saidKey = () => `said.${$('who').value}.${$('via').value}`;

function problem(text) {
  $('problem').textContent = text ?? '';
  $('problem').hidden = !text;
}

async function ask(path, body) {
  const answer = await fetch(path, body && { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text();
  const said = text ? JSON.parse(text) : {};
  if (!answer.ok) throw new Error(said.error?.message ?? said.error ?? said.message ?? answer.statusText);
  return said;
}

async function say(what, shows) {
  try {
    problem();
    const person = who();
    const said = await ask('say', {
      from: person.number,
      name: person.name,
      phoneNumberId: $('via').value,
      ...what,
    });
    keep(saidKey(), [...kept(saidKey(), []).slice(-199), { id: said.id, at: Date.now(), shows }]);
    if (said.error) problem(said.error);
    await show();
  } catch (error) {
    problem(error.message);
  }
}

/** What a message to the customer says, and what they may tap. */
function readable({ type, body }) {
  const content = body[type] ?? {};
  const files = {
    image: '📷 Photo',
    video: '🎬 Video',
    audio: '🎤 Voice note',
    document: '📄 Document',
    sticker: 'Sticker',
  };
  if (type === 'text') return { text: content.body, taps: [] };
  if (files[type])
    return { text: [files[type], content.filename, content.caption].filter(Boolean).join('\n'), taps: [] };
  if (type === 'reaction') return { text: `reacts with ${content.emoji || 'nothing any more'}`, taps: [] };
  if (type === 'template') {
    const values = (content.components ?? []).flatMap((part) => part.parameters ?? []);
    const told = values.map((value) => value.text ?? value.payload ?? value.type).join(', ');
    return { text: `Template ${content.name} (${content.language?.code})${told ? ': ' + told : ''}`, taps: [] };
  }
  if (type === 'interactive') {
    const { header, body: main, footer, action = {} } = content;
    const rows = (action.sections ?? []).flatMap((section) => section.rows ?? []);
    const taps = [
      ...(action.buttons ?? []).map((button) => ({ title: button.reply?.title })),
      ...rows.map((row) => ({ title: row.title, more: row.description })),
    ];
    if (content.type === 'location_request_message') taps.push({ title: 'Send my location', location: true });
    if (content.type === 'order_details') taps.push({ title: 'Pay', pays: action.parameters?.reference_id });
    const link = action.parameters?.url ?? action.parameters?.display_text;
    return { text: [header?.text, main?.text, footer?.text, link].filter(Boolean).join('\n'), taps };
  }
  return { text: `${type}: ${JSON.stringify(content)}`, taps: [] };
}

function tap({ title, location, pays }) {
  if (location) return say({ message: { location: here } }, '📍 Location');
  if (pays)
    return ask('pay', { phoneNumberId: $('via').value, referenceId: pays, status: 'captured' }).then(show, (e) =>
      problem(e.message),
    );
  return say({ button: title }, title);
}

function bubble({ mine, text, taps = [], at }) {
  const element = document.createElement('div');
  element.className = mine ? 'bubble mine' : 'bubble';
  element.append(text);
  for (const one of taps) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = one.more ? `${one.title}: ${one.more}` : one.title;
    button.addEventListener('click', () => tap(one));
    element.append(button);
  }
  const time = document.createElement('small');
  time.textContent = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  element.append(time);
  return element;
}

let latest; // id of the last message to the customer, to which they may react
async function show() {
  const query = new URLSearchParams({ to: $('who').value, limit: '200' });
  const { messages } = await ask('messages?' + query);
  const got = messages
    .filter((one) => one.phoneNumberId === $('via').value)
    .map((one) => ({ id: one.id, at: Date.parse(one.receivedAt), ...readable(one) }));
  latest = got.at(-1)?.id;
  const said = kept(saidKey(), []).map((one) => ({ id: one.id, mine: true, at: one.at, text: one.shows }));
  const all = [...got, ...said].sort((a, b) => a.at - b.at);
  const now = saidKey() + all.map((one) => one.id).join();
  if (now === shown) return;
  shown = now;
  $('chat').replaceChildren(...all.map(bubble));
  $('chat').scrollTop = $('chat').scrollHeight;
}

const here = { latitude: 18.5204, longitude: 73.8567, name: 'Home', address: '14 MG Road, Pune' };
/** What each kind of message holds, with the text that was typed. */
const kinds = {
  text: (text) => [{ text }, text],
  image: (text) => [{ message: { image: text ? { caption: text } : {} } }, `📷 Photo\n${text}`],
  video: (text) => [{ message: { video: text ? { caption: text } : {} } }, `🎬 Video\n${text}`],
  audio: () => [{ message: { audio: { voice: true } } }, '🎤 Voice note'],
  document: (text) => [{ message: { document: { filename: text || 'list.pdf' } } }, `📄 ${text || 'list.pdf'}`],
  location: () => [{ message: { location: here } }, '📍 Location'],
  sticker: () => [{ message: { sticker: {} } }, 'Sticker'],
  contacts: (text) => {
    const name = text || 'Meena';
    const contact = { name: { formatted_name: name, first_name: name }, phones: [{ phone: '+91 98765 00077' }] };
    return [{ message: { contacts: [contact] } }, `👤 ${name}`];
  },
  reaction: () => [{ message: { reaction: { message_id: latest, emoji: '👍' } } }, 'reacts with 👍'],
};

$('compose').addEventListener('submit', async (event) => {
  event.preventDefault();
  const kind = $('kind').value;
  const text = $('text').value.trim();
  if (kind === 'text' && !text) return;
  if (kind === 'reaction' && !latest) return problem('There is no message to react to yet.');
  $('text').value = '';
  $('kind').value = 'text';
  await say(...kinds[kind](text));
});
$('add').addEventListener('click', () => ($('adding').hidden = !$('adding').hidden));
$('adding').addEventListener('submit', (event) => {
  event.preventDefault();
  const one = { name: $('name').value.trim(), number: $('number').value.replace(/\D/g, '') };
  if (!people.some((other) => other.number === one.number)) {
    people.push(one);
    keep('people', [...kept('people', []), one]);
  }
  keep('who', one.number);
  $('adding').reset();
  $('adding').hidden = true;
  offer();
  void follow();
});
for (const id of ['who', 'via']) {
  $(id).addEventListener('change', () => {
    keep(id, $(id).value);
    void follow();
  });
}

let timer;
/** Shows the chat now, and again each second while the page is seen. */
async function follow() {
  clearTimeout(timer);
  if (!document.hidden) await show().catch((error) => problem(error.message));
  timer = setTimeout(follow, 1000);
}
document.addEventListener('visibilitychange', follow);
offer();
void follow();
