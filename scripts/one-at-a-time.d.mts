/** Does the work while the file at this path holds our process id; waits for whoever holds it. */
export function oneAtATime<T>(path: string, work: () => Promise<T>): Promise<T>;
