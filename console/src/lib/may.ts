import { session } from './session.svelte';

/** Whether who works here has one of these scopes. The API checks it again. */
export function may(...scopes: string[]): boolean {
  return scopes.some((scope) => session.me?.scopes.includes('haatline/' + scope));
}
