import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { askChat, VendorSandbox, type Json } from '../../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;
const ACCOUNT = 'sandbox-chatgpt-sight-spec';

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const [WIDTH, HEIGHT] = [200, 100];

function chunk(type: string, data: Buffer): Buffer {
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  return Buffer.concat([size, Buffer.from(type, 'latin1'), data, sum]);
}

/** A white PNG with black bars as text lines; every row uses the Up filter. */
function png(...boxes: (readonly [number, number, number, number])[]): Buffer {
  const isBlack = (x: number, y: number) =>
    boxes.some(([left, top, wide, high]) => x >= left && x < left + wide && y >= top && y < top + high);
  const shade = (x: number, y: number) => (y >= 0 && isBlack(x, y) ? 0 : y >= 0 ? 255 : 0);
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Buffer.from([2, ...Array.from({ length: WIDTH }, (__, x) => (shade(x, y) - shade(x, y - 1)) & 0xff)]),
  );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head[8] = 8;
  const data = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...data]);
}

const link = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`;
const look = (url: string, { account = ACCOUNT, ...more }: Record<string, string> = {}) =>
  askChat(vendors, account, {
    messages: [
      { role: 'system', content: 'Copy the lines of the picture as JSON. It is written in Spanish (es).' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read.' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
    response_format: { type: 'json_object' },
    ...more,
  });
const linesIn = (json: Json | undefined) => {
  const [choice] = json?.['choices'] as { message: { content: string } }[];
  return (JSON.parse(choice!.message.content) as { lines: { text: string; box: number[] }[] }).lines;
};

describe('a picture', () => {
  it('is read with its lines in place, in the given language', async () => {
    const boxes = [
      [10, 10, 150, 12],
      [20, 40, 100, 20],
      [10, 80, 180, 20],
    ] as const;
    const lines = linesIn((await look(link(png(...boxes)))).json);
    expect(lines.map(({ box }) => box)).toEqual(boxes);
    expect(['Hola', 'Buenas']).toContain(lines[0]?.text);
  });

  it('without text has no lines', async () => {
    expect(linesIn((await look(link(png()))).json)).toEqual([]);
  });

  it.each([
    ['no picture', link(Buffer.from('hello'))],
    ['another kind than it says', link(png(), 'jpeg')],
    ['a link to elsewhere', 'https://example.com/a.png'],
  ])('%s is rejected', async (_what, url) => {
    expect((await look(url)).status).toBe(400);
  });

  it('is rejected by a model without vision', async () => {
    const heard = await look(link(png()), { model: 'sandbox-local' });
    expect([heard.status, (heard.json?.['error'] as Json)['message']]).toEqual([400, expect.stringMatching(/image/)]);
  });

  it('is misread or not read, by switches', async () => {
    const account = vendors.account('chatgpt');
    await vendors.setFault(account, { kind: 'lines', call: 'read' });
    const picture = link(png([10, 10, 150, 12], [10, 40, 150, 12]));
    const lines = linesIn((await look(picture, { account })).json);
    expect(lines[0]?.box).toEqual(lines[1]?.box);
    await vendors.setFault(account, { kind: 'error', call: 'read' });
    expect((await look(picture, { account })).status).toBe(503);
    expect((await vendors.calls(account)).calls.map(({ call }) => call)).toEqual(['read', 'read']);
  });
});
