import { allowed } from './pages';
import { route } from './route.svelte';

/** For how long after g a further key names a page, in milliseconds. */
const patience = 1500;
let asked = 0;

/** Goes to a page if two keys say so. Returns whether the key was for that. */
export function went(event: KeyboardEvent): boolean {
  if (event.key === 'g') {
    asked = Date.now();
    return true;
  }
  const page = Date.now() - asked < patience ? allowed().find((one) => one.key === event.key) : undefined;
  asked = 0;
  if (page) route.go(page.name);
  return !!page;
}
