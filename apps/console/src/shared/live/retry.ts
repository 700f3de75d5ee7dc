/** Specification §9: a stream that has closed comes back after a second. */
const RECONNECT_MS = 1_000;
const LONGEST_MS = 30_000;

/** How long to wait after `failures` attempts in a row that never stood: a second, and longer while the server is away. */
export const pauseAfter = (failures: number): number => Math.min(RECONNECT_MS * 2 ** failures, LONGEST_MS);
