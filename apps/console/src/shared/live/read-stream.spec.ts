import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readStream, type StreamEvent } from './read-stream.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type Source = (controller: ReadableStreamDefaultController<Uint8Array>) => void;

const SILENCE_MS = 60_000;

/** Reads the stream of `source`. */
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

  it('ends when the connection breaks and keeps the events so far', async () => {
    const seen = begin((c) => {
      c.enqueue(bytesOf('data: a\n\n'));
      setTimeout(() => c.error(new TypeError('network')), 5);
    });
    await after(4);
    expect(seen).toMatchObject({ events: [{ data: 'a' }], ended: false });
    await after(1);
    expect(seen).toMatchObject({ events: [{ data: 'a' }], ended: true });
  });

  it('gives up after silence', async () => {
    const seen = begin((c) => c.enqueue(bytesOf('data: a\n\n')));
    await after(SILENCE_MS - 1);
    expect(seen).toMatchObject({ events: [{ data: 'a' }], cancelled: false, ended: false });
    await after(1);
    expect(seen).toMatchObject({ cancelled: true, ended: true });
  });

  it('continues as long as there are heartbeats', async () => {
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

/** The events in these pieces of a stream. */
async function read(...pieces: (string | Uint8Array)[]): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? bytesOf(piece) : piece);
      controller.close();
    },
  });
  await readStream({ body, onEvent: (event) => void events.push(event), silenceMs: SILENCE_MS });
  return events;
}

const order = { event: 'order', data: '{"id":7,"payStatus":"P"}' };
const wire = 'event: order\ndata: {"id":7,"payStatus":"P"}\n\n';

describe('a stream of events', () => {
  it('is names and data between empty lines', async () => {
    expect(await read(wire, 'event: account\ndata: {}\n\n')).toEqual([order, { event: 'account', data: '{}' }]);
  });

  it('is the same wherever it is cut', async () => {
    const bytes = bytesOf(`\uFEFF: 心跳\r\nevent: notice\r\ndata: 你好，世界\r\n\r\n${wire}`);
    const whole = await read(bytes);
    expect(whole).toEqual([{ event: 'notice', data: '你好，世界' }, order]);
    for (let at = 1; at < bytes.length; at++)
      expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
    expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('ends its lines with %s', async (_, end) => {
    expect(await read(wire.replaceAll('\n', end))).toEqual([order]);
  });

  it('does not wait for the line feed after a carriage return', async () => {
    expect(await read('data: a\r\n\r')).toEqual([{ event: 'message', data: 'a' }]);
    expect(await read('data: a\r\n\r', '\ndata: b\r\n\r\n')).toHaveLength(2);
  });

  it('joins several lines of data', async () => {
    expect(await read('data: a\ndata:b\ndata\ndata:  c\n\n')).toEqual([{ event: 'message', data: 'a\nb\n\n c' }]);
  });

  it('ignores comments, names without data, other fields and incomplete events', async () => {
    expect(await read(': heartbeat\n\n', 'event: order\n\n', 'retry: 5\nid: 9\n\n', 'data: cut off\n')).toEqual([]);
    expect(await read('event: order\n\n', 'data: a\n\n')).toEqual([{ event: 'message', data: 'a' }]);
  });
});
