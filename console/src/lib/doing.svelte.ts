/** What somebody has a page do, one after the other: whether it still goes on, and what has come of the last one. */
export class Doing {
  busy = $state(false);
  problem = $state('');
  /** What the page says when it has been done. */
  told = $state('');

  /** Does something. What is refused stands in `problem`, in the words of the API. */
  act = async (what: () => Promise<unknown>): Promise<void> => {
    [this.busy, this.problem, this.told] = [true, '', ''];
    try {
      await what();
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.busy = false;
    }
  };
}
