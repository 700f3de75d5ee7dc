/** Only differences of two of them mean something: both are in the service's zone. */
const wireMs = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);

/** Seconds from one time of the API to a later one; 0 if it is not later. */
export const secondsBetween = (from: string, to: string): number => Math.max(0, (wireMs(to) - wireMs(from)) / 1_000);
