/** A number may come written out, with a sign: `+1`, `−1`. */
const ONE = /^[+−-]?1$/;
/** `{{name}}`, or the noun that goes with a number. */
const PLACE = /\{\{(\w+)(?:, noun\(one: ([^;]*); many: ([^)]*)\))?\}\}/g;

/** The noun that goes with the number `n`. */
export const noun = (n: string, { one, many }: { one: string; many: string }): string => (ONE.test(n) ? one : many);

export type Params = Readonly<Record<string, string | number>>;

/**
 * `text` with its parameters filled in. For languages in which nouns follow numbers: `{{n}} {{n, noun(one: image; many: images)}}`; Chinese
 * texts have no use for it.
 */
export const fill = (text: string, params: Params = {}): string =>
  text.replaceAll(PLACE, (_, name: string, one: string | undefined, many: string | undefined) => {
    const value = String(params[name] ?? '');
    if (one === undefined || many === undefined) return value;
    return noun(value, { one, many });
  });
