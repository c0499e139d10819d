import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  // The page and the API have one origin. For `npm run dev`, the local cloud is behind this one.
  server: { proxy: { '/v1': 'http://127.0.0.1:3000', '/_local': 'http://127.0.0.1:3000' } },
});
