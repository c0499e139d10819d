// A customer's phone beside the console, in a real browser on a running local cloud: CONSOLE is its address, BROWSER is
// the path of Chromium. PICTURES is a folder for pictures of the screen, if they are wanted.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const { CONSOLE, BROWSER, PICTURES } = process.env;
const patience = Number(process.env.PATIENCE ?? 60_000); // on a machine that is busy with other tests
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
const page = await (
  await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-IN' })
).newPage();
page.setDefaultTimeout(patience);
const broken = [];
page.on('pageerror', (error) => broken.push(error.message));
page.on('console', (m) => /Content Security Policy|Refused to/.test(m.text()) && broken.push(m.text()));
await page.goto(CONSOLE + '_local/');
const desk = page.frameLocator('iframe.console');
const phone = page.frameLocator('iframe.phone');
const say = async (text) => {
  await phone.getByRole('textbox', { name: 'Message' }).fill(text);
  await phone.getByRole('button', { name: 'Send' }).click();
};
const picture = async (name) => PICTURES && (await page.screenshot({ path: `${PICTURES}/${name}.png` }));

const steps = {
  async 'a customer orders on the phone, and the shop answers there'() {
    await say('2 kg kolam rice');
    await phone
      .getByRole('button', { name: /yes|confirm|haan/i })
      .first()
      .click();
    await phone.locator('.bubble:not(.mine)', { hasText: 'ORD-' }).first().waitFor();
  },
  async 'the people of the shop see it beside, and their answer arrives'() {
    await desk.getByRole('button', { name: 'Operator' }).click();
    await phone.getByLabel('write to').selectOption({ label: 'the desk' });
    await say('Is the shop open on Sunday?');
    await desk.locator('.row', { hasText: 'Asha' }).first().waitFor();
    await desk.locator('.row', { hasText: 'open on Sunday' }).click();
    await desk.locator('#answer').fill('Yes, from 9 to 12.');
    await desk.locator('#answer').press('Enter');
    await phone.locator('.bubble:not(.mine)', { hasText: 'from 9 to 12' }).waitFor();
    await picture('phone');
  },
  async 'every kind of message goes out'() {
    for (const kind of ['image', 'audio', 'video', 'document', 'location', 'sticker', 'contacts', 'reaction']) {
      const before = await phone.locator('.bubble.mine').count();
      await phone.getByLabel('What to send').selectOption(kind);
      await phone.getByRole('button', { name: 'Send' }).click();
      await phone.locator('.bubble.mine').nth(before).waitFor();
    }
    assert.equal(await phone.getByRole('alert').isVisible(), false);
  },
  async 'somebody else is played, and what they write is shown as text'() {
    await phone.getByRole('button', { name: '+' }).click();
    await phone.getByLabel('Name').fill('<b>Zoya</b>');
    await phone.getByLabel('Number').fill('+91 98765 00123');
    await phone.getByRole('button', { name: 'Play' }).click();
    await say('<img src=x onerror=alert(1)>');
    await phone.locator('.bubble.mine', { hasText: '<img src=x' }).waitFor();
    await desk.locator('.row', { hasText: '<b>Zoya</b>' }).waitFor();
  },
};
for (const [name, step] of Object.entries(steps)) {
  await step();
  console.log(name);
}
assert.deepEqual(broken, []);
await browser.close();
console.log('done');
