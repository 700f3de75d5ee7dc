/** A number may come written out, with a sign: `+1`, `−1`. */
const ONE = /^[+−-]?1$/;

/**
 * The noun that goes with a number, for languages that have two: `{{n}} {{n, noun(one: image; many: images)}}` in a text. Chinese texts
 * have no use for it.
 */
export const noun = (n: unknown, _language: string | undefined, { one, many }: Record<string, unknown>): string =>
  String(ONE.test(String(n)) ? one : many);
