// Waits with a time limit, for the steps that stop an agent.

/** Whether the event came in time. */
export function within(event: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void event.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
