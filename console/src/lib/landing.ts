/**
 * Where the sign-in pages have sent the browser back to. This runs before all else: it takes the code out of the address
 * and the history at once, and puts the conversation back that was open.
 */
export const attempt = 'sign-in ';

export type Landed = { url: URL; state: string; verifier: string; nonce: string; beyond: string };
type Asked = { verifier: string; nonce: string; hash: string; beyond?: string };

/** Whether the address has an answer of the sign-in pages for which nobody has asked here. */
export let stray = false;

function land(): Landed | undefined {
  const url = new URL(location.href);
  const state = url.searchParams.get('state') ?? '';
  const kept = state && sessionStorage.getItem(attempt + state);
  const asked = kept ? (JSON.parse(kept) as Asked) : undefined;
  if (url.search) history.replaceState(null, '', url.pathname + (asked?.hash ?? url.hash));
  stray = !asked && (url.searchParams.has('code') || url.searchParams.has('error'));
  if (!asked) return undefined;
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(attempt)) sessionStorage.removeItem(name);
  return { url, state, verifier: asked.verifier, nonce: asked.nonce, beyond: asked.beyond ?? '' };
}

export const landed = land();
