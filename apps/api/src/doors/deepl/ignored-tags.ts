/** What marks an element of `ignore_tags` on its way: our markup leaves such elements as they are. */
const MARK = ' translate="no" data-yq=""';

/** Names that may be part of a pattern as they are. */
const NAME = /^[\p{L}_:][\p{L}\p{N}_:.-]*$/u;

type Passage = { readonly before: (text: string) => string; readonly after: (text: string) => string };

const same = (text: string): string => text;

/** `before` marks the elements of these names as not to be translated, `after` takes the marks away. */
export function ignoringTags(names: readonly string[]): Passage {
  const known = names.filter((name) => NAME.test(name));
  if (known.length === 0) return { before: same, after: same };
  const escaped = known.map((name) => name.replaceAll('.', String.raw`\.`)).join('|');
  const opening = new RegExp(String.raw`<(?:${escaped})(?=[\s/>])`, 'gu');
  return { before: (text) => text.replaceAll(opening, `$&${MARK}`), after: (text) => text.replaceAll(MARK, '') };
}
