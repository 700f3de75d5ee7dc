import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readStream } from './read-stream.js';
import type { StreamEvent } from './event-parser.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type Source = (controller: ReadableStreamDefaultController<Uint8Array>) => void;

const SILENCE_MS = 60_000;

/** Reads what `source` gives. */
function begin(source: Source) {
  const seen = { events: [] as StreamEvent[], cancelled: false, ended: false };
  const body = new ReadableStream<Uint8Array>({ start: source, cancel: () => void (seen.cancelled = true) });
  const onEvent = (event: StreamEvent): void => void seen.events.push(event);
  void readStream({ body, onEvent, silenceMs: SILENCE_MS }).then(() => (seen.ended = true));
  return seen;
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());
const after = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

describe('reading a stream', () => {
  it('ends when the stream ends', async () => {
    const seen = begin((c) => {
      c.enqueue(bytesOf('data: a\n'));
      c.enqueue(bytesOf('\n'));
      c.close();
    });
    await after(0);
    expect(seen).toMatchObject({ events: [{ event: 'message', data: 'a' }], ended: true });
  });

  it('ends when the connection breaks, and keeps what came', async () => {
    const seen = begin((c) => {
      c.enqueue(bytesOf('data: a\n\n'));
      setTimeout(() => c.error(new TypeError('network')), 5);
    });
    await after(4);
    expect(seen).toMatchObject({ events: [{ data: 'a' }], ended: false });
    await after(1);
    expect(seen).toMatchObject({ events: [{ data: 'a' }], ended: true });
  });

  it('gives up when nothing comes any more', async () => {
    const seen = begin((c) => c.enqueue(bytesOf('data: a\n\n')));
    await after(SILENCE_MS - 1);
    expect(seen).toMatchObject({ events: [{ data: 'a' }], cancelled: false, ended: false });
    await after(1);
    expect(seen).toMatchObject({ cancelled: true, ended: true });
  });

  it('goes on as long as there is a heartbeat', async () => {
    const seen = begin((c) => {
      const beat = setInterval(() => c.enqueue(bytesOf(':\n\n')), 25_000);
      setTimeout(() => clearInterval(beat), 130_000);
      setTimeout(() => c.enqueue(bytesOf('data: late\n\n')), 150_000);
    });
    await after(150_000);
    expect(seen).toMatchObject({ events: [{ data: 'late' }], ended: false });
    await after(SILENCE_MS);
    expect(seen).toMatchObject({ cancelled: true, ended: true });
  });
});
