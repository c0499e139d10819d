import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** The local cloud that `npm run dev` shows, and what of it is not the page's. */
const cloud = process.env.CLOUD ?? 'http://127.0.0.1:3000';
const behind = ['/v1', '/oauth2', '/logout', '/config.json'];

/** How much the shell may weigh when it is compressed, and what else a page loads when it is opened first, in bytes. */
const limit = 60_000;
const pageLimit = 15_000;

/** What the index loads at once: its script, what that imports, and their styles. All else is loaded by a page. */
function started(bundle: Rolldown.OutputBundle): Set<string> {
  const all = new Set<string>();
  const add = (name: string) => {
    const made = bundle[name];
    if (all.has(name) || made?.type !== 'chunk') return;
    all.add(name);
    for (const style of made.viteMetadata?.importedCss ?? []) all.add(style);
    made.imports.forEach(add);
  };
  for (const made of Object.values(bundle)) if (made.type === 'chunk' && made.isEntry) add(made.fileName);
  return all;
}

/** Tells the service worker which files the shell has, and gives the release a name that changes with them. */
function shell(): Plugin {
  return {
    name: 'shell',
    enforce: 'post',
    generateBundle(_, bundle) {
      const hash = createHash('sha256');
      const files = ['/'];
      const atOnce = started(bundle);
      let weight = 0;
      let index = '';
      for (const file of readdirSync('public').sort()) {
        hash.update(file).update(readFileSync('public/' + file));
        if (!file.endsWith('.png')) files.push('/' + file); // those are the device's
      }
      for (const made of Object.values(bundle).sort((a, b) => a.fileName.localeCompare(b.fileName))) {
        if (made.fileName === 'sw.js') continue;
        const content = made.type === 'chunk' ? made.code : made.source;
        hash.update(made.fileName).update(content);
        const weighs = gzipSync(content).length;
        if (!made.fileName.startsWith('assets/') || atOnce.has(made.fileName)) weight += weighs;
        else if (weighs > pageLimit)
          throw new Error(`${made.fileName} has ${weighs} bytes compressed, and may have ${pageLimit}`);
        if (made.fileName === 'index.html') index = createHash('sha256').update(content).digest('hex');
        else files.push('/' + made.fileName);
      }
      if (weight > limit) throw new Error(`the shell has ${weight} bytes compressed, and may have ${limit}`);
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('there is no service worker');
      const release = hash.digest('hex').slice(0, 12);
      worker.code = `const SHELL=${JSON.stringify({ release, files, index })};\n${worker.code}`;
    },
  };
}

export default defineConfig({
  plugins: [svelte(), shell()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { index: 'index.html', sw: 'worker/sw.ts' },
      output: { entryFileNames: (made) => (made.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  // The page and the API have one origin. For `npm run dev`, the local cloud is behind this one.
  server: { proxy: Object.fromEntries(behind.map((path) => [path, { target: cloud, changeOrigin: false }])) },
});
