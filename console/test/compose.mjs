// What is sent beside plain text, in a real browser on a running local cloud.
import assert from 'node:assert/strict';
import { layout } from './layout.mjs';
import { skeleton } from './skeleton.mjs';
import * as stage from './stage.mjs';

const { beside, loseAnswers, looks, looking, examine, operator, say, told, until, simulator, inboxNumber } = stage;
const page = await operator();
const call = stage.caller(await stage.tokenOf(page));
const row = (of, text) => of.locator('.row', { hasText: text });
const bubble = (of, text) => of.locator('.timeline .bubble', { hasText: text });
const plus = async (of, name) => {
  await of.getByRole('button', { name: 'More to send' }).click();
  await of.getByRole('menuitem', { name, exact: true }).click();
};
const form = (of, name) => of.getByRole('form', { name });
const send = (of) => of.getByRole('button', { name: 'Send', exact: true });
const customer = '919811400001';

await stage.play({
  async 'buttons are sent, and what WhatsApp would refuse is said before'() {
    await say(customer, 'Lata', 'What do you have today?');
    await row(page, 'What do you have').click();
    await page.locator('#answer').fill('Shall we bring it?');
    await plus(page, 'Buttons');
    const made = form(page, 'Buttons');
    assert.equal(await made.getByLabel('Text', { exact: true }).inputValue(), 'Shall we bring it?');
    assert.ok(await send(made).isDisabled());
    await made.getByLabel('Button 1', { exact: true }).fill('Yes, at once and today');
    await made.getByText('Too long: Button').waitFor();
    await made.getByLabel('Button 1', { exact: true }).fill('Yes');
    await made.getByRole('button', { name: 'Add a button' }).click();
    await made.getByLabel('Button 2', { exact: true }).fill('Yes');
    await made.getByText('Two buttons say the same').waitFor();
    await made.getByLabel('Button 2', { exact: true }).fill('No');
    await made.getByLabel('Small text below').fill('By noon');
    await made.locator('.preview').getByText('By noon').waitFor();
    await send(made).click();
    await bubble(page, 'Shall we bring it?').locator('.ticks.seen').waitFor();
    await bubble(page, 'Shall we bring it?').getByText('By noon').waitFor();
    const [sent] = await told(customer);
    assert.equal(sent.interactive.type, 'button');
    assert.deepEqual(
      sent.interactive.action.buttons.map((one) => one.reply),
      [
        { id: 'Yes', title: 'Yes' },
        { id: 'No', title: 'No' },
      ],
    );
    assert.equal(await page.locator('#answer').inputValue(), '', 'what was used is no draft any more');
  },
  async 'a list with parts is sent once, also without a network'() {
    await plus(page, 'List');
    const made = form(page, 'List');
    await made.getByLabel('Text', { exact: true }).fill('When shall we come?');
    await made.getByRole('textbox', { name: 'Row 1' }).fill('9 to 12');
    await made.getByRole('button', { name: 'Add a row' }).click();
    await made.getByRole('textbox', { name: 'Row 2' }).fill('16 to 19');
    await made.getByRole('button', { name: 'Add a part' }).click();
    await made.getByText('With several parts, each needs a heading').waitFor();
    await made.getByRole('textbox', { name: 'Heading of the part' }).nth(0).fill('Today');
    await made.getByRole('textbox', { name: 'Heading of the part' }).nth(1).fill('Tomorrow');
    await made.getByRole('textbox', { name: 'Row 1' }).nth(1).fill('9 to 12');
    const answers = await loseAnswers(page, '**/messages/list');
    await send(made).click();
    await answers.lost;
    await until(async () => (await told(customer)).some((one) => one.interactive?.type === 'list'));
    answers.found = true; // the answer was lost: it goes again
    await page.reload();
    await bubble(page, 'When shall we come?').locator('.ticks.seen').waitFor();
    await until(() => page.evaluate(() => !Object.keys(localStorage).some((key) => key.startsWith('outbox '))));
    const sent = (await told(customer)).filter((one) => one.interactive?.type === 'list');
    assert.equal(sent.length, 1);
    const ids = sent[0].interactive.action.sections.flatMap((one) => one.rows.map((each) => each.id));
    assert.equal(new Set(ids).size, 3);
  },
  async 'a place is sent from a link of a map'() {
    await plus(page, 'Location');
    const made = form(page, 'Location');
    await made.getByLabel('A link from a map').fill('somewhere near the temple');
    await made.getByText('This names no place').waitFor();
    await made
      .getByLabel('A link from a map')
      .fill('https://www.google.com/maps/place/Shop/@18.51,73.80,17z/data=!3m1!4b1!4m6!3d18.5204!4d73.8567');
    await made.getByLabel('What is there').fill('Our shop');
    await send(made).click();
    await bubble(page, 'Our shop').locator('.ticks.seen').waitFor();
    const sent = (await told(customer)).at(-1);
    assert.deepEqual([sent.location.latitude, sent.location.longitude], [18.5204, 73.8567]);
  },
  async 'products are found in the catalogue, and sent alone or as a list'() {
    await plus(page, 'Products');
    await form(page, 'Products').getByText('No catalogue at Meta is linked').waitFor();
    await form(page, 'Products').getByRole('button', { name: 'Cancel' }).click();
    const waba = (await call('GET', '/numbers')).items[0].wabaId;
    const [store] = (await call('GET', '/stores?tenantId=demo')).items;
    await simulator('/catalogs', { id: '7100000001', name: 'Kirana' });
    await call('POST', '/catalogue-reads', { wabaId: waba });
    const listed = async () => (await call('GET', '/catalogues?wabaId=' + waba)).items;
    await until(async () => (await listed()).length === 1);
    await call('PUT', '/catalogues/7100000001/link');
    await until(async () => (await listed())[0].linked);
    const { version, name, phoneNumberIds, settings, contactInfo } = store;
    const body = { version, name, phoneNumberIds, settings, contactInfo, catalogueId: '7100000001' };
    await call('PUT', '/stores/' + store.id, body);
    await until(async () => (await listed())[0].storeId === store.id);
    await plus(page, 'Products');
    const made = form(page, 'Products');
    await made.getByLabel('Search the products').fill('namak');
    await made.getByRole('button', { name: 'Catch Salt' }).first().click();
    await send(made).click();
    await until(async () => (await told(customer)).some((one) => one.interactive?.type === 'product'));
    await plus(page, 'Products');
    const more = form(page, 'Products');
    await more.getByLabel('Search the products').fill('salt');
    await more.getByRole('button', { name: /Salt/ }).nth(1).waitFor();
    for (const i of [0, 1]) await more.getByRole('button', { name: /Salt/, pressed: false }).nth(0).click();
    await more.getByText('Chosen: 2/30').waitFor();
    await send(more).click();
    await until(async () => (await told(customer)).some((one) => one.interactive?.type === 'product_list'));
    const list = (await told(customer)).find((one) => one.interactive?.type === 'product_list').interactive;
    assert.equal(list.action.sections[0].product_items.length, 2);
    await bubble(page, 'Have a look').last().locator('.ticks.seen').waitFor();
  },
  async 'marks are set by keys and buttons, with what the customer sees beside'() {
    const answer = page.locator('#answer');
    await answer.fill('very fresh');
    await answer.press('Control+a');
    await page.keyboard.press('Control+b');
    assert.equal(await answer.inputValue(), '*very fresh*');
    await page.locator('.composer .preview b').getByText('very fresh').waitFor();
    await page.keyboard.press('Control+z');
    assert.equal(await answer.inputValue(), 'very fresh', 'it can be undone');
    await page.keyboard.press('Control+i');
    await page.keyboard.press('Control+i');
    assert.equal(await answer.inputValue(), 'very fresh', 'the same key takes it away');
    await page.getByRole('button', { name: 'Formatting' }).click();
    await answer.fill('rice\ndal');
    await answer.press('Control+a');
    await page.getByRole('button', { name: 'List with points' }).click();
    assert.equal(await answer.inputValue(), '- rice\n- dal');
    await page.locator('.composer .preview li').nth(1).waitFor();
    await page.getByRole('button', { name: 'Numbered list' }).click();
    assert.equal(await answer.inputValue(), '1. rice\n2. dal');
    await answer.press('Enter');
    await bubble(page, 'dal').locator('ol li').nth(1).waitFor();
    await answer.fill('x'.repeat(4097));
    await page.getByText('Too long for WhatsApp').waitFor();
    assert.ok(await send(page.locator('.composer')).isDisabled());
    await answer.fill('');
  },
  async 'the menu is reached by keys'() {
    await page.locator('#answer').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await form(page, 'Location').waitFor();
    await form(page, 'Location').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'More to send' }).press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  },
  async 'who answers with buttons what they have not read is stopped once'() {
    await plus(page, 'Buttons');
    const made = form(page, 'Buttons');
    await made.getByLabel('Text', { exact: true }).fill('Still open?');
    await made.getByLabel('Button 1', { exact: true }).fill('Yes');
    await say(customer, 'Lata', 'I have changed my mind');
    await bubble(page, 'changed my mind').waitFor();
    await send(made).click();
    await page.getByRole('alert').filter({ hasText: 'just written' }).waitFor();
    await send(made).click();
    await bubble(page, 'Still open?').locator('.ticks').waitFor();
  },
});

const talk = encodeURIComponent(`${inboxNumber}:${customer}`);
for (const look of looks) {
  const screen = await looking(look);
  await screen.evaluate((to) => (location.hash = to), talk);
  await screen.locator('#answer').waitFor();
  await beside(screen, look[0] > 1050);
  await screen.locator('[aria-pressed][title]').first().click();
  await screen.locator('#answer').fill('*bold* _italic_\n> said\n- one\n- two');
  await screen.locator('.marks-of').waitFor();
  await examine(screen, 'composer', look);
  await screen.locator('#answer').fill('');
  for (const [i, name] of ['', '', 'buttons', 'list', 'products', 'place'].entries()) {
    await screen.locator('.plus > button').click();
    if (i === 0) await examine(screen, 'plus', look);
    if (!name) {
      await screen.keyboard.press('Escape');
      continue;
    }
    await screen.locator('[role=menuitem]').nth(i).click();
    await screen.locator('.filling').waitFor();
    if (name === 'products') await screen.locator('.goods-found button').first().waitFor();
    await examine(screen, `form ${name}`, look);
    await screen.locator('.filling .acts').last().locator('button').last().click();
  }
  await screen.context().close();
}
// What looks at the screens finds what it is there for.
if (!process.env.UPDATE) await finds();
async function finds() {
  const screen = await looking(looks[0]);
  await screen.evaluate((to) => (location.hash = to), talk);
  await screen.locator('#answer').waitFor();
  const faults = async () => [...(await layout(screen)), ...(await skeleton(screen, 'composer 320'))];
  await until(async () => (await faults()).length === 0);
  for (const [style, fault] of [
    ['.top { width: 25rem }', /beyond the edge/],
    ['.top button { min-height: 0; height: 18px; padding: 0 }', /too small: <button> Resolve/],
    ['.composer .acts { margin-top: -3.5rem }', /overlap|covered/],
    ['.top h2 { height: 8px; overflow: hidden; text-overflow: clip }', /cut off below: <bdi> Lata/],
    ['.top .title { overflow: hidden } .top .title > * { width: 40rem; overflow: visible }', /cut off at the side/],
    ['.composer button.main { width: 1.8rem }', /runs out of its box: <button.main> Send/],
    ['.composer { width: 50% }', /\.composer stood at/],
    ['.list { display: block !important; position: absolute; inset: 0 }', /\.list was not there|covered/],
  ]) {
    const added = await screen.addStyleTag({ content: style });
    assert.match((await faults()).join('\n'), fault, style);
    await added.evaluate((element) => element.remove());
  }
  await screen.context().close();
}
await stage.finish();
