/** Differences of two JSON documents, by the fields that people know. */
export type Path = readonly (string | number)[];
export type Change = { path: Path; before: unknown; after: unknown };

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Field by field; lists of different lengths as wholes. */
export function changesOf(before: unknown, after: unknown, path: Path = []): Change[] {
  if (isFields(before) && isFields(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => changesOf(before[name], after[name], [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((each, at) => changesOf(each, after[at], [...path, at]));
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

export const valueAt = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Fields | undefined)?.[step as string], document);

/** The document with another value at `path`; undefined removes the field. */
export function withValue(document: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(document))
    return document.map((each: unknown, at) => (at === step ? withValue(each, rest, value) : each));
  const fields = isFields(document) ? document : {};
  const next = withValue(fields[step], rest, value);
  return Object.fromEntries(
    [
      ...Object.entries(fields).map(([name, old]) => [name, name === step ? next : old] as const),
      ...(step in fields ? [] : [[step, next] as const]),
    ].filter(([, kept]) => kept !== undefined),
  );
}

export const textOf = (document: unknown): string => JSON.stringify(document, null, 2);

/** Undefined for what is no JSON. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
