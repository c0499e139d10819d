// What the days at the console share: a browser, people who sign in, the API and the simulated WhatsApp, and what is
// looked at on each screen. CONSOLE and SIMULATOR are the addresses of a running local cloud, BROWSER is the path of
// Chromium. PICTURES is a folder for pictures of the screens, if they are wanted, and STYLE a style that they get as
// well, to see whether they bear another font.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { layout } from './layout.mjs';
import { remember, skeleton } from './skeleton.mjs';

export const { CONSOLE, SIMULATOR, BROWSER, PICTURES, STYLE } = process.env;
const patience = Number(process.env.PATIENCE ?? 90_000); // on a machine that is busy with other tests
export const inboxNumber = '106540352242922';
export const shopNumber = '106540352242923';
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
export const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });

/** What went wrong in a page: each fails the test in the end. */
export const broken = [];

/** A page of a browser, which fails the test if a script fails or a policy is broken. */
export async function pageOf(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on('pageerror', (error) => broken.push(error.stack ?? error.message));
  page.on('console', (m) => /Content Security Policy|Refused to/.test(m.text()) && broken.push(m.text()));
  page.on('dialog', (dialog) => (broken.push('a dialog: ' + dialog.message()), dialog.dismiss()));
  return page;
}

/** A browser of its own, with the page that somebody has open in it, who has signed in. */
export async function operator(options = {}, person = 'Operator') {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-IN', ...options });
  const page = await pageOf(context);
  await page.goto(CONSOLE);
  await page.getByRole('button', { name: person }).click();
  await page.locator('.pages').waitFor();
  return page;
}

/** The token that a page calls the API with. */
export async function tokenOf(page) {
  const [token] = await Promise.all([
    page.waitForRequest('**/v1/changes**').then((asked) => asked.headerValue('Authorization')),
    page.evaluate(() => window.dispatchEvent(new Event('focus'))),
  ]);
  return token;
}

/** Calls the API with a token, as another program of the shop would. */
export const caller =
  (token) =>
  async (method, path, body, more = {}) => {
    const json = body && { 'Content-Type': 'application/json' };
    const headers = { Authorization: token, 'Idempotency-Key': crypto.randomUUID(), ...json, ...more };
    const answer = await fetch(CONSOLE + 'v1' + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  };

export async function simulator(path, body) {
  const answer = await fetch(
    SIMULATOR + '/simulator' + path,
    body && { method: 'POST', body: JSON.stringify(body) },
  );
  const text = await answer.text();
  assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}
export const say = (from, name, text, phoneNumberId = inboxNumber) =>
  simulator('/say', { phoneNumberId, from, name, text });
/** What a customer has got, as WhatsApp was given it. */
export const told = async (to) => (await simulator('/messages?to=' + to)).messages.map((one) => one.body);

/** Waits until something is so. */
export async function until(so) {
  for (const ends = Date.now() + patience; !(await so());) {
    assert.ok(Date.now() < ends, 'it does not become so: ' + so);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until a locator finds so many. */
export const counted = (found, so) => until(async () => (await found.count()) === so);

/**
 * Has the service worker control a page. A page that was being loaded while the service worker began is controlled from
 * the next time on that it is loaded.
 */
export async function controlled(page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  for (let waited = 0; !(await page.evaluate(() => !!navigator.serviceWorker.controller)); waited += 100) {
    await page.waitForTimeout(100);
    if (waited % 5000 === 4900) await page.reload();
    assert.ok(waited < patience, 'no service worker controls the page');
  }
}

/** Opens or closes what stands beside a conversation. */
export async function beside(screen, open) {
  const button = screen.locator('.top button[aria-expanded]');
  await button.waitFor();
  if ((await button.getAttribute('aria-expanded')) !== String(open)) await button.click();
  await screen.locator('.side').waitFor({ state: open ? 'visible' : 'detached' });
}

/**
 * Loses the answers to POST requests, after the server has done what they ask, until they are found again. The first
 * one that is lost settles `lost`. A page that is loaded anew ends its requests by itself.
 */
export async function loseAnswers(page, to) {
  const answers = { found: false };
  let done;
  answers.lost = new Promise((resolve) => (done = resolve));
  await page.route(to, async (route) => {
    if (route.request().method() !== 'POST' || answers.found) return route.continue().catch(() => undefined);
    await route.fetch();
    await route.abort('internetdisconnected').catch(() => undefined);
    done();
  });
  return answers;
}

/** The sizes, languages and colours in which each screen is looked at. */
export const looks = [
  [320, 'en', 'light'],
  [768, 'hi', 'dark'],
  [1440, 'hi', 'light'],
  [1440, 'en', 'dark'],
];

/** A page in one of the looks. */
export async function looking([width, language, colorScheme]) {
  const screen = await operator({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
  await screen.evaluate((chosen) => localStorage.setItem('language', chosen), language);
  await screen.reload();
  await screen.locator('.pages a').nth(1).waitFor();
  if (STYLE) await screen.addStyleTag({ content: STYLE });
  return screen;
}

/**
 * Nothing on a screen is cut off, covered or too small to tap, its parts stand where they did, and no rule of axe is
 * broken. Whatever is wrong fails the test in the end. `look` is one of the looks.
 */
export async function examine(screen, name, look) {
  const what = [name, ...look].join(' ');
  await screen.waitForTimeout(200); // transitions
  if (PICTURES) await screen.screenshot({ path: `${PICTURES}/${what.replaceAll(' ', '-')}.png` });
  const measured = async () => [...(await layout(screen)), ...(await skeleton(screen, `${name} ${look[0]}`))];
  let faults = await measured();
  // What is still being loaded gets time to come. A fault stays.
  for (const ends = Date.now() + 5000; faults.length && Date.now() < ends; faults = await measured())
    await screen.waitForTimeout(200);
  for (const fault of faults) broken.push(`${what}: ${fault}`);
  await screen.addScriptTag({ path: axe });
  const found = await screen.evaluate(() => window.axe.run());
  for (const v of found.violations) broken.push(`${what}: ${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`);
}

/** Plays the steps one after the other. */
export async function play(steps) {
  for (const [name, step] of Object.entries(steps)) {
    const began = Date.now();
    await step();
    console.log(`${name} (${Date.now() - began} ms)`);
  }
}

export async function finish() {
  await browser.close();
  remember();
  assert.deepEqual(broken, []);
  console.log('done');
}
