import { Transform } from 'node:stream';

/**
 * Limits the bytes per second of all uploads together. Receiving, scanning and hashing a megabyte blocks the event loop for some
 * milliseconds: without a limit a few fast senders would take all of it.
 */
export class ByteRateLimiter {
  #freeAt = 0;

  /** `burst`: bytes that pass at once before anybody waits. */
  constructor(private readonly limits: { readonly bytesPerSecond: number; readonly burst: number }) {}

  /** Counts received bytes and returns how many ms their sender must wait before it sends more. */
  take(bytes: number, now = performance.now()): number {
    const { bytesPerSecond, burst } = this.limits;
    const ms = (amount: number): number => (amount / bytesPerSecond) * 1_000;
    this.#freeAt = Math.max(this.#freeAt, now) + ms(bytes);
    return Math.max(0, this.#freeAt - now - ms(burst));
  }
}

/** Passes chunks on at the limiter's rate, after `onChunk` has seen them. */
export const rateLimitedStream = (limiter: ByteRateLimiter, onChunk: (chunk: Buffer) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      onChunk(chunk);
      const wait = limiter.take(chunk.length);
      if (wait === 0) done(null, chunk);
      else setTimeout(done, wait, null, chunk);
    },
  });
