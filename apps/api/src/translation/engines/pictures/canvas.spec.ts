import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Background, isOnNothing } from './background.js';
import { Canvas } from './canvas.js';
import { erase } from './background.js';
import { Frame } from './frame.js';

const [WIDTH, HEIGHT] = [40, 20];

/** A uniform colour; `opacity` of 255. */
function canvasOf([red, green, blue, opacity]: readonly [number, number, number, number]): Canvas {
  const data = Buffer.alloc(WIDTH * HEIGHT * 4);
  for (let at = 0; at < data.length; at += 4) data.set([red, green, blue, opacity], at);
  const size = { width: WIDTH, height: HEIGHT };
  return new Canvas({ data, ...size, channels: 4 }, new Frame({ ...size, turn: 0 }));
}

const shade = fc.integer({ min: 0, max: 255 });
const colour = fc.tuple(shade, shade, shade);

describe('picture pixels', () => {
  it('are blended onto white where transparent, whatever colour they hide', () => {
    fc.assert(
      fc.property(colour, ([red, green, blue]) => {
        expect(canvasOf([red, green, blue, 0]).pixel(3, 3)).toEqual([255, 255, 255]);
        expect(canvasOf([red, green, blue, 255]).pixel(3, 3)).toEqual([red, green, blue]);
      }),
    );
  });

  it('in stacked layers are blended in order onto white', () => {
    fc.assert(
      fc.property(colour, colour, shade, fc.double({ min: 0, max: 1, noNaN: true }), (under, over, opacity, cover) => {
        const canvas = canvasOf([...under, opacity]);
        const before = canvas.pixel(3, 3) ?? [0, 0, 0];
        canvas.blend(3, 3, over, cover);
        const after = canvas.pixel(3, 3) ?? [0, 0, 0];
        for (const at of [0, 1, 2] as const) {
          const expected = (before[at] ?? 0) * (1 - cover) + (over[at] ?? 0) * cover;
          // Colour and opacity have eight bits each: the less opaque a pixel, the less precise its colour.
          expect(Math.abs((after[at] ?? 0) - expected)).toBeLessThan(3);
        }
      }),
    );
  });

  it('out of bounds read as nothing, and writes to them are ignored', () => {
    const canvas = canvasOf([1, 2, 3, 255]);
    const before = Buffer.from(canvas.data);
    for (const [x, y] of [
      [-1, 0],
      [0, -1],
      [WIDTH, 0],
      [0, HEIGHT],
    ] as const) {
      expect([canvas.pixel(x, y), canvas.opacity(x, y)]).toEqual([null, 0]);
      canvas.blend(x, y, [9, 9, 9], 1);
      canvas.clear(x, y);
    }
    expect(canvas.data).toEqual(before);
  });
});

describe('painting over', () => {
  const box = [10, 5, 20, 10] as const;
  const background = new Background(
    [
      [255, 0, 0],
      [255, 0, 0],
      [255, 0, 0],
    ],
    [20, 10],
    0,
  );
  const written = (ground: readonly [number, number, number, number]): Canvas => {
    const canvas = canvasOf(ground);
    for (let x = 12; x < 28; x++) canvas.blend(x, 9, [0, 0, 0], 1);
    return canvas;
  };

  it('restores transparency where the background was transparent', () => {
    const canvas = written([0, 0, 0, 0]);
    expect(isOnNothing(canvas, box, 2)).toBe(true);
    erase(canvas, box, background);
    for (let x = 0; x < WIDTH; x++) expect(canvas.opacity(x, 9)).toBe(0);
  });

  it('fills with the background, and leaves pixels beside it unchanged', () => {
    const canvas = written([255, 255, 255, 255]);
    canvas.blend(38, 9, [7, 7, 7], 1);
    erase(canvas, box, background);
    expect([canvas.pixel(20, 9), canvas.opacity(20, 9)]).toEqual([[255, 255, 255], 1]);
    expect(canvas.pixel(38, 9)).toEqual([7, 7, 7]);
  });
});
