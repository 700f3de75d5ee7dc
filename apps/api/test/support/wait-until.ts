/** Reads again and again until it is as wished, for 45 seconds at most, which only a stuck one needs; answers what was read last. */
export async function waitUntil<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 900; tries++) {
    const value = await read();
    if (done(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not happen within 45 seconds');
}
