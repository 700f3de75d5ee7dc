/** Polls until `done`, for at most 45 seconds, which only a hanging test needs; returns the last value. */
export async function waitUntil<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 900; tries++) {
    const value = await read();
    if (done(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not happen within 45 seconds');
}
