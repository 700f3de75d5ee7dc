import { FIELD_BYTES, roomOf, sizeOf, type TextLimits } from './text-size.js';

/** The pieces of {@link prepare} as requests: their indexes, in order, as many together as the vendor takes. */
export const pack = (pieces: readonly string[], limits: TextLimits): readonly (readonly number[])[] => {
  const room = roomOf(limits);
  const requests: number[][] = [];
  let request: number[] = [];
  let characters = 0;
  let bytes = 0;
  for (const [index, piece] of pieces.entries()) {
    const size = sizeOf(piece);
    const full =
      request.length >= limits.textsPerRequest ||
      characters + size.characters > room.characters ||
      bytes + size.bytes + FIELD_BYTES > room.bytes;
    if (request.length === 0 || full) {
      request = [];
      requests.push(request);
      characters = bytes = 0;
    }
    request.push(index);
    characters += size.characters;
    bytes += size.bytes + FIELD_BYTES;
  }
  return requests;
};
