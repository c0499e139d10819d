// Draws the icons of public/ that have to be PNG, from icon.svg: npm run icons --prefix console, with BROWSER=chromium.
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const svg = await readFile(new URL('public/icon.svg', import.meta.url), 'utf8');
const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: ['--no-sandbox'] });
for (const [name, size, inner, ground] of [
  ['icon-180', 180, 180, '#0b6e4f'], // phones of Apple round it themselves
  ['icon-192', 192, 192, 'transparent'],
  ['icon-512', 512, 512, 'transparent'],
  ['icon-maskable', 512, 410, '#0b6e4f'], // its edge may be cut off
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>body{margin:0;height:100vh;display:grid;place-content:center;background:${ground}}svg{display:block;width:${inner}px}</style>${svg}`,
  );
  const path = new URL(`public/${name}.png`, import.meta.url).pathname;
  await page.screenshot({ path, omitBackground: true });
}
await browser.close();
