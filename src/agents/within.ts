// Waits for something, but not for ever: the ladders that stop an agent take the next step when a rung was too slow.

/** Whether it happened before the time was over. */
export function within(event: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void event.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
