// A conversation with many messages is scrolled. DYNAMODB is the address of the local cloud's tables, MESSAGES how many.
import assert from 'node:assert/strict';
import * as stage from './stage.mjs';

const { operator, simulator, say, until, inboxNumber } = stage;
const { DYNAMODB } = process.env;
const count = Number(process.env.MESSAGES ?? 10_000);
const customer = '919811477777';
const table = 'base-wecare-digital-whatsapp';

/** Writes items as the messages of a conversation are. A customer would need hours to say as much. */
async function put(items) {
  const answer = await fetch(DYNAMODB, {
    method: 'POST',
    headers: {
      'X-Amz-Target': 'DynamoDB_20120810.BatchWriteItem',
      'X-Amz-Date': '20260101T000000Z',
      'Content-Type': 'application/x-amz-json-1.0',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/ap-south-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00',
    },
    body: JSON.stringify({ RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) } }),
  });
  assert.ok(answer.ok, await answer.text());
}

const words = 'rice dal namak cheeni tel ghee doodh chai kal subah bhej dena thank you please how much is it'.split(
  ' ',
);
/** What is said, and how long that is, differ from message to message, and are the same each time. */
const sentence = (i) =>
  `Message ${i} ` +
  Array.from({ length: 2 + ((i * 7) % (i % 9 ? 14 : 70)) }, (_, j) => words[(i * 31 + j * 17) % words.length]).join(
    ' ',
  );
const attribute = (text) => ({ S: text });
function item(i, now) {
  const at = now - (count - i) * 97_000 - 60_000;
  const out = i % 3 === 1;
  return {
    pk: attribute(`MSG#wamid.LONG${customer}x${i}`),
    itemType: attribute('MESSAGE'),
    direction: attribute(out ? 'OUTBOUND' : 'INBOUND'),
    type: attribute('text'),
    textBody: attribute(sentence(i)),
    preview: attribute(sentence(i).slice(0, 60)),
    receivedAt: attribute(new Date(at).toISOString()),
    arrival: { N: `${at}000000` },
    waTimestamp: attribute(String(Math.floor(at / 1000))),
    conversationPk: attribute(`CONV#${inboxNumber}#${customer}`),
    from: attribute(out ? '15550783881' : customer),
    to: attribute(out ? customer : '15550783881'),
    inboxPk: attribute(inboxNumber),
    ...(!out && { fromPk: attribute(customer), senderName: attribute('Long Talk') }),
  };
}

await say(customer, 'Long Talk', 'The newest of all');
const now = Date.now();
for (let i = 0; i < count; i += 100)
  await Promise.all(
    [0, 25, 50, 75].map((from) => put(Array.from({ length: 25 }, (_, j) => item(i + from + j, now)))),
  );

const page = await operator({ viewport: { width: 1440, height: 900 } });
await page.evaluate((to) => (location.hash = to), encodeURIComponent(`${inboxNumber}:${customer}`));
const log = page.locator('.timeline');
const bubble = (text) => page.locator('.bubble', { hasText: text }).last();
await bubble('The newest of all').waitFor();
const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);

await stage.play({
  async 'older messages load while one scrolls, and what is read stays where it is'() {
    /** The first bubble in the view, once the bubbles of the view are laid out. */
    const place = async () => {
      let first;
      const found = () =>
        page.evaluate(() => {
          const box = document.querySelector('.timeline').getBoundingClientRect();
          for (const one of document.querySelectorAll('.timeline .bubble')) {
            const { top } = one.getBoundingClientRect();
            if (top >= box.top && top < box.bottom) return { id: one.id, top };
          }
        });
      await until(async () => (first = await found()));
      return first;
    };
    const slowly = (route) => setTimeout(() => route.continue().catch(() => undefined), 400);
    const began = Date.now();
    const oldest = () => page.evaluate(() => document.querySelector('.messages').firstElementChild.textContent);
    for (let loaded = 0; await page.locator('.timeline .more').count(); loaded++) {
      assert.ok(loaded < count / 50, 'it comes to an end');
      const before = await oldest();
      if (loaded === 0) await page.route('**/messages?**', slowly);
      if (loaded === 5) await page.unroute('**/messages?**');
      await log.evaluate((box) => (box.scrollTop = 10));
      if (loaded < 5) await page.waitForTimeout(150);
      const at = loaded < 5 ? await place() : undefined;
      await until(async () => (await oldest()) !== before || !(await page.locator('.timeline .more').count()));
      if (!at) continue;
      let now;
      const stays = async () => {
        now = await page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top, at.id);
        return Math.abs(now - at.top) <= 2;
      };
      for (let i = 0; i < 20 && !(await stays()); i++) await page.waitForTimeout(100);
      assert.ok(await stays(), `what is read moved from ${at.top} to ${now}`);
    }
    console.log(`  all are here after ${Date.now() - began} ms, with ${await nodes()} nodes`);
    assert.match(await oldest(), /Message 0 /);
  },
  async 'it scrolls, and only what is near the view is in the page as bubbles'() {
    const measured = await log.evaluate(async (box) => {
      const frames = [];
      let [most, blank] = [0, 0];
      for (const [step, times] of [
        [60, 120], // as a finger or a wheel does
        [-60, 120],
        [900, 40], // a view at a time
      ]) {
        const took = [];
        let last = await new Promise(requestAnimationFrame);
        for (let i = 0; i < times; i++) {
          box.scrollTop += step;
          const now = await new Promise(requestAnimationFrame);
          took.push(now - last);
          last = now;
          most = Math.max(most, box.querySelectorAll('.bubble').length);
          const middle = box.getBoundingClientRect();
          const hit = document.elementFromPoint(middle.left + middle.width / 2, middle.top + middle.height / 2);
          if (!hit?.closest('.chunk:not([hidden])')) blank++;
        }
        took.sort((a, b) => a - b);
        const of = (part) => Math.round(took[Math.floor(took.length * part)] * 10) / 10;
        const mean = took.reduce((sum, one) => sum + one, 0) / took.length;
        frames.push({
          step,
          fps: Math.round(10_000 / mean) / 10,
          median: of(0.5),
          p95: of(0.95),
          worst: of(0.999),
        });
      }
      return { frames, most, blank };
    });
    console.log('  ' + JSON.stringify(measured) + ` with ${await nodes()} nodes`);
    assert.ok(measured.most < 200, `${measured.most} bubbles at once`);
    assert.ok(measured.blank < 10, `${measured.blank} frames showed nothing`);
    assert.ok((await nodes()) < 2000 + count / 4, `${await nodes()} nodes`);
  },
  async 'what is far is found by its words, and a message can be jumped to'() {
    await log.evaluate((box) => (box.scrollTop = 0));
    const far = page.locator('.chunk[hidden="until-found"]', { hasText: `Message ${Math.floor(count / 2)} ` });
    assert.equal(await far.count(), 1);
    await page.locator('.newest').click();
    await bubble('The newest of all').waitFor();
    await until(() => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2));
    await simulator('/say', { phoneNumberId: inboxNumber, from: customer, name: 'Long Talk', text: 'One more' });
    await bubble('One more').waitFor();
    await until(() => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2));
    await page.locator('[aria-live=polite]', { hasText: 'One more' }).waitFor({ state: 'attached' });
  },
});
await stage.finish();
