import { describe, expect, it } from '@jest/globals';
import { redrawnName } from '../media/answer-file.js';
import { isPicture } from './picture.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe('what counts as a picture', () => {
  it.each([
    ['PNG', '\x89PNG\r\n\x1a\n'],
    ['JPEG', '\xff\xd8\xff\xe0'],
    ['WebP', 'RIFF____WEBP'],
  ])('%s', (_, head) => expect(isPicture(bytes(head))).toBe(true));

  it.each([
    ['GIF', 'GIF89a'],
    ['SVG', '<svg xmlns="http'],
    ['PDF', '%PDF-1.7'],
    ['a recording', 'RIFF____WAVE'],
    ['TIFF', 'II*\0'],
    ['nothing', ''],
  ])('not %s', (_, head) => expect(isPicture(bytes(head))).toBe(false));
});

describe('the name of a redrawn picture', () => {
  it('keeps its own, with the language and the ending of what came', () => {
    expect(redrawnName('label.front.jpeg', 'es', 'image/jpeg')).toBe('label.front.es.jpg');
    expect(redrawnName('截图', 'zh-Hant', 'image/png')).toBe('截图.zh-Hant.png');
    expect(redrawnName('.webp', 'en', 'image/webp')).toBe('image.en.webp');
  });
});
