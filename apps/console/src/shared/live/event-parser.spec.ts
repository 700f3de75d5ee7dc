import { describe, expect, it } from '@jest/globals';
import { eventParser, type StreamEvent } from './event-parser.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What comes out of these pieces. */
function read(...pieces: (string | Uint8Array)[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const take = eventParser((event) => events.push(event));
  for (const piece of pieces) take(typeof piece === 'string' ? bytesOf(piece) : piece);
  return events;
}

const order = { event: 'order', data: '{"id":7,"payStatus":"P"}' };
const wire = 'event: order\ndata: {"id":7,"payStatus":"P"}\n\n';

describe('a stream of events', () => {
  it('is names and data between empty lines', () => {
    expect(read(wire, 'event: account\ndata: {}\n\n')).toEqual([order, { event: 'account', data: '{}' }]);
  });

  it('is the same wherever it is cut', () => {
    const bytes = bytesOf(`\uFEFF: 心跳\r\nevent: notice\r\ndata: 你好，世界\r\n\r\n${wire}`);
    const whole = read(bytes);
    expect(whole).toEqual([{ event: 'notice', data: '你好，世界' }, order]);
    for (let at = 1; at < bytes.length; at++) expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
    expect(read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('ends its lines with %s', (_, end) => {
    expect(read(wire.replaceAll('\n', end))).toEqual([order]);
  });

  it('does not wait for the line feed after a carriage return', () => {
    expect(read('data: a\r\n\r')).toEqual([{ event: 'message', data: 'a' }]);
    expect(read('data: a\r\n\r', '\ndata: b\r\n\r\n')).toHaveLength(2);
  });

  it('joins several lines of data', () => {
    expect(read('data: a\ndata:b\ndata\ndata:  c\n\n')).toEqual([{ event: 'message', data: 'a\nb\n\n c' }]);
  });

  it('leaves comments, names without data, other fields and what is not finished out', () => {
    expect(read(': heartbeat\n\n', 'event: order\n\n', 'retry: 5\nid: 9\n\n', 'data: cut off\n')).toEqual([]);
    expect(read('event: order\n\n', 'data: a\n\n')).toEqual([{ event: 'message', data: 'a' }]);
  });
});
