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

/** Whether a key closes what is open beside a list. In a field, Escape only leaves the field. */
export function closes(event: KeyboardEvent): boolean {
  return event.key === 'Escape' && !(event.target as HTMLElement).closest('input, textarea, select, dialog');
}
