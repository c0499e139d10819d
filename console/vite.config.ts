import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const behind = ['/v1', '/oauth2', '/logout', '/config.json'];

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  // The page and the API have one origin. For `npm run dev`, the local cloud is behind this one.
  server: { proxy: Object.fromEntries(behind.map((path) => [path, 'http://127.0.0.1:3000'])) },
});
