// Notifications, in a real browser on a running local cloud. The browser's push service is not there: what it would
// deliver, the test delivers to the service worker.
import assert from 'node:assert/strict';
import * as stage from './stage.mjs';

const { CONSOLE, browser, caller, controlled, examine, inboxNumber, looking, looks, pageOf, tokenOf, until } =
  stage;
const endpoint = 'https://push.example.com/v1/laptop';
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-IN' });
await context.grantPermissions(['notifications'], { origin: new URL(CONSOLE).origin });
// What a browser's subscription says, with keys that are some.
await context.addInitScript((endpoint) => {
  let subscribed;
  const made = (options) => ({
    endpoint,
    options,
    toJSON: () => ({
      endpoint,
      keys: {
        p256dh: 'BNNL5ZaTfK81qhXOx23-wewhigUeFb632jN6LvRWCFH1ubQr77FE_9qV1FuojuRmHP42zmf34rXgW80OvUVDgTk',
        auth: 'zqbxT6JKstKSY9JKibZLSQ',
      },
    }),
    unsubscribe: async () => ((subscribed = undefined), (window.unsubscribed = true)),
  });
  PushManager.prototype.subscribe = async (options) => (subscribed = window.subscribed = made(options));
  PushManager.prototype.getSubscription = async () => subscribed;
}, endpoint);
const page = await pageOf(context);
await page.goto(CONSOLE);
await page.getByRole('button', { name: 'Operator' }).click();
await page.locator('.pages').waitFor();
const call = caller(await tokenOf(page));
const devices = async () => (await call('GET', '/tenants/demo/push-devices')).items;
const form = page.getByRole('form', { name: 'Tell me in this browser' });
const open = () => page.getByRole('button', { name: 'Notifications' }).click();

await stage.play({
  async 'a browser is registered for what its owner wants'() {
    await open();
    await form.getByLabel('nobody takes care of').check();
    await form.getByLabel('in my conversations').uncheck();
    await form.getByRole('button', { name: 'Turn on' }).click();
    await form.getByText('This browser tells you.').waitFor();
    const [one, ...others] = await devices();
    assert.deepEqual([one.wants, one.language, others], [['needs_person', 'unassigned'], 'en', []]);
    const key = await page.evaluate(() => [...window.subscribed.options.applicationServerKey]);
    assert.deepEqual([key.length, key[0]], [65, 4], 'a point of P-256');
    await form.getByLabel('in my conversations').check();
    await form.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await devices())[0].wants.length === 3);
    assert.equal((await devices()).length, 1);
  },
  async 'what comes while nobody looks is shown, once for each conversation'() {
    const conversation = `${inboxNumber}:919811600001`;
    const { cdp, registrationId } = await worker();
    // The worker is asked, because an open page would be looked at.
    const notifications = () =>
      context
        .serviceWorkers()[0]
        .evaluate(async () => (await self.registration.getNotifications()).map((n) => [n.title, n.body, n.tag]));
    const tell = (body) =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        origin: new URL(CONSOLE).origin,
        registrationId,
        data: JSON.stringify({ title: 'Zoya', body, conversation }),
      });
    await tell('They see it');
    await page.goto('about:blank');
    await tell('Is the shop open?');
    await tell('Hello?');
    await until(async () => (await notifications()).some(([, body]) => body === 'Hello?'));
    assert.deepEqual(await notifications(), [['Zoya', 'Hello?', conversation]]);
    await page.goto(CONSOLE);
  },
  async 'who leaves is not notified any more'() {
    // The sign-in pages lead back here.
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Sign out' }).click()]);
    await page.getByText('You are signed out').waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('push')), null);
    await until(async () => (await devices()).length === 0);
  },
  async 'who signs in on the computer of somebody else is not told what is theirs'() {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Meena' }).click();
    await page.locator('.pages').waitFor();
    await page.evaluate(() => {
      const former = { id: 'laptop', subject: 'somebody', tenant: 'demo', endpoint: '', wants: ['mine'] };
      localStorage.setItem('push', JSON.stringify(former));
    });
    await page.reload();
    await until(() => page.evaluate(() => localStorage.getItem('push') === null));
    assert.equal(await page.evaluate(() => window.subscribed), undefined);
  },
});

/** The service worker of the page. */
async function worker() {
  const cdp = await context.newCDPSession(page);
  const registered = new Promise((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
      registrations.filter((one) => !one.isDeleted).forEach((one) => resolve(one.registrationId)),
    ),
  );
  await controlled(page);
  await cdp.send('ServiceWorker.enable');
  return { cdp, registrationId: await registered };
}

for (const look of looks) {
  const screen = await looking(look);
  const bell = screen.locator('header button[aria-expanded]').first();
  await bell.click();
  await screen.locator('form.banner').waitFor();
  await examine(screen, 'notifications', look);
  await screen.context().close();
}
await stage.finish();
