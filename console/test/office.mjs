// What is done for the shop beside answering: campaigns, templates and people, in a real browser on a running local
// cloud.
import assert from 'node:assert/strict';
import * as stage from './stage.mjs';

const { SIMULATOR, beside, loseAnswers, looks, looking, examine, operator, say, told, until } = stage;
const page = await operator();
const token = await stage.tokenOf(page);
const call = stage.caller(token);
const waba = (await call('GET', '/numbers')).items[0].wabaId;
const stores = '/stores/' + (await call('GET', '/stores?tenantId=demo')).items[0].id;
const tab = (of, name) => of.locator('.pages').getByRole('link', { name }).click();
const card = (text) => page.locator('.card', { hasText: text });
const panel = (name) => page.getByRole('complementary', { name });
const held = {};
/** Has a customer write, and opens the conversation when it is there. */
async function opened(from, name, text, phone) {
  await say(from, name, text, phone);
  const id = `${phone}:${from}`;
  await until(async () => (await call('GET', '/conversations?limit=100')).items.some((row) => row.id === id));
  await page.evaluate((to) => (location.hash = to), encodeURIComponent(id));
}
/** A file of recipients. */
const csv = (name, text) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

await stage.play({
  async 'templates are listed with their states, and a new one shows all its faults'() {
    await tab(page, 'Templates');
    await page.getByText('There is none').waitFor();
    await page.getByRole('button', { name: 'Ask Meta for the templates' }).click();
    await card('order_confirmation').first().waitFor();
    await page.getByRole('button', { name: 'New template' }).click();
    const form = page.getByRole('form', { name: 'New template' });
    await form.getByLabel('Name: small letters').fill('Diwali Offer');
    await form.getByRole('textbox', { name: 'Text', exact: true }).fill('Happy Diwali, {{1}}');
    await form.getByRole('button', { name: 'Have Meta review it' }).click();
    const faults = page.getByRole('alert').filter({ hasText: 'This is wrong with it' });
    await faults.locator('li').nth(1).waitFor();
    assert.ok((await faults.locator('li').count()) >= 3, await faults.textContent());
    await form.getByLabel('Name: small letters').fill('diwali_offer');
    await form.getByRole('combobox', { name: 'Category' }).selectOption('MARKETING');
    await form.getByRole('textbox', { name: 'Text', exact: true }).fill('Happy Diwali, {{1}}! Sweets *20 %* off.');
    await form.getByLabel('Example for {{1}}').fill('Asha');
    await form.getByRole('button', { name: 'Add a button' }).click();
    await form.getByRole('textbox', { name: 'On the button' }).fill('Order now');
    await form.locator('.preview').getByText('Happy Diwali, Asha!').waitFor();
    await form.locator('.preview b').getByText('20 %').waitFor();
    await form.getByRole('button', { name: 'Have Meta review it' }).click();
    await page.getByRole('status').filter({ hasText: 'Meta has been asked' }).waitFor();
    await card('diwali_offer').waitFor();
    const one = () => call('GET', `/templates/${waba}:diwali_offer:en`);
    await until(async () => (await one()).status === 'APPROVED');
    await card('diwali_offer').getByText('Approved').waitFor();
    await card('diwali_offer').locator('.name').click();
    await panel('diwali_offer').locator('.preview').getByText('Happy Diwali').waitFor();
  },
  async 'a template is deleted only by who has written its name'() {
    await call('POST', '/templates', {
      wabaId: waba,
      name: 'old_offer',
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your order is ready.' }],
    });
    await page.keyboard.press('Escape');
    await card('old_offer').locator('.name').click();
    const shown = panel('old_offer');
    await shown.getByRole('button', { name: 'Delete', exact: true }).click();
    const remove = shown.locator('form').getByRole('button', { name: 'Delete', exact: true });
    assert.ok(await remove.isDisabled());
    await shown.getByLabel('Meta deletes it for good').fill('old_offer');
    await remove.click();
    await shown.getByText('Meta has been asked to delete it').waitFor();
    await until(async () => (await call('GET', `/templates/${waba}:old_offer:en`)).status === 'DELETED');
    await page.keyboard.press('Escape');
  },
  async 'a campaign is made, filled from a file, estimated and started, and says who got nothing'() {
    await fetch(`${SIMULATOR}/simulator/account`, { method: 'PUT', body: '{"limit":"TIER_10K"}' });
    await say('919811500009', 'Nobody', 'STOP');
    const talks = async () => (await call('GET', '/conversations')).items;
    await until(async () => (await talks()).some((row) => row.address === '919811500009' && row.optedOutAt));
    await tab(page, 'Campaigns');
    await page.getByText('There is no campaign yet').waitFor();
    await page.getByRole('button', { name: 'New campaign' }).click();
    const form = page.getByRole('form', { name: 'New campaign' });
    await form.getByLabel('Name, for your people').fill('Diwali <b>week</b>');
    await form.getByRole('combobox', { name: 'Choose a template' }).selectOption({ label: 'diwali_offer (en)' });
    assert.equal(await form.getByLabel('{{1}}').inputValue(), '{{name}}');
    await form.getByLabel('Only at these hours').uncheck();
    await form.getByRole('button', { name: 'Make a draft' }).click();
    const shown = panel('Diwali <b>week</b>');
    await shown.getByText('Nobody yet.').waitFor();
    assert.equal(await shown.getByRole('button', { name: 'Start now' }).count(), 0, 'nobody would get it');
    const file = 'to,name\n919811500001,Asha\n919811500002,Ravi\n12,Wrong\n919811500009,Nobody\n919811500003,\n';
    await shown.locator('input[type=file]').setInputFiles(csv('customers.csv', file));
    await shown.getByText('Lines that cannot be used: 1').waitFor();
    await shown.getByText(/Line 4/).waitFor();
    await shown.getByRole('heading', { name: 'Recipients: 4' }).waitFor();
    await shown.getByRole('heading', { name: 'What it costs' }).waitFor();
    await shown.getByText('Want no messages').waitFor();
    held.campaign = (await call('GET', '/campaigns?tenantId=demo')).items[0].campaignId;
    await shown.getByRole('button', { name: 'Start now' }).click();
    await shown.getByText('It sends to this many people: 4').waitFor();
    await shown.getByRole('button', { name: 'Yes' }).click();
    await shown.getByRole('heading', { name: 'Results' }).waitFor();
    await until(async () => (await told('919811500002')).length === 1);
    assert.equal((await told('919811500009')).length, 0);
    await until(async () => {
      await call('POST', `/campaigns/${held.campaign}/count`);
      await page.waitForTimeout(500);
      return (await call('GET', `/campaigns/${held.campaign}`)).counts.skipped.opted_out === 1;
    });
    await shown.getByText('wants no messages').waitFor();
    await shown.getByText('something to fill in is missing').waitFor();
    await shown.getByRole('button', { name: 'One by one' }).click();
    await shown.getByText('+91 98115 00002').waitFor();
    const [sent] = await told('919811500002');
    assert.equal(sent.template.components[0].parameters[0].text, 'Ravi');
  },
  async 'a campaign is copied, filled by a label, planned and ended'() {
    await say('919811500004', 'Veena', 'Hello');
    const id = '106540352242922:919811500004';
    await until(async () => (await call('GET', '/conversations')).items.some((row) => row.id === id));
    await call('PATCH', `/conversations/${id}/work`, { labels: ['sweets'] });
    await panel('Diwali <b>week</b>').getByRole('button', { name: 'Copy' }).click();
    const copy = panel('Diwali <b>week</b>, copy');
    await copy.getByLabel('All customers with a label').fill('sweets');
    await copy.getByRole('button', { name: 'Add', exact: true }).click();
    await copy.getByRole('heading', { name: 'Recipients: 1' }).waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await copy.getByLabel('Begins at').fill(tomorrow);
    await copy.getByRole('button', { name: 'Plan', exact: true }).click();
    await copy.getByText('Planned', { exact: true }).waitFor();
    await copy.getByRole('button', { name: 'End for good' }).click();
    await copy.getByRole('button', { name: 'Yes' }).click();
    await copy.getByText('Cancelled', { exact: true }).first().waitFor();
    await copy.getByRole('button', { name: 'Delete' }).click();
    await copy.getByRole('button', { name: 'Yes' }).click();
    await copy.waitFor({ state: 'detached' });
    assert.equal((await told('919811500004')).length, 0);
  },
  async 'people are added with their roles, changed and ended'() {
    await tab(page, 'People');
    await page.getByRole('button', { name: 'Add a person' }).click();
    const form = page.getByRole('form', { name: 'Add a person' });
    await form.getByLabel('Id of the account').fill('00000000-0000-4000-8000-000000000002');
    await form.getByLabel('Auditor').check();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'It counts when they sign in next' }).waitFor();
    await card('Meena').getByText('reads everything and changes nothing').waitFor();
    await card('Meena').getByRole('button', { name: 'Change' }).click();
    await card('Meena').getByLabel('Auditor').uncheck();
    await card('Meena').getByRole('button', { name: 'Save' }).click();
    await card('Meena').getByText('Clerk', { exact: true }).waitFor();
    await until(async () => {
      const people = (await call('GET', '/tenants/demo/people')).items;
      return people.map((one) => one.name + ':' + one.roles).join() === 'Operator:,Meena:operator';
    });
    const meena = await operator({}, 'Meena');
    await tab(meena, 'Campaigns');
    await meena.getByRole('button', { name: 'Diwali' }).first().waitFor();
    assert.equal(await meena.getByRole('button', { name: 'New campaign' }).count(), 0);
    assert.equal(await meena.locator('.pages').getByRole('link', { name: 'People' }).count(), 0);
    await meena.context().close();
    await card('Meena').getByRole('button', { name: 'End the work' }).click();
    await card('Meena').getByRole('button', { name: 'End it' }).click();
    await card('Meena').waitFor({ state: 'detached' });
    await call('PUT', '/tenants/demo/people/00000000-0000-4000-8000-000000000002', { roles: ['operator'] });
  },
  async 'all of a product is changed: packs, tax, code and picture'() {
    await tab(page, 'Shop');
    await page.getByRole('searchbox').fill('catch');
    await page.getByRole('button', { name: 'Catch Salt' }).first().click();
    const shown = panel('Catch Salt');
    await shown.getByLabel('GST in per cent').fill('5');
    await shown.getByLabel('HSN code').fill('12');
    await shown.getByRole('button', { name: 'Save' }).click();
    await shown.getByRole('alert').getByText('hsn').waitFor();
    await shown.getByLabel('HSN code').fill('2501');
    await shown.getByRole('textbox', { name: 'Picture' }).fill('https://example.com/salt.jpg');
    await shown.getByRole('link', { name: 'See the picture' }).waitFor();
    await shown.getByRole('button', { name: 'Save' }).click();
    await shown.getByRole('status').getByText('Saved').waitFor();
    const product = () => call('GET', `${stores}/products/SALT-1`);
    const { taxRate, hsn, imageUrl, price, keywords } = await product();
    assert.deepEqual([taxRate, hsn, imageUrl], ['5', '2501', 'https://example.com/salt.jpg']);
    assert.ok(price && keywords?.length, 'what was not changed is as it was');
    for (const [i, [size, sku, cost]] of [
      ['500 g', 'HALF', '15'],
      ['1 kg', 'FULL', '28'],
    ].entries()) {
      await shown.getByRole('button', { name: 'Add a pack' }).click();
      const pack = shown.getByRole('group', { name: `Pack ${i + 1}` });
      await pack.getByLabel('What is in it').fill(size);
      await pack.getByLabel('Code').fill(sku);
      await pack.getByLabel('Price').fill(cost);
    }
    // A colleague who is first is not overwritten.
    const { version } = await product();
    await call('PATCH', `${stores}/products/SALT-1`, { localName: 'Namak', version });
    await shown.getByRole('button', { name: 'Save' }).click();
    await shown.getByRole('alert').getByText('Somebody else was first').waitFor();
    assert.equal((await product()).variants, undefined);
    await shown.getByRole('button', { name: 'Add a pack' }).click();
    await shown.getByLabel('What is in it').fill('1 kg');
    await shown.getByLabel('Code', { exact: true }).fill('FULL');
    await shown.getByRole('group', { name: 'Pack 1' }).getByLabel('Price').fill('28');
    await shown.getByRole('button', { name: 'Save' }).click();
    await shown.getByRole('status').getByText('Saved').waitFor();
    assert.equal((await product()).variants[0].sku, 'FULL');
    await shown.getByRole('button', { name: 'Remove: Pack 1' }).click();
    await shown.getByRole('button', { name: 'Save' }).click();
    await until(async () => !(await product()).variants);
    await page.keyboard.press('Escape');
  },
  async 'hours and charges are changed, and the rest of the store stays'() {
    await page.getByRole('button', { name: 'Hours and charges' }).click();
    const before = await call('GET', stores);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const form = page.getByRole('form', { name: 'Change' });
    await form.getByLabel('Always open').uncheck();
    for (const day of ['Monday', 'Tuesday']) await form.getByLabel(day, { exact: true }).check();
    await form.getByLabel('Monday: Opens').fill('08:30');
    await form.getByLabel('The shop brings orders').check();
    await form.getByLabel('Charge').fill('30');
    await form.getByLabel('Free from').fill('500');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('08:30–21:00').waitFor();
    await page.getByText('₹30').waitFor();
    const now = await call('GET', stores);
    assert.deepEqual(now.settings.businessHours.monday, { open: '08:30', close: '21:00' });
    assert.equal(now.settings.businessHours.wednesday, undefined);
    assert.deepEqual(now.settings.credit, before.settings.credit);
    assert.deepEqual(now.contactInfo, before.contactInfo);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await form.getByLabel('Always open').check();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Always open.').waitFor();
  },
  async 'an order is made and changed beside the conversation'() {
    await opened('919811500020', 'Kiran', 'I want salt', stage.shopNumber);
    const side = page.getByRole('region', { name: 'Details' });
    await side.getByRole('button', { name: 'New order' }).click();
    const form = side.getByRole('form', { name: 'New order' });
    await form.getByLabel('Search the catalogue').fill('namak');
    await form.getByRole('button', { name: 'Catch Salt' }).first().click();
    await form.getByLabel('Quantity: Catch Salt').fill('3');
    await form.getByLabel('How').selectOption('delivery');
    await form.getByLabel('Address').fill('12 Temple Road');
    // The answer is lost: the same order is asked for again, and made once.
    const answers = await loseAnswers(page, '**/orders');
    await form.getByRole('button', { name: 'Make the order' }).click();
    await form.getByRole('alert').waitFor();
    answers.found = true;
    await form.getByRole('button', { name: 'Make the order' }).click();
    await side.locator('.order').getByText('12 Temple Road').waitFor();
    const orders = async () => (await call('GET', `${stores}/orders?customer=%2B919811500020`)).items;
    assert.equal((await orders()).length, 1);
    await side.getByRole('button', { name: 'Change the order' }).click();
    const change = side.getByRole('form', { name: 'Change the order' });
    await change.getByLabel('Quantity: Catch Salt').fill('5');
    await change.getByRole('button', { name: 'Save the changes' }).click();
    await change.waitFor({ state: 'detached' });
    await side.locator('.order').getByText('5', { exact: false }).first().waitFor();
    assert.equal((await orders())[0].items[0].quantity, '5');
  },
  async 'consent shows, and a customer is erased only by who signs in for it and writes the number'() {
    await opened('919811500021', 'Gone', 'Forget me', stage.inboxNumber);
    const side = page.getByRole('region', { name: 'Details' });
    await side.getByText('Has not stopped marketing messages').waitFor();
    await side.getByRole('button', { name: 'Erase the customer' }).click();
    await side.getByRole('button', { name: 'Sign in to erase' }).click();
    await page.getByRole('button', { name: 'Operator' }).click();
    const form = side.getByRole('form', { name: 'Erase the customer' });
    await form.waitFor();
    const kept = await page.evaluate(() => localStorage.getItem('session'));
    const scopes = (await call('GET', '/me')).scopes;
    assert.ok(kept && !scopes.includes('haatline/customers.erase'), 'the session is as it was');
    const go = form.getByRole('button', { name: 'Erase for good' });
    await form.getByLabel('Why?').fill('Asked for it');
    await form.getByLabel('To be sure').fill('98115 00020');
    assert.ok(await go.isDisabled());
    await form.getByLabel('To be sure').fill('+91 98115 00021');
    await go.click();
    await side.getByText('Erased.').waitFor();
    const gone = await fetch(stage.CONSOLE + `v1/conversations/${stage.inboxNumber}:919811500021`, {
      headers: { Authorization: token },
    });
    assert.equal(gone.status, 404);
    const meena = await operator({}, 'Meena');
    await meena.evaluate((to) => (location.hash = to), encodeURIComponent(`${stage.shopNumber}:919811500020`));
    await meena.getByRole('region', { name: 'Details' }).getByText('Consent').waitFor();
    assert.equal(await meena.getByRole('button', { name: 'Erase the customer' }).count(), 0);
    await meena.context().close();
    // Without the sign-in nothing is held: a reload ends it.
    await page.reload();
    await page.evaluate((to) => (location.hash = to), encodeURIComponent(`${stage.shopNumber}:919811500020`));
    await side.getByRole('button', { name: 'Erase the customer' }).click();
    await side.getByRole('button', { name: 'Sign in to erase' }).waitFor();
  },
  async 'what was sent, how soon customers are answered, and what the month costs is drawn'() {
    await page.evaluate(() => (location.hash = '#/shop/day'));
    await page.getByRole('combobox', { name: 'Period' }).selectOption('7');
    await page.getByRole('button', { name: 'Count these days' }).click();
    const funnel = page.getByRole('figure').filter({ hasText: 'What became of what was sent' });
    await funnel.getByRole('img', { name: /Sent [1-9].*Delivered [1-9]/ }).waitFor();
    await funnel.getByText('As a table').click();
    await funnel.getByRole('row', { name: /^Delivered [1-9]/ }).waitFor();
    const waits = page.getByRole('figure').filter({ hasText: 'Half of the customers wait' });
    await waits.getByRole('img').waitFor();
    await waits.getByText('As a table').click();
    assert.equal(await waits.getByRole('row').count(), 8);
    await page.getByRole('button', { name: 'The month' }).click();
    await page.getByRole('button', { name: 'Count the month' }).click();
    await page.getByRole('status').filter({ hasText: 'It takes up to some minutes' }).waitFor();
    const kinds = page.getByRole('figure').filter({ hasText: 'Messages by kind' });
    await kinds.getByRole('img', { name: /template [1-9]/ }).waitFor();
    const usage = () => call('GET', `/tenants/demo/usage?month=${new Date().toISOString().slice(0, 7)}`);
    await until(async () => (await usage()).told > 0);
  },
});

held.campaign = (await call('GET', '/campaigns?tenantId=demo')).items[0].campaignId;

/** Every screen of these pages: where it is, and what shows that it is there. */
const screens = [
  ['campaigns', '#/campaigns', '.card progress'],
  ['campaign', () => '#/campaigns/' + held.campaign, '.panel dl'],
  ['templates', '#/templates', '.card'],
  ['template', `#/templates/${encodeURIComponent(waba + ':diwali_offer:en')}`, '.panel .preview'],
  ['people', '#/people', '.card'],
  ['product', `#/shop/${encodeURIComponent('p/SALT-1')}`, '.panel fieldset, .saving'],
  ['hours', '#/shop/rules', '.card dl'],
  ['figures', '#/shop/day', '.bars svg'],
  ['bill', '#/shop/bill', '.bars svg'],
  ['beside', '#' + encodeURIComponent(`${stage.shopNumber}:919811500020`), '#answer'],
];
/** Opens what is seldom opened beside a conversation. */
async function openAll(screen) {
  await beside(screen, true);
  await screen.locator('.side .order').waitFor();
  await screen.locator('.side [aria-expanded]').first().click();
  await screen.locator('.side .ordering input[type=search]').fill('salt');
  await screen.locator('.found-goods button').first().waitFor();
  await screen.locator('.side [aria-expanded]').last().click();
  await screen.locator('.side section').last().locator('.hint').waitFor();
}
for (const look of looks) {
  const screen = await looking(look);
  for (const [name, hash, shown] of screens) {
    await screen.evaluate((to) => (location.hash = to), typeof hash === 'function' ? hash() : hash);
    await screen.locator(shown).locator('visible=true').first().waitFor();
    await examine(screen, name, look);
    const opens = { campaigns: '.tools button', templates: '.tools > button', people: '.tools button' }[name];
    if (name === 'hours') await screen.locator('.tools').last().locator('button').click();
    else if (name === 'product') await screen.locator('.panel .acts button').first().click();
    else if (name === 'beside') await openAll(screen);
    else if (!opens) continue;
    else await screen.locator(opens).first().click();
    await screen.locator('form.adding, .panel fieldset, .side .ordering').first().waitFor();
    await examine(screen, `new ${name}`, look);
  }
  await screen.context().close();
}
await stage.finish();
