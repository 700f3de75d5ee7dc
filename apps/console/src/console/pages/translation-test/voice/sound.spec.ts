import { describe, expect, it } from '@jest/globals';
import { clockText } from './clock-text.js';
import { isSound } from './sound.js';
import { speechName } from './speech-name.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe('what counts as a recording', () => {
  it.each([
    ['WAV', 'RIFF____WAVE'],
    ['M4A', '____ftypM4A '],
    ['OGG', 'OggS________'],
    ['FLAC', 'fLaC________'],
    ['WebM', '\x1a\x45\xdf\xa3________'],
    ['MP3 with tags', 'ID3\x04________'],
    ['MP3', '\xff\xfb\x90_________'],
  ])('%s', (_, head) => expect(isSound(bytes(head))).toBe(true));

  it.each([
    ['a text', 'hello, world'],
    ['a WebP picture', 'RIFF____WEBP'],
    ['a PNG', '\x89PNG\r\n\x1a\n____'],
    ['nothing', ''],
  ])('not %s', (_, head) => expect(isSound(bytes(head))).toBe(false));
});

describe('words about a recording', () => {
  it('are its time on the clock, and the name it is saved as', () => {
    expect([0, 9.99, 11, 61, 300].map(clockText)).toEqual(['0:00', '0:09', '0:11', '1:01', '5:00']);
    expect(speechName('de', 'audio/mpeg')).toBe('speech.de.mp3');
    expect(speechName('zh-Hans', 'audio/wav')).toBe('speech.zh-Hans.wav');
  });
});
