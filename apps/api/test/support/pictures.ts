import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { MediaInstall } from '../../src/translation/engines/media-install.js';

const FONTS = `font-family="'Noto Sans', 'WenQuanYi Zen Hei', 'DejaVu Sans', sans-serif"`;

type Words = { x: number; y: number; size: number; text: string; fill?: string; anchor?: 'start' | 'middle' | 'end' };

export const words = ({ x, y, size, text, fill = '#222222', anchor = 'start' }: Words): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="${anchor}" ${FONTS}>${text}</text>`;

/** A PNG of these shapes on one colour. */
export async function picture(
  shapes: string,
  { width, height, ground = '#ffffff' }: { width: number; height: number; ground?: string },
): Promise<Buffer> {
  const rect = `<rect width="100%" height="100%" fill="${ground}"/>`;
  return drawn(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rect}${shapes}</svg>`);
}

/** With the fonts of the service. */
async function drawn(svg: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'test-fonts-'));
  try {
    const file = path.join(folder, 'fonts.conf');
    const { fontFolders } = new MediaInstall(process.env['MEDIA_DIR'] ?? '');
    const folders = fontFolders.map((each) => `<dir>${each}</dir>`).join('');
    await writeFile(file, `<fontconfig>${folders}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>`);
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'draw-svg.mjs')], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], FONTCONFIG_FILE: file },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(svg);
    const [png] = await Promise.all([buffer(child.stdout), once(child, 'exit')]);
    return png;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text of a page of Chinese characters, line by line, and the page. */
export async function chinesePage(count: number): Promise<{ lines: string[]; png: Buffer }> {
  const text =
    '这个软件的网络连接有问题，请重启鼠标和打印机。头发很长，发现皇后在后面。我们将在明天上午发货，请您耐心等待快递员与您联系。' +
    '如果收到的商品有损坏，请在二十四小时之内拍照并联系客服，我们会为您办理退款或者换货手续。';
  const all = [...text.repeat(Math.ceil(count / text.length))].slice(0, count);
  const [perLine, size, pitch] = [44, 22, 35];
  const lines = Array.from({ length: Math.ceil(count / perLine) }, (_, at) =>
    all.slice(at * perLine, (at + 1) * perLine).join(''),
  );
  const shapes = lines.map((line, at) => words({ x: 130, y: 90 + at * pitch, size, text: line })).join('');
  return { lines, png: await picture(shapes, { width: 1240, height: 1754 }) };
}

/** A label: a title, a sentence, names beside values, a barcode. */
export async function label(): Promise<Buffer> {
  const rows = [
    ['Material', 'Cotton'],
    ['Colour', 'White'],
  ].map(([name = '', value = ''], at) => {
    const y = 270 + at * 60;
    const right = words({ x: 840, y, size: 34, text: value, anchor: 'end' });
    return words({ x: 60, y, size: 34, text: name }) + right;
  });
  const bars = Array.from(
    { length: 60 },
    (_, n) => `<rect x="${60 + n * 13}" y="400" width="${3 + ((n * 7) % 6)}" height="90"/>`,
  );
  return picture(
    `<rect x="20" y="20" width="860" height="560" fill="none" stroke="#333333" stroke-width="3"/>` +
      words({ x: 60, y: 110, size: 56, text: 'The house is big' }) +
      words({ x: 60, y: 165, size: 30, text: 'I want to buy two books' }) +
      `<rect x="60" y="190" width="780" height="4" fill="#333333"/>${rows.join('')}${bars.join('')}` +
      words({ x: 450, y: 545, size: 28, text: 'The table is small', anchor: 'middle' }),
    { width: 900, height: 600, ground: '#fdfdf8' },
  );
}

/** The same as photographed by a phone: askew on a table, in uneven light, with sensor noise. */
export async function photographOf(png: Buffer): Promise<Buffer> {
  const [width, height] = [2_000, 1_500];
  const askew = await sharp(png)
    .resize(1_450)
    .affine(
      [
        [1, 0.025],
        [0.01, 0.985],
      ],
      { background: '#00000000' },
    )
    .rotate(3.5, { background: '#00000000' })
    .png()
    .toBuffer();
  const light = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#9a948c"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#l)"/></svg>`;
  const lying = await sharp({ create: { width, height, channels: 3, background: '#8f7350' } })
    .composite([{ input: askew, gravity: 'centre' }])
    .png()
    .toBuffer();
  const lit = sharp(lying).composite([{ input: Buffer.from(light), blend: 'multiply' }]);
  const { data, info } = await lit.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let state = 1;
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    data[at] = Math.max(0, Math.min(255, (data[at] ?? 0) + ((state >>> 16) % 15) - 7));
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .blur(0.8)
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** A truncated PNG with this size in its header. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(4_000))),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Only the dark parts of a picture: everything else is transparent. */
export async function onNothing(png: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(png).greyscale().removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const black = Buffer.alloc(info.width * info.height * 4);
  for (let at = 0; at < info.width * info.height; at++) black[at * 4 + 3] = 255 - (data[at * info.channels] ?? 0);
  return sharp(black, { raw: { width: info.width, height: info.height, channels: 4 } })
    .png()
    .toBuffer();
}

/** The same as an animation of one frame, which every program shows. */
export function animatedPng(png: Buffer): Buffer {
  const [head, rest] = [png.subarray(0, 33), png.subarray(33)];
  const control = Buffer.alloc(8);
  control.writeUInt32BE(1, 0);
  const frame = Buffer.alloc(26);
  frame.writeUInt32BE(png.readUInt32BE(16), 4);
  frame.writeUInt32BE(png.readUInt32BE(20), 8);
  return Buffer.concat([head, chunk('acTL', control), chunk('fcTL', frame), rest]);
}
