// A day on the pages beside the inbox, in a real browser on a running local cloud: stage.mjs says where it is.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as stage from './stage.mjs';

const { CONSOLE, SIMULATOR, examine, looking, loseAnswers, looks, operator, shopNumber, simulator, until } = stage;
const say = (from, name, text) => stage.say(from, name, text, shopNumber);
/** The text of a file that a click saves. */
async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'latin1') };
}
const tab = (page, name) => page.locator('.pages').getByRole('link', { name }).click();
const card = (page, text) => page.locator('.card', { hasText: text });
const lane = (page, name) => page.getByRole('region', { name });

const page = await operator();
const call = stage.caller(await stage.tokenOf(page));
const [store] = (await call('GET', '/stores?tenantId=demo')).items;
const stores = `/stores/${store.id}`;
const order = (customer, name) =>
  call('POST', stores + '/orders', {
    customer,
    customerName: name,
    items: [{ productId: 'SALT-1', quantity: '2' }],
    fulfilment: 'pickup',
  });

const held = {};
const steps = {
  async 'keys, links and the palette lead from page to page'() {
    await say('919811300001', 'Kavita', 'Hello from Kavita');
    await page.locator('.row', { hasText: 'Kavita' }).click();
    const talk = new URL(page.url()).hash;
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).hash, '#/orders');
    await page.goBack();
    await page.locator('#answer').waitFor();
    assert.equal(new URL(page.url()).hash, talk);
    await page.locator('#answer').focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a page' }).fill('orders');
    await page.keyboard.press('Enter');
    await page.locator('.board').waitFor();
    await page.reload();
    await page.locator('.board').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a page' }).fill('kavi');
    await page.getByRole('option', { name: 'Kavita' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.bubble', { hasText: 'Hello from Kavita' }).first().waitFor();
    await page.goto(CONSOLE + '#/nowhere');
    await page.locator('.list').waitFor();
  },
  async 'what nobody looks at is not read'() {
    await tab(page, 'Orders');
    await page.locator('.board').waitFor();
    await say('919811300001', 'Kavita', 'Are you there?');
    const unread = async () =>
      (await call('GET', '/conversations')).items.find((row) => row.name === 'Kavita').unreadCount;
    await until(async () => (await unread()) > 0);
    await page.waitForTimeout(2500); // it would have been read
    assert.ok((await unread()) > 0);
    await tab(page, 'Inbox');
    await page.locator('.bubble', { hasText: 'Are you there?' }).first().waitFor();
    await until(async () => (await unread()) === 0);
  },
  async 'orders move over the board with one tap, by keys, and with a reason'() {
    const first = await order('+919811300002', 'Ravi Kumar');
    await order('+919811300003', '<b>Farah</b>');
    await tab(page, 'Orders');
    await lane(page, 'Waits for you').locator('.card', { hasText: 'Ravi Kumar' }).waitFor();
    await lane(page, 'Waits for you').locator('.card', { hasText: '<b>Farah</b>' }).waitFor();
    await card(page, 'Ravi Kumar').getByRole('button', { name: 'Move on to Confirmed' }).click();
    await lane(page, 'Confirmed').locator('.card', { hasText: 'Ravi Kumar' }).waitFor();
    await card(page, 'Ravi Kumar').locator('.name').focus();
    await page.keyboard.press('m');
    await lane(page, 'Being prepared').locator('.card', { hasText: 'Ravi Kumar' }).waitFor();
    await card(page, 'Ravi Kumar').locator('.name').click();
    const panel = page.getByRole('complementary', { name: 'Ravi Kumar' });
    await panel.getByText('Catch Salt').waitFor();
    assert.equal(new URL(page.url()).hash, '#/orders/' + first.id);
    const file = await saved(page, () => panel.getByRole('button', { name: 'Invoice' }).click());
    assert.match(file.text, /^%PDF/);
    await panel.getByRole('button', { name: 'Cancel the order' }).click();
    await panel.getByLabel('Why?').fill('The salt is wet');
    await panel.locator('form').getByRole('button', { name: 'Cancel the order' }).click();
    await lane(page, 'Done').locator('.card', { hasText: 'Ravi Kumar' }).getByText('Cancelled').waitFor();
    await panel.locator('.history').getByText('The salt is wet').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a page' }).waitFor();
    await page.keyboard.press('Escape'); // which closes the palette alone
    await page.locator('.palette').waitFor({ state: 'detached' });
    assert.ok(await panel.isVisible());
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await card(page, 'Farah').locator('.name').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('k'); // which also moves the focus on the board
    await page.getByRole('heading', { name: 'Khata', level: 1 }).waitFor();
    await page.goBack();
    await card(page, 'Farah').waitFor();
  },
  async 'an order that a colleague has moved first says so'() {
    const { id } = await order('+919811300004', 'Latif');
    const mine = card(page, 'Latif');
    await mine.waitFor();
    const list = /orders\?/;
    await page.route(list, (route) => route.abort('internetdisconnected'));
    await call('POST', `${stores}/orders/${id}/move`, { status: 'cancelled', reason: 'No salt' });
    await mine.getByRole('button', { name: 'Move on to' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Somebody else was first.*Cancelled/ })
      .waitFor();
    await lane(page, 'Done').locator('.card', { hasText: 'Latif' }).waitFor();
    await page.unroute(list);
  },
  async 'an order leads to the conversation of its customer'() {
    await say('919811300004', 'Latif', 'When is it ready?');
    await card(page, 'Latif').locator('.name').click();
    await page.getByRole('link', { name: 'Conversation' }).click();
    await page.locator('.bubble', { hasText: 'When is it ready?' }).first().waitFor();
  },
  async 'card requests are approved and rejected with a reason, and once'() {
    await call('PUT', '/cards/program', {
      phoneNumberId: shopNumber,
      admins: [{ id: 'asha', name: 'Asha', phone: '+919811399999' }],
    });
    const request = async (name, phone) => {
      const user = await call('POST', '/cards/users', { name, phone });
      return call('POST', `/cards/users/${user.id}/requests`, { productId: 'standard' });
    };
    const [first, , third] = [
      await request('Dev Anand', '+919811300011'),
      await request('Nutan', '+919811300012'),
      await request('<i>Raj</i>', '+919811300013'),
    ];
    await tab(page, 'Approvals');
    await card(page, 'Dev Anand').getByText('Standard card').waitFor();
    await card(page, 'Dev Anand').getByRole('button', { name: 'Approve' }).click();
    await card(page, 'Dev Anand').getByLabel('Reason').fill('Pays in time');
    await page.keyboard.press('Enter');
    await card(page, 'Dev Anand').waitFor({ state: 'detached' });
    await card(page, 'Nutan').getByRole('button', { name: 'Reject' }).click();
    await card(page, 'Nutan').getByLabel('Reason').fill('Too new');
    await page.keyboard.press('Enter');
    await card(page, 'Nutan').waitFor({ state: 'detached' });
    const list = /cards\/requests\?/;
    await page.route(list, (route) => route.abort('internetdisconnected'));
    await call('POST', `/cards/requests/${third.id}/approve`, { reason: 'I know him' });
    await card(page, '<i>Raj</i>').getByRole('button', { name: 'Reject' }).click();
    await card(page, '<i>Raj</i>').getByLabel('Reason').fill('Too late');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: /Somebody else was first.*approved by/ })
      .waitFor();
    await page.unroute(list);
    await page.getByRole('button', { name: 'Approved' }).click();
    await card(page, 'Dev Anand').getByText('Pays in time').waitFor();
    await card(page, 'Dev Anand').locator('.name').click();
    const panel = page.getByRole('complementary', { name: 'Dev Anand' });
    await panel.locator('.history').getByText('Asked by WhatsApp').waitFor();
    await panel.locator('.history').getByText('Pays in time').waitFor();
    held.request = `${first.userId}/${first.id}`;
    await request('Madhubala', '+919811300014'); // one waits
    const meena = await operator({}, 'Meena'); // who may not decide
    await tab(meena, 'Approvals');
    await card(meena, 'Madhubala').waitFor();
    assert.equal(await card(meena, 'Madhubala').getByRole('button', { name: 'Approve' }).count(), 0);
    await meena.context().close();
  },
  async 'what customers say that they have paid is confirmed or refused, and a colleague may be first'() {
    await call('POST', stores + '/khata/sales', { customer: '+919811300025', customerName: 'Usha', amount: '900' });
    const open = async () => (await call('GET', stores + '/khata/claims')).items;
    for (const [i, text] of ['paid 100 ref 412345678901', 'paid 200', 'paid 300'].entries()) {
      await say('919811300025', 'Usha', text);
      await until(async () => (await open()).length === i + 1);
    }
    await page.evaluate((to) => (location.hash = to), encodeURIComponent(`${shopNumber}:919811300025`));
    await page.getByText('Says that they have paid: look').click();
    const claims = page.getByRole('region', { name: 'Say that they have paid' });
    const claim = (text) => claims.locator('li', { hasText: text });
    await claim('₹100').getByText('412345678901').waitFor();
    await claim('₹100').getByRole('button', { name: 'The money has come' }).click();
    await claim('₹100').waitFor({ state: 'detached' });
    await page.locator('.accounts .row', { hasText: 'Usha' }).getByText('₹800').waitFor();
    await claim('₹200').getByRole('button', { name: 'Not found' }).click();
    await page.getByRole('status').filter({ hasText: 'Nothing is written down' }).waitFor();
    await until(async () =>
      (await stage.told('919811300025')).some((one) => one.text?.body?.includes('not found')),
    );
    const list = /khata\/claims\?/;
    await page.route(list, (route) => route.abort('internetdisconnected'));
    const [last] = await open();
    await call('POST', `${stores}/khata/claims/${last.id}/refuse`);
    await claim('₹300').getByRole('button', { name: 'The money has come' }).click();
    await page.getByRole('alert').filter({ hasText: 'The claim is refused by now' }).waitFor();
    await page.unroute(list);
    await claim('₹300').waitFor({ state: 'detached' });
    await call('POST', stores + '/khata/sales', { customer: '+919811300026', customerName: 'Lata', amount: '50' });
    await say('919811300026', 'Lata', 'paid 50');
    await claim('₹50').waitFor(); // for the screen
  },
  async 'the khata is searched, and an entry is written once, also without a network'() {
    const owes = (customer, customerName, amount) =>
      call('POST', stores + '/khata/sales', { customer, customerName, amount });
    await owes('+919811300021', 'Sunita Sharma', '1250.50');
    await owes('+919811300022', 'Gopal <em>Das</em>', '80');
    await tab(page, 'Khata');
    const account = (name) => page.locator('.accounts .row', { hasText: name });
    await account('Sunita').waitFor();
    await account('Gopal <em>Das</em>').waitFor();
    const names = await page.locator('.accounts .who').allTextContents();
    assert.ok(names[0].includes('Sunita'), `most first: ${names}`);
    await page.getByRole('searchbox').fill('gopal');
    await account('Sunita').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('98113 00021');
    await account('Sunita').click();
    const panel = page.getByRole('complementary', { name: 'Sunita Sharma' });
    await panel.locator('.balance').getByText('₹1,250.50').waitFor();
    // The answer to the entry is lost, and the page is loaded anew: it goes again, and is there once.
    const answers = await loseAnswers(page, '**/khata/payments');
    await panel.getByRole('button', { name: 'Payment' }).click();
    await panel.getByLabel('Amount').fill('1,000.25');
    await panel.getByRole('button', { name: 'Write down' }).click();
    await panel.getByText('Waits for the connection').waitFor();
    answers.found = true;
    await page.reload();
    await panel.locator('.balance').getByText('₹250.25').waitFor();
    await until(() => page.evaluate(() => !Object.keys(localStorage).some((key) => key.startsWith('entry '))));
    const written = await call('GET', stores + '/khata/entries?customer=%2B919811300021');
    assert.equal(written.items.filter((one) => one.type === 'payment').length, 1);
    // More than is owed is refused, which holds up nothing.
    await panel.getByRole('button', { name: 'Payment' }).click();
    await panel.getByLabel('Amount').fill('9999');
    await panel.getByRole('button', { name: 'Write down' }).click();
    await panel.getByRole('alert').getByText('The customer owes').waitFor();
    await panel.getByRole('button', { name: 'Discard' }).click();
    await panel.getByRole('alert').waitFor({ state: 'detached' });
    const file = await saved(page, () => panel.getByRole('button', { name: 'PDF' }).click());
    assert.match(file.text, /^%PDF/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New customer' }).click();
    const fresh = page.getByRole('complementary', { name: 'New customer' });
    await fresh.getByLabel('Number').fill('98113 00023');
    await fresh.getByLabel('Name').fill('Imran');
    await fresh.getByLabel('Amount').fill('15');
    await fresh.getByRole('button', { name: 'Write down' }).click();
    await page.getByRole('complementary', { name: 'Imran' }).locator('.balance').getByText('₹15').waitFor();
  },
  async 'prices and stock are changed in place, and a colleague who was first is seen'() {
    await tab(page, 'Shop');
    await page.getByRole('searchbox').fill('catch');
    const salt = (what) => page.getByRole('textbox', { name: `${what}: Catch Salt` });
    await salt('Price').first().fill('27.50');
    await page.keyboard.press('Enter');
    const product = () => call('GET', stores + '/products/SALT-1');
    await until(async () => (await product()).price === '27.50');
    await salt('Stock').first().fill('12');
    await page.keyboard.press('Tab');
    await until(async () => (await product()).stockQuantity === '12');
    // Under the hands of somebody nothing changes; what a colleague has saved first is said.
    await salt('Price').first().fill('28');
    const { version } = await product();
    await call('PATCH', stores + '/products/SALT-1', { price: '29.75', version });
    await page.waitForTimeout(1500);
    assert.equal(await salt('Price').first().inputValue(), '28');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: /Somebody else was first.*29\.75/ })
      .waitFor();
    assert.equal((await product()).price, '29.75');
    const sold = page.getByRole('switch', { name: 'Sold: Catch Salt' }).first();
    await sold.click();
    await until(async () => (await product()).active === false);
    await page.waitForTimeout(1500); // the list is read again, and stays as it was set
    assert.equal(await sold.isChecked(), false);
    await sold.click();
    await until(async () => (await product()).active === true);
    await page.getByRole('button', { name: 'Add a product' }).click();
    const form = page.getByRole('form', { name: 'Add a product' });
    await form.getByLabel('Name', { exact: true }).fill('Mango <b>Alphonso</b>');
    await form.getByLabel('Price').fill('1,200');
    await form.getByLabel('Unit').selectOption('dozen');
    await form.getByRole('button', { name: 'Add a product' }).click();
    const mango = page.getByRole('row', { name: 'Mango <b>Alphonso</b>' });
    await mango.waitFor();
    await page.waitForTimeout(1500); // the list is read again, of all products and not of those that were searched for
    assert.ok(await mango.isVisible());
    assert.equal(await page.getByRole('searchbox').inputValue(), '');
  },
  async 'a spreadsheet is pasted, and nothing is saved before each line is right'() {
    const products = async (q) => (await call('GET', `${stores}/products?q=${q}`)).items;
    await page.getByRole('button', { name: 'Paste from a spreadsheet' }).click();
    const field = page.getByRole('textbox', { name: 'Paste from a spreadsheet' });
    const sheet = (price, unit) =>
      ['Item\tRate\tUOM\tQty', `Zafran Papad\t${price}\tpacket\t10`, `Zafran Pickle\t₹ 85\t${unit}\t`].join('\n');
    await field.fill(sheet('about 40', 'jar'));
    const faults = page.getByRole('alert').filter({ hasText: 'Nothing has been saved' });
    await faults.getByText('Line 1, Price: not a number').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Import' }).isDisabled());
    await field.fill(sheet('40', 'barrel')); // which only the API knows to be wrong
    await page.getByRole('button', { name: 'Import (2)' }).click();
    await faults.getByText(/Line 2, Unit/).waitFor();
    assert.deepEqual(await products('zafran'), []);
    await field.fill(sheet('40', 'jar'));
    await page.getByRole('button', { name: 'Import (2)' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved: 2' }).waitFor();
    await until(async () => (await products('zafran')).length === 2);
    // Columns without headings are named by the operator, and a cell may hold a comma.
    await field.fill('"Zafran Mix, hot",packet,99');
    await page.getByRole('cell', { name: 'Zafran Mix, hot' }).waitFor();
  },
  async 'the day is drawn, with a table behind each picture'() {
    await page.getByRole('button', { name: 'The day' }).click();
    const chart = page.getByRole('figure').filter({ hasText: 'Orders' }).first();
    await chart.getByRole('img', { name: /Orders: Most: [1-9]/ }).waitFor();
    await chart.getByText('As a table').click();
    assert.equal(await chart.getByRole('row').count(), 15);
    await page.getByRole('button', { name: 'Hours and charges' }).click();
    await page.getByRole('heading', { name: 'Charges' }).waitFor();
  },
  async 'what could not be sent is sent again or dismissed, once'() {
    const talk = async (from) => {
      await say(from, 'Jaya', 'Is there milk?');
      await until(async () => {
        const rows = (await call('GET', '/conversations')).items;
        return rows.some((row) => row.id === `${shopNumber}:${from}`);
      });
      return `/conversations/${shopNumber}:${from}/messages/text`;
    };
    const [first, second] = [await talk('919811300031'), await talk('919811300032')];
    for (const text of ['Milk at six', 'Milk at nine'])
      await simulator('/faults', { match: { textContains: text }, fail: { code: 131051, http: 400 } });
    await call('POST', first, { body: 'Milk at six' });
    await call('POST', second, { body: 'Milk at nine' });
    await tab(page, 'Numbers');
    await page
      .locator('.card', { hasText: '106540352242922' })
      .or(page.locator('.card', { hasText: '+15550783881' }))
      .first()
      .waitFor();
    await card(page, 'Milk at six').getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('status').filter({ hasText: 'on its way again' }).waitFor();
    await card(page, 'Milk at six').waitFor({ state: 'detached' });
    await card(page, 'Milk at nine').getByRole('button', { name: 'Do not send' }).click();
    await card(page, 'Milk at nine').getByLabel('Why?').fill('The shop is closed');
    await page.keyboard.press('Enter');
    await card(page, 'Milk at nine').waitFor({ state: 'detached' });
    const sent = async (to) => (await (await fetch(SIMULATOR + '/simulator/messages?to=' + to)).json()).messages;
    await until(async () =>
      (await sent('919811300031')).some((one) => JSON.stringify(one.body).includes('Milk at six')),
    );
    assert.ok(!JSON.stringify(await sent('919811300032')).includes('Milk at nine'));
    await simulator('/faults', { match: { textContains: 'Milk at ten' }, fail: { code: 131051, http: 400 } });
    await call('POST', second, { body: 'Milk at ten' });
    await card(page, 'Milk at ten').waitFor(); // it is there when the screens are examined
    const meena = await operator({}, 'Meena');
    await tab(meena, 'Numbers');
    await meena.locator('.card').first().waitFor();
    assert.equal(await meena.getByRole('button', { name: 'Send again' }).count(), 0);
    await meena.context().close();
  },
};

/** Every screen of the pages: where it is, and what shows that it is there. */
const screens = [
  ['orders', '#/orders', '.card'],
  ['order', () => '#/orders/' + held.order, '.panel .history li'],
  ['khata', '#/khata', '.accounts .row'],
  ['customer', '#/khata/%2B919811300021', '.entries li strong'],
  ['approvals', '#/approvals', '.card'],
  ['shop', '#/shop', '.sheet td input'],
  ['paste', '#/shop/paste', '.pasting textarea'],
  ['day', '#/shop/day', '.chart rect'],
  ['rules', '#/shop/rules', '.card dl'],
  ['numbers', '#/desks', '[data-dead]'],
  ['request', () => '#/approvals/' + encodeURIComponent(held.request), '.panel .history li'],
];

await stage.play(steps);
held.order = (await call('GET', stores + '/orders')).items[0].id;

for (const look of looks) {
  const screen = await looking(look);
  for (const [name, hash, shown] of screens) {
    await screen.evaluate((to) => (location.hash = to), typeof hash === 'function' ? hash() : hash);
    await screen.locator(shown).locator('visible=true').first().waitFor();
    if (name === 'paste') {
      await screen.locator('.pasting textarea').fill('name\tunit\tprice\nRice\tkg\tmuch\nDal\tkg\t90');
      await screen.locator('.wrong').waitFor();
    }
    if (name === 'day') await screen.locator('summary').first().click();
    await examine(screen, name, look);
  }
  await screen.keyboard.press('Control+k');
  await screen.locator('.palette li').first().waitFor();
  await examine(screen, 'palette', look);
  await screen.context().close();
}
await stage.finish();
