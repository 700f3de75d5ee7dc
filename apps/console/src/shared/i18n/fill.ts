/** The number one, possibly with a sign: `+1`, `−1`. */
const ONE = /^[+−-]?1$/;
/** `{{name}}`, or a noun that depends on a number. */
const PLACE = /\{\{(\w+)(?:, noun\(one: ([^;]*); many: ([^)]*)\))?\}\}/g;

/** The form of the noun for the number `n`. */
export const noun = (n: string, { one, many }: { one: string; many: string }): string => (ONE.test(n) ? one : many);

export type Params = Readonly<Record<string, string | number>>;

/**
 * Inserts parameters into `text`. English nouns follow their number: `{{n}} {{n, noun(one: image; many: images)}}`; Chinese has no plural.
 */
export const fill = (text: string, params: Params = {}): string =>
  text.replaceAll(PLACE, (_, name: string, one: string | undefined, many: string | undefined) => {
    const value = String(params[name] ?? '');
    if (one === undefined || many === undefined) return value;
    return noun(value, { one, many });
  });
