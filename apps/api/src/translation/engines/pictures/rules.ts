type Size = { readonly width: number; readonly height: number };

/** Lighter than this is paper. */
const INK = 175;
const WHITE = 255;
/** What is larger than this part of the picture in one piece is a frame, a table or an edge. */
const [WIDE, HIGH] = [0.35, 0.25];
/** What is so much longer than broad is a rule or a bar of a barcode; letters are stouter. */
const THIN = 13;
const LONG = 24;

/** Takes everything out of a drawing in greys that is in one piece and cannot be a letter: frames, rules, bars, the edges of things. */
export function removeRules(grey: Buffer, { width, height }: Size): void {
  const seen = new Uint8Array(grey.length);
  for (let start = 0; start < grey.length; start++) {
    if (seen[start] === 1 || (grey[start] ?? 0) >= INK) continue;
    const { pixels, box } = pieceAt(start, { grey, seen, width, height });
    if (isRule(box, pixels.length, { width, height })) for (const pixel of pixels) blank(grey, pixel, width);
  }
}

type Piece = { readonly pixels: readonly number[]; readonly box: readonly [number, number] };

function pieceAt(start: number, { grey, seen, width, height }: Size & { grey: Buffer; seen: Uint8Array }): Piece {
  const pixels = [start];
  seen[start] = 1;
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let next = 0; next < pixels.length; next++) {
    const at = pixels[next] ?? 0;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const [nx, ny] = [x + dx, y + dy];
        const neighbour = ny * width + nx;
        if (nx < 0 || ny < 0 || nx >= width || ny >= height || seen[neighbour] === 1) continue;
        if ((grey[neighbour] ?? WHITE) >= INK) continue;
        seen[neighbour] = 1;
        pixels.push(neighbour);
      }
  }
  return { pixels, box: [right - left + 1, bottom - top + 1] };
}

function isRule([w, h]: readonly [number, number], area: number, { width, height }: Size): boolean {
  if (w > WIDE * width || h > HIGH * height) return true;
  const long = Math.max(w, h);
  // As broad as its area says: one that stands askew fills no box.
  return long > LONG && long / (area / long) > THIN;
}

/** With the shade around it. */
function blank(grey: Buffer, pixel: number, width: number): void {
  for (let dy = -2; dy <= 2; dy++)
    for (let dx = -2; dx <= 2; dx++) {
      const at = pixel + dy * width + dx;
      if (at >= 0 && at < grey.length) grey[at] = WHITE;
    }
}
