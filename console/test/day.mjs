// A day at the console, in a real browser on a running local cloud: CONSOLE and SIMULATOR are its addresses, BROWSER is
// the path of Chromium. PICTURES is a folder for pictures of the screens, if they are wanted.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const { CONSOLE, SIMULATOR, BROWSER, PICTURES } = process.env;
const patience = 90_000; // on a machine that is busy with other tests
const inboxNumber = '106540352242922';
const shopNumber = '106540352242923';
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });

/** One operator's page, which fails the test if a script fails or a policy is broken. */
async function operator(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-IN', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on('pageerror', (error) => broken.push(error.message));
  page.on('console', (m) => /Content Security Policy|Refused to/.test(m.text()) && broken.push(m.text()));
  page.on('dialog', (dialog) => (broken.push('a dialog: ' + dialog.message()), dialog.dismiss()));
  await page.goto(CONSOLE);
  return page;
}
const broken = [];

async function simulator(path, body) {
  const answer = await fetch(
    SIMULATOR + '/simulator' + path,
    body && { method: 'POST', body: JSON.stringify(body) },
  );
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}
const say = (from, text, more = {}) =>
  simulator('/say', { phoneNumberId: inboxNumber, from, name: 'Asha', text, ...more });
const told = async (to) => (await simulator('/messages?to=' + to)).messages;
/** Waits until something is so. */
async function until(so) {
  for (const ends = Date.now() + patience; !(await so());) {
    assert.ok(Date.now() < ends, 'it does not become so: ' + so);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
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
    const other = await operator();
    await row(other, 'vip').getByText('Operator').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Open again' }).waitFor();
    await row(other, 'vip').click();
    await other.getByRole('button', { name: 'Open again' }).waitFor();
    await other.context().close();
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
  async 'a draft survives a reload'(page) {
    await page.locator('#answer').pressSequentially('half a sent');
    await page.reload();
    await page.locator('#answer').waitFor();
    assert.equal(await page.locator('#answer').inputValue(), 'half a sent');
    await page.locator('#answer').fill('');
  },
  async 'a picture is sent with its text, by choosing, dropping or pasting it'(page) {
    await say('919811100008', 'Which colour is it?');
    await row(page, 'Which colour').click();
    await page.locator('#answer').fill('This red');
    await page.locator('.composer input[type=file]').setInputFiles(picture('red.png'));
    await bubble(page, 'This red').locator('.ticks.seen').waitFor();
    const [sent] = (await told('919811100008')).map((one) => one.body);
    assert.equal(sent.type, 'image');
    assert.equal(sent.image.caption, 'This red');
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
      (await told('919811100008')).map((one) => one.body.type),
      ['image', 'document'],
    );
  },
  async 'a template is shown as the customer gets it, with its variables filled'(page) {
    await page.getByRole('button', { name: 'Template' }).click();
    await page.locator('.filling select').selectOption({ label: 'order_confirmation (en)' });
    const send = page.locator('.filling').getByRole('button', { name: 'Send' });
    await page.locator('.filling .preview').waitFor();
    assert.ok(await send.isDisabled());
    for (const [i, text] of ['Meena', 'ORD-7', '₹450'].entries())
      await page.locator('.filling label input').nth(i).fill(text);
    await page.locator('.filling .preview').getByText('ORD-7').waitFor();
    await send.click();
    await bubble(page, 'ORD-7').locator('.ticks.seen').waitFor();
    const sent = (await told('919811100008')).at(-1).body;
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
    const token = (await (await fetch(CONSOLE + '_local/session', { method: 'POST' })).json()).token;
    const reply = await fetch(CONSOLE + 'v1/tenants/demo/quick-replies/hours', {
      method: 'PUT',
      headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },
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
    const other = await operator();
    await row(other, 'Meena').click();
    await other.locator('.note').getByText('after six').waitFor();
    await other.context().close();
    assert.ok(!JSON.stringify(await told('919811100007')).includes('after six'));
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
};

const page = await operator();
for (const [name, step] of Object.entries(steps)) {
  console.log(name);
  await step(page);
}

// Every screen, in each language, light and dark, narrow and wide: nothing is cut off, and no rule of axe is broken.
for (const [width, language, colorScheme] of [
  [320, 'en', 'light'],
  [768, 'hi', 'dark'],
  [1440, 'hi', 'light'],
  [1440, 'en', 'dark'],
]) {
  const screen = await operator({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
  await row(screen, 'vip').waitFor();
  await screen.locator('header select').selectOption(language);
  for (const shown of ['list', 'conversation', 'details']) {
    if (shown === 'conversation') await row(screen, 'vip').click();
    const details = screen.locator('.side');
    if (shown === 'conversation' && (await details.count())) await details.locator('header button').click();
    if (shown === 'details') await screen.locator('.top button').last().click();
    await screen.waitForTimeout(200); // transitions
    const wide = await screen.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${width} px, ${shown}: ${wide} px are beyond the edge`);
    await screen.addScriptTag({ path: axe });
    const found = await screen.evaluate(() => window.axe.run());
    assert.deepEqual(
      found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`),
      [],
      `${width} px, ${language}, ${colorScheme}, ${shown}`,
    );
    if (PICTURES) await screen.screenshot({ path: `${PICTURES}/${shown}-${width}-${language}-${colorScheme}.png` });
  }
  await screen.context().close();
}
await browser.close();
assert.deepEqual(broken, []);
console.log('done');
