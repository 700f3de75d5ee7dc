import sharp from 'sharp';

type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

/** What lies behind is looked for in a picture of this width: broad strokes of headlines must stay narrower than the window there. */
const COARSE = 1000;
const WINDOW = 25;
/** Around an edge the coarse background is a pixel or two beside the real one. */
const LOOSE = 3;
/** As different as that is as black as black on white. */
const FULL = 200;

/**
 * Whatever is written, black on white: letters of any colour on any other, on buttons and on paper in the shade. Recognition finds only
 * dark letters on light ground by itself, and takes a coloured field for a picture. Takes red, green and blue; answers greys.
 */
export async function onWhite({ data, width, height }: Pixels): Promise<Buffer> {
  const scale = Math.min(1, COARSE / width);
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const behind = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(w, h, { fit: 'fill', kernel: 'nearest' })
    .median(WINDOW)
    .raw()
    .toBuffer();
  const shade = Uint8Array.from({ length: 256 }, (_, far) => 255 - Math.round(255 * Math.min(1, far / FULL) ** 0.7));
  const [columns, rows] = [places(width, w), places(height, h)];
  const grey = Buffer.alloc(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = rows[y] ?? 0;
    for (let x = 0; x < width; x++, i++) {
      const column = columns[x] ?? 0;
      let far = apart(data, i, behind, row * w + column);
      for (let at = 0; at < AROUND.length && far > 10; at++) {
        const [dx = 0, dy = 0] = AROUND[at] ?? [];
        const [c, r] = [Math.max(0, Math.min(w - 1, column + dx)), Math.max(0, Math.min(h - 1, row + dy))];
        far = Math.min(far, apart(data, i, behind, r * w + c));
      }
      grey[i] = shade[far] ?? 0;
    }
  }
  return grey;
}

const AROUND = [
  ...[
    [-LOOSE, 0],
    [LOOSE, 0],
    [0, -LOOSE],
    [0, LOOSE],
  ],
  ...[
    [-LOOSE, -LOOSE],
    [LOOSE, -LOOSE],
    [-LOOSE, LOOSE],
    [LOOSE, LOOSE],
  ],
] as const;

const places = (from: number, to: number): Uint32Array =>
  Uint32Array.from({ length: from }, (_, at) => Math.min(to - 1, Math.floor((at * to) / from)));

/** Of the colour in which two pixels differ most. */
function apart(a: Buffer, i: number, b: Buffer, j: number): number {
  const red = Math.abs((a[i * 3] ?? 0) - (b[j * 3] ?? 0));
  const green = Math.abs((a[i * 3 + 1] ?? 0) - (b[j * 3 + 1] ?? 0));
  const blue = Math.abs((a[i * 3 + 2] ?? 0) - (b[j * 3 + 2] ?? 0));
  return Math.max(red, green, blue);
}
