/**
 * Where the sign-in pages have sent the browser back to. This runs before all else: it takes the code out of the address
 * and the history at once, and puts the conversation back that was open.
 */
export const attempt = 'sign-in ';

export type Landed = { url: URL; state: string; verifier: string; nonce: string };

function land(): Landed | undefined {
  const url = new URL(location.href);
  const state = url.searchParams.get('state') ?? '';
  const kept = state && sessionStorage.getItem(attempt + state);
  const asked = kept ? (JSON.parse(kept) as { verifier: string; nonce: string; hash: string }) : undefined;
  if (url.search) history.replaceState(null, '', url.pathname + (asked?.hash ?? url.hash));
  if (!asked) return undefined; // nobody has asked for this here
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(attempt)) sessionStorage.removeItem(name);
  return { url, state, verifier: asked.verifier, nonce: asked.nonce };
}

export const landed = land();
