/** One event of a stream: its name and its data, both as text. */
export type StreamEvent = { event: string; data: string };

const LINE_END = /\r\n|\r|\n/;

/**
 * Reads server-sent events (HTML Living Standard §9.2) out of bytes that were cut anywhere: give it every piece as it comes. `id` and
 * `retry` are left out: this product's streams have no ids, and the specification fixes when to come back.
 */
export function eventParser(onEvent: (event: StreamEvent) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder(); // leaves out a BOM, and keeps the half of a character that was cut
  let rest = '';
  let afterReturn = false; // a line feed that comes next belongs to a carriage return that was read already
  let event = '';
  let data: string[] = [];

  const end = (): void => {
    if (data.length > 0) onEvent({ event: event === '' ? 'message' : event, data: data.join('\n') });
    event = '';
    data = [];
  };
  const take = (line: string): void => {
    const colon = line.indexOf(':');
    if (line === '') end();
    if (line === '' || colon === 0) return; // a comment
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  };

  return (bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    if (text === '') return;
    const fresh = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    afterReturn = text.endsWith('\r');
    const lines = (rest + fresh).split(LINE_END);
    rest = lines.pop() ?? '';
    lines.forEach(take);
  };
}
