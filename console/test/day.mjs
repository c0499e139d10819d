// A day at the console, in a real browser on a running local cloud: stage.mjs says where it is.
import assert from 'node:assert/strict';
import { apart } from './apart.mjs';
import * as stage from './stage.mjs';

const {
  CONSOLE,
  beside,
  browser,
  controlled,
  counted,
  examine,
  inboxNumber,
  looks,
  pageOf,
  shopNumber,
  simulator,
  until,
} = stage;
/** A browser of its own, with the page that somebody has open in it, who has signed in. */
async function operator(options = {}, person = 'Operator') {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-IN', ...options });
  const page = await pageOf(context);
  await page.goto(CONSOLE);
  await signIn(page, person);
  return page;
}
/** Chooses a person on the sign-in page, to which the console leads. */
async function signIn(page, person = 'Operator') {
  await page.getByRole('button', { name: person }).click();
  await page.locator('.list').waitFor();
  assert.equal(new URL(page.url()).search, '', 'the code is gone from the address');
}
/** What a sign-in leaves in the browser. */
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('session')));
/** As if the time of the access token were over. */
const timeIsOver = () => {
  const session = JSON.parse(localStorage.getItem('session'));
  session.access.until = Date.now();
  localStorage.setItem('session', JSON.stringify(session));
};
const form = (fields) => ({ method: 'POST', body: new URLSearchParams({ client_id: 'haatline', ...fields }) });
const renewed = (refresh) =>
  fetch(CONSOLE + 'oauth2/token', form({ grant_type: 'refresh_token', refresh_token: refresh }));

const say = (from, text, more = {}) =>
  simulator('/say', { phoneNumberId: inboxNumber, from, name: 'Asha', text, ...more });
const told = async (to) => (await simulator('/messages?to=' + to)).messages;
/** A picture of one red dot. */
const picture = (name) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
});
const row = (page, text) => page.locator('.row', { hasText: text });
const bubble = (page, text) => page.locator('.bubble', { hasText: text });

const steps = {
  async 'a message shows within moments, and the answer arrives'(page) {
    await say('919811100001', 'Hello!');
    await row(page, 'Hello!').waitFor();
    await page.waitForTimeout(3000); // the page listens to hints by now
    const began = Date.now();
    await say('919811100001', 'Is the shop open on Sunday?');
    await row(page, 'open on Sunday').waitFor();
    console.log(`  a message shows after ${Date.now() - began} ms`);
    await row(page, 'open on Sunday').click();
    await page.locator('#answer').fill('Yes, from *9* to 12.');
    await page.keyboard.press('Enter');
    await bubble(page, 'from 9 to 12').locator('.ticks.seen').waitFor();
    assert.equal(await bubble(page, 'from 9 to 12').locator('.rich').textContent(), 'Yes, from 9 to 12.');
    assert.equal((await told('919811100001')).length, 1);
  },
  async 'what a customer writes is never taken for code'(page) {
    const code = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    await say('919811100002', code + ' javascript:alert(3)', { name: code });
    await row(page, 'onerror').first().click();
    await bubble(page, '<script>alert(2)</script>').waitFor();
    assert.equal(await page.locator('.timeline img, .timeline script').count(), 0);
  },
  async 'a colleague sees who takes care of it, and what is left to do'(page) {
    await row(page, 'from *9*').click();
    await page.getByRole('button', { name: 'I take it' }).click();
    await page.getByPlaceholder('Add a label').fill('vip');
    await page.keyboard.press('Enter');
    await row(page, 'vip').waitFor();
    const other = await operator({}, 'Meena');
    await row(other, 'vip').getByText('Operator').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Open again' }).waitFor();
    await row(other, 'vip').click();
    await other.getByRole('button', { name: 'Open again' }).waitFor();
    await page.locator('.others').getByText('Meena: also here').waitFor(); // she sees who else answers
    await other.locator('#answer').pressSequentially('We');
    await page.locator('.others').getByText('Meena: typing').waitFor();
    await other.locator('#answer').fill('');
    await other.context().close();
  },
  async 'a message is found in any script, and shown in its place'(page) {
    await say('919811100005', 'Do kilo cheeni chahiye');
    await say('919811100005', 'Jaldi please');
    await row(page, 'Jaldi please').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.locator('#search').fill('चीनी');
    await page.keyboard.press('Enter');
    const found = page.locator('.found .row', { hasText: 'cheeni' });
    assert.equal(await found.locator('mark').textContent(), 'cheeni');
    await found.click();
    await page.locator('.bubble.found', { hasText: 'Do kilo cheeni' }).waitFor();
    await page.getByRole('button', { name: 'Newer messages' }).click();
    await page.locator('.newest').click();
    await page.locator('#answer').waitFor();
    await page.locator('#search').fill('11100005');
    await page.keyboard.press('Enter');
    await page.locator('.found .row mark').first().waitFor();
    await page.locator('#search').fill('');
  },
  async 'who answers what they have not read is stopped once'(page) {
    await say('919811100003', 'Do you have mangoes?');
    await row(page, 'mangoes').click();
    await bubble(page, 'mangoes').waitFor();
    await page.locator('#answer').pressSequentially('Yes, we do');
    await say('919811100003', 'No, I mean papayas');
    await bubble(page, 'papayas').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'just written' }).waitFor();
    assert.equal((await told('919811100003')).length, 0);
    await page.locator('#answer').press('Enter');
    await bubble(page, 'Yes, we do').locator('.ticks').waitFor();
  },
  async 'an answer goes to whom it was written, whoever is opened while it is on its way'(page) {
    await say('919811100031', 'Is it me?', { name: 'Bina' });
    await say('919811100032', 'Is it somebody else?', { name: 'Chandra' });
    await row(page, 'Chandra').waitFor();
    await row(page, 'Bina').click();
    await bubble(page, 'Is it me?').waitFor();
    const slowly = (route) => setTimeout(() => route.continue().catch(() => undefined), 1500);
    await page.route('**/messages?**', slowly); // an answer waits until the conversation was read anew
    await page.locator('#answer').fill('It is you');
    await page.keyboard.press('Enter');
    await row(page, 'Chandra').click();
    await page.unroute('**/messages?**');
    await until(async () => (await told('919811100031')).length === 1);
    assert.deepEqual(await told('919811100032'), []);
    assert.equal(await page.locator('#answer').inputValue(), '');
  },
  async 'without a network an answer waits, over a reload, and goes once'(page) {
    await say('919811100004', 'Are you there?');
    await row(page, 'Are you there').click();
    await page.locator('#answer').waitFor();
    await page.route('**/v1/**', (route) => route.abort('internetdisconnected'));
    await page.locator('#answer').fill('Yes, always');
    await page.keyboard.press('Enter');
    await bubble(page, 'Yes, always').getByText('Waits for the connection').waitFor();
    await page.getByRole('status').filter({ hasText: 'No connection' }).waitFor();
    await page.unroute('**/v1/**');
    await page.reload();
    await bubble(page, 'Yes, always').locator('.ticks.seen').waitFor();
    assert.equal((await told('919811100004')).length, 1);
  },
  async 'a draft is shared, taken over, and gone when it is sent'(page) {
    await say('919811100018', 'Is it ready?', { name: 'Shared' });
    const other = await operator({}, 'Meena');
    await row(page, 'Is it ready?').click();
    await row(other, 'Is it ready?').click();
    await other.locator('#answer').pressSequentially('Your rice is');
    const draft = (of) => of.getByRole('note').filter({ hasText: 'A draft of' });
    await draft(page).filter({ hasText: 'Meena: Your rice is' }).waitFor();
    await draft(page).getByRole('button', { name: 'Go on with it' }).click();
    assert.equal(await page.locator('#answer').inputValue(), 'Your rice is');
    await page.locator('#answer').pressSequentially(' ready');
    await draft(other).filter({ hasText: 'Your rice is ready' }).waitFor();
    await page.keyboard.press('Enter');
    await bubble(page, 'Your rice is ready').locator('.ticks').waitFor();
    await draft(other).waitFor({ state: 'detached' });
    assert.equal(await other.locator('#answer').inputValue(), 'Your rice is', 'what she has written stays hers');
    await other.context().close();
  },
  async 'a draft survives a reload'(page) {
    await page.locator('#answer').pressSequentially('half a sent');
    await page.reload();
    await page.locator('#answer').waitFor();
    assert.equal(await page.locator('#answer').inputValue(), 'half a sent');
    await page.locator('#answer').fill('');
  },
  async 'a picture is sent with its text, by choosing, dropping or pasting it'(page) {
    await say('919811100021', 'Which colour is it?');
    await row(page, 'Which colour').click();
    await page.locator('#answer').fill('This red');
    await page.locator('.composer input[type=file]').setInputFiles(picture('red.png'));
    await bubble(page, 'This red').locator('.ticks.seen').waitFor();
    const [sent] = (await told('919811100021')).map((one) => one.body);
    assert.equal(sent.type, 'image');
    assert.equal(sent.image.caption, 'This red');
    const small = bubble(page, 'This red').getByRole('button', { name: 'This red' }); // its thumbnail
    await small.locator('img').waitFor();
    assert.match(await small.locator('img').getAttribute('src'), /thumbnail/);
    await small.click();
    await bubble(page, 'This red').locator('span.seen img').waitFor();
    await page.evaluate(() => {
      const moved = new DataTransfer();
      moved.items.add(new File(['%PDF-1.4 the prices'], 'prices.pdf', { type: 'application/pdf' }));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: moved, cancelable: true }));
    });
    await bubble(page, 'prices.pdf').locator('.ticks.seen').waitFor();
    await page
      .locator('.composer input[type=file]')
      .setInputFiles({ ...picture('a.svg'), mimeType: 'image/svg+xml' });
    await page.locator('.upload .reason').waitFor(); // what WhatsApp does not take is said before it is sent
    await page.locator('.upload').getByRole('button', { name: 'Discard' }).click();
    assert.deepEqual(
      (await told('919811100021')).map((one) => one.body.type),
      ['image', 'document'],
    );
  },
  async 'a template is shown as the customer gets it, with its variables filled'(page) {
    await page.getByRole('button', { name: 'More to send' }).click();
    await page.getByRole('menuitem', { name: 'Template' }).click();
    await page.locator('.filling select').selectOption({ label: 'order_confirmation (en)' });
    const send = page.locator('.filling').getByRole('button', { name: 'Send' });
    await page.locator('.filling .preview').waitFor();
    assert.ok(await send.isDisabled());
    for (const [i, text] of ['Meena', 'ORD-7', '₹450'].entries())
      await page.locator('.filling label input').nth(i).fill(text);
    await page.locator('.filling .preview').getByText('ORD-7').waitFor();
    await send.click();
    await bubble(page, 'ORD-7').locator('.ticks.seen').waitFor();
    const sent = (await told('919811100021')).at(-1).body;
    assert.deepEqual(
      sent.template.components.find((c) => c.type === 'body').parameters.map((p) => p.text),
      ['Meena', 'ORD-7', '₹450'],
    );
  },
  async 'an order is moved on beside the conversation'(page) {
    const order = { phoneNumberId: shopNumber, name: 'Ravi' };
    await say('919811100005', '2 Catch namak', order);
    await until(async () => (await told('919811100005')).length === 1);
    await say('919811100005', 'haan', order);
    await row(page, 'Ravi').first().click();
    await page.locator('.order').getByText('Waits for you').waitFor();
    await page.getByRole('button', { name: 'Move on to: Confirmed' }).click();
    await page.locator('.order').getByText('Confirmed', { exact: true }).waitFor();
  },
  async 'colleagues leave notes, and what is said often takes a few keys'(page) {
    const [asked] = await Promise.all([
      page.waitForRequest('**/v1/changes**'),
      page.evaluate(() => window.dispatchEvent(new Event('focus'))),
    ]);
    const reply = await fetch(CONSOLE + 'v1/tenants/demo/quick-replies/hours', {
      method: 'PUT',
      headers: { Authorization: await asked.headerValue('Authorization'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'Namaste {{first_name|ji}}, we are open from 9 to 9.' }),
    });
    assert.equal(reply.status, 200);
    await say('919811100007', 'When do you open?', { name: 'Meena Rao' });
    await row(page, 'When do you open').click();
    await page.locator('#answer').pressSequentially('/ho');
    await page.locator('.offered').getByText('/hours').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#answer')?.value.startsWith('Namaste'));
    await page.keyboard.press('Enter');
    await bubble(page, 'Namaste Meena, we are open').locator('.ticks').waitFor();
    await page.getByPlaceholder('Add a note').fill('Wants to be called after six.');
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.locator('.note').getByText('after six').waitFor();
    const other = await operator({}, 'Meena');
    await row(other, 'Meena Rao').click();
    await other.locator('.note').getByText('after six').waitFor();
    // A note names a colleague, who sees it until she looks.
    await say('919811100017', 'Somebody else', { name: 'Nobody' });
    await row(other, 'Somebody else').click();
    await page.reload();
    await row(page, 'Meena Rao').click();
    await page.getByPlaceholder('Add a note').pressSequentially('Look, @mee');
    await page.getByRole('group', { name: 'Whom is it for?' }).getByRole('button', { name: '@Meena' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('please');
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.locator('.note').getByText('For: Meena').waitFor();
    const mark = row(other, 'Meena Rao').getByTitle('A note names me');
    await mark.waitFor();
    assert.equal(await page.getByTitle('A note names me').count(), 0, 'she alone is named');
    await other.getByRole('combobox', { name: 'Customers' }).selectOption('A note names me');
    await row(other, 'Somebody else').waitFor({ state: 'detached' });
    await row(other, 'Meena Rao').click();
    await other.locator('.note').getByText('Look, @Meena please').waitFor();
    await mark.waitFor({ state: 'detached' });
    await other.context().close();
    assert.ok(!JSON.stringify(await told('919811100007')).includes('after six'));
  },
  async 'a view is saved and found again, on another computer too'(page) {
    await page.getByLabel('Labels').selectOption('vip');
    await row(page, 'vip').waitFor();
    await counted(page.locator('.row'), 1);
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByPlaceholder('Name of the view').fill('Best customers');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Best customers', exact: true }).waitFor();
    await page.getByLabel('Labels').selectOption('');
    const other = await operator();
    await other.getByRole('button', { name: 'Best customers', exact: true }).click();
    await row(other, 'vip').waitFor();
    await counted(other.locator('.row'), 1);
    await other.getByRole('button', { name: 'Remove the view: Best customers' }).click();
    await other.getByRole('button', { name: 'Best customers', exact: true }).waitFor({ state: 'detached' });
    await other.context().close();
  },
  async 'keys move through the list'(page) {
    const first = await page.locator('.row').first().getAttribute('id');
    await page.locator('.row').nth(1).click();
    await page.keyboard.press('k');
    assert.equal(await page.locator('.row[aria-current]').getAttribute('id'), first);
    await page.locator('#answer').waitFor();
    await page.keyboard.press('r');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'answer');
  },
  async 'an access token that has ended is fetched anew'(page) {
    let refused = 0;
    await page.route('**/v1/changes**', (route) =>
      refused++ ? route.continue() : route.fulfill({ status: 401, body: '{}' }),
    );
    await say('919811100006', 'after the token');
    await row(page, 'after the token').waitFor();
    await page.unroute('**/v1/changes**');
  },
  async 'an access token is replaced before it ends'() {
    const page = await operator();
    const before = await kept(page);
    let refused = 0;
    page.on('response', (answer) => (refused += answer.status() === 401));
    await page.clock.install();
    await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('/oauth2/token') && answer.ok()),
      page.clock.fastForward('56:00'),
    ]);
    await until(async () => (await kept(page)).refresh !== before.refresh);
    assert.equal(refused, 0);
    await page.context().close();
  },
  async 'a sign-in that ends in mid-work loses nothing'(page) {
    await say('919811100008', 'Do you deliver?');
    await row(page, 'Do you deliver').click();
    await page.locator('#answer').waitFor();
    const ended = (await kept(page)).refresh;
    assert.equal((await fetch(CONSOLE + 'oauth2/revoke', form({ token: ended }))).status, 200);
    await page.route('**/v1/**', (route) => route.fulfill({ status: 401, body: '{}' }));
    await page.locator('#answer').fill('Yes, we deliver');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Your sign-in has ended' }).waitFor();
    await bubble(page, 'Yes, we deliver').waitFor();
    await page.locator('#answer').pressSequentially('until ni');
    await page.unroute('**/v1/**');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await signIn(page);
    await bubble(page, 'Yes, we deliver').locator('.ticks.seen').waitFor();
    assert.equal(await page.locator('#answer').inputValue(), 'until ni');
    assert.equal((await told('919811100008')).length, 1);
    await page.locator('#answer').fill('');
  },
  async 'two operators work at once, each in their own name'(page) {
    const meena = await operator({}, 'Meena');
    await say('919811100009', 'Who is there?');
    await row(meena, 'Who is there').click();
    await meena.getByRole('button', { name: 'I take it' }).click();
    await row(page, 'Who is there').click();
    await row(page, 'Who is there').getByText('Meena').waitFor();
    await Promise.all(
      [page, meena].map(async (of, i) => {
        await of.locator('#answer').fill('I am number ' + i);
        await of.keyboard.press('Enter');
      }),
    );
    for (const of of [page, meena])
      for (const i of [0, 1])
        await bubble(of, 'I am number ' + i)
          .locator('.ticks.seen')
          .waitFor();
    await page.locator('.bubble', { hasText: 'number 1' }).getByText('Meena').waitFor();
    assert.equal((await told('919811100009')).length, 2);
    await meena.context().close();
  },
  async 'who signs out is out on every page of the browser, and what waits is theirs'() {
    const page = await operator();
    const twin = await pageOf(page.context());
    await twin.goto(CONSOLE); // without a further sign-in
    await twin.locator('.list').waitFor();
    await say('919811100010', 'Are you open?');
    await row(page, 'Are you open').click();
    await page.locator('#answer').waitFor();
    await page.context().route('**/messages/text', (route) => route.abort('internetdisconnected'));
    await page.locator('#answer').fill('Open till nine');
    await page.keyboard.press('Enter');
    await bubble(page, 'Open till nine').getByText('Waits for the connection').waitFor();
    const { refresh } = await kept(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Sign out' }).click();
    for (const each of [page, twin]) {
      await each.getByText('You are signed out').waitFor();
      await counted(each.locator('.row, .bubble'), 0);
    }
    await until(async () => (await (await renewed(refresh)).json()).error === 'invalid_grant');
    await page.context().unroute('**/messages/text');

    await page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(page, 'Meena');
    await row(page, 'Are you open').click();
    await page.locator('#answer').waitFor();
    await page.waitForTimeout(2500); // the outbox would have gone
    assert.equal((await told('919811100010')).length, 0);
    assert.equal(await bubble(page, 'Open till nine').count(), 0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(page);
    await row(page, 'Open till nine').click(); // it has gone by now
    await bubble(page, 'Open till nine').locator('.ticks.seen').waitFor();
    assert.equal((await told('919811100010')).length, 1);
    await page.context().close();
  },
  async 'a return visit needs the network for nothing but what is new'() {
    const page = await operator();
    await controlled(page);
    const context = page.context();
    await page.close();
    await context.setOffline(true);
    const back = await pageOf(context);
    await back.goto(CONSOLE);
    await back.locator('.list').waitFor();
    await back.getByRole('status').filter({ hasText: 'No connection' }).waitFor();
    await context.setOffline(false);
    await row(back, 'vip').waitFor();
    const held = await back.evaluate(async () => {
      const all = [];
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) all.push(new URL(request.url).pathname);
      return all;
    });
    assert.ok(held.includes('/') && held.some((path) => path.endsWith('.js')), `${held}`);
    const shell = /^\/($|icon\.svg$|manifest\.json$|assets\/)/;
    assert.deepEqual(
      held.filter((path) => !shell.test(path)),
      [],
    );
    const slow = await context.newCDPSession(back);
    // Fast 3G, as Chromium's tools have it
    const net = { offline: false, latency: 562, downloadThroughput: 180_000, uploadThroughput: 84_375 };
    await slow.send('Network.enable');
    await slow.send('Network.emulateNetworkConditions', net);
    const began = Date.now();
    await back.reload({ waitUntil: 'commit' });
    await row(back, 'vip').waitFor();
    console.log(`  the first list of a return visit on Fast 3G shows after ${Date.now() - began} ms`);
    await context.close();
  },
  async 'a new release shows once it is whole, and the page goes on meanwhile'() {
    const former = await browser.newContext();
    const worker = await (await fetch(CONSOLE + 'sw.js')).text();
    await former.route('**/sw.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: worker.replace(/"release":"\w+"/, '"release":"former"'),
      }),
    );
    const page = await pageOf(former);
    await page.goto(CONSOLE);
    await signIn(page);
    await controlled(page);
    const releases = () => page.evaluate(() => caches.keys());
    assert.deepEqual(await releases(), ['shell former']);
    assert.equal(await page.getByText('There is a new version').count(), 0);
    await former.unroute('**/sw.js');
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await page.getByText('There is a new version').waitFor();
    assert.equal((await releases()).length, 2, 'a page that is being loaded finds what it began with');
    await row(page, 'vip').click();
    await page.getByRole('button', { name: 'Load it' }).click();
    await page.locator('#answer').waitFor();
    assert.equal(await page.getByText('There is a new version').count(), 0);
    await former.close();
  },
  async 'the sign-in pages may be at another origin, as in AWS'() {
    const { ours, signIn: origin, end } = await apart(CONSOLE);
    const page = await pageOf(await browser.newContext());
    await page.goto(ours);
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
    assert.equal(new URL(page.url()).origin, origin);
    await signIn(page, 'Meena');
    assert.equal(page.url(), ours);
    await row(page, 'vip').waitFor();
    const { refresh } = await kept(page);
    await page.evaluate(timeIsOver);
    await page.reload();
    await row(page, 'vip').waitFor();
    const next = (await kept(page)).refresh;
    assert.notEqual(next, refresh, 'it serves once');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    await until(async () => (await (await renewed(next)).json()).error === 'invalid_grant');
    await page.context().close();
    end();
  },
  async 'a computer whose clock is wrong signs in, too'() {
    for (const hours of [-30, 30]) {
      const page = await pageOf(await browser.newContext());
      await page.clock.install({ time: Date.now() + hours * 3_600_000 });
      await page.goto(CONSOLE);
      await signIn(page);
      await row(page, 'vip').waitFor();
      await page.context().close();
    }
  },
  async 'a page that cannot sign anybody in says why'() {
    const page = await pageOf(await browser.newContext());
    await page.route('**/config.json', (route) => route.abort('internetdisconnected'));
    await page.goto(CONSOLE);
    await page.getByText('No connection.').waitFor();
    await page.unroute('**/config.json');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
    await page.route('**/config.json', (route) => route.fulfill({ json: {} }));
    await page.goto(CONSOLE);
    await page.getByText('Nobody can sign in here').waitFor();
    await page.context().close();
  },
  async 'a sign-in that has ended before the page is opened leads to the sign-in pages at once'() {
    const page = await operator();
    const { refresh } = await kept(page);
    await fetch(CONSOLE + 'oauth2/revoke', form({ token: refresh }));
    await page.evaluate(timeIsOver);
    await page.reload();
    await signIn(page, 'Meena');
    await page.context().close();
  },
  async 'a token that the API refuses is not asked for again and again'() {
    const page = await operator();
    let asked = 0;
    page.on('request', (request) => (asked += request.url().includes('/oauth2/token')));
    await page.route('**/v1/**', (route) => route.fulfill({ status: 401, body: '{}' }));
    await page.waitForTimeout(6000);
    assert.ok(asked <= 1, `${asked} times`);
    await page.context().close();
  },
  async 'nobody is signed in by an address that somebody else has made'() {
    const page = await pageOf(await browser.newContext());
    for (const made of ['?code=stolen&state=made-up', '?error=access_denied&state=made-up']) {
      await page.goto(CONSOLE + made);
      await page.getByText('Signing in has not worked').waitFor();
      assert.equal(page.url(), CONSOLE);
    }
    await page.evaluate(() => localStorage.setItem('session', '{"refresh":1'));
    await page.goto(CONSOLE); // what cannot be read is no sign-in
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
    await page.context().close();
  },
};

const page = await operator();
await stage.play(Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, () => step(page)])));

// Every screen, in each language, light and dark, narrow and wide.
for (const look of looks) {
  const [width, language, colorScheme] = look;
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    locale: 'en-IN',
    colorScheme,
    bypassCSP: true,
  });
  const screen = await pageOf(context);
  await screen.goto(CONSOLE);
  await screen.locator('summary').click();
  await examine(screen, 'sign-in', look);
  await signIn(screen);
  await row(screen, 'vip').waitFor();
  await screen.locator('header select').selectOption(language);
  for (const shown of ['list', 'found', 'conversation', 'details']) {
    if (shown === 'found') {
      await screen.locator('#search').fill('vip');
      await screen.keyboard.press('Enter');
      await screen.locator('.found mark').first().waitFor();
    }
    if (shown === 'conversation') {
      await screen.locator('#search').fill('');
      await row(screen, 'vip').click();
    }
    if (shown === 'conversation') await beside(screen, false);
    if (shown === 'details') await beside(screen, true);
    await examine(screen, shown, look);
  }
  await fetch(CONSOLE + 'oauth2/revoke', form({ token: (await kept(screen)).refresh }));
  await screen.route('**/v1/**', (route) => route.fulfill({ status: 401, body: '{}' }));
  await screen.locator('.banner.warn').waitFor();
  await examine(screen, 'ended', look);
  await screen.evaluate(() => sessionStorage.setItem('signed-out', 'yes'));
  await screen.reload();
  await screen.locator('.alone button').waitFor();
  await examine(screen, 'signed out', look);
  await screen.context().close();
}
await stage.finish();
