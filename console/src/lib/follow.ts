import { untrack } from 'svelte';
import { repeat, type Repeated } from './poll';
import { session } from './session.svelte';

/** Reads what a page shows at each pace, or each few, while it is seen, and at once when it wakes up. */
export function follow(read: () => Promise<unknown>, paces = 1): Repeated {
  const work = async () => {
    try {
      await read();
      session.online = true;
    } catch (error) {
      if ((error as { status?: number }).status === 0) session.online = false;
    }
    return false;
  };
  const pause = () => paces * session.pace;
  return untrack(() => repeat(work, pause(), pause));
}
