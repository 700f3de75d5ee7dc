/** Which parts of the faces the first screen of a page needs: those are fetched with the document (DESIGN §2). */
import fontsCss from '../../shared/fonts.css?raw';
import { language } from '../../shared/i18n/language.js';

type Part = { family: string; source: string; has: (character: number) => boolean };

const parts: readonly Part[] = fontsCss
  .split('@font-face')
  .slice(1)
  .flatMap((rule) => {
    const family = /font-family: '([^']+)'/.exec(rule)?.[1];
    const file = /url\('\.\/fonts\/([^']+)'\)/.exec(rule)?.[1];
    if (family === undefined || file === undefined) return [];
    const ranges = [...rule.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, from = '', to = from]) => [
      parseInt(from, 16),
      parseInt(to, 16),
    ]);
    const has = (character: number): boolean =>
      ranges.some(([from = 0, to = 0]) => from <= character && character <= to);
    return [{ family, source: `src/shared/fonts/${file}`, has }];
  });

/** tokens.css: first the Latin face, then, in Chinese only, the one with the characters of headings. */
const HEADING = language === 'en' ? ['YQ Serif En'] : ['YQ Serif', 'YQ Display'];
const TEXT = language === 'en' ? ['YQ Sans En'] : ['YQ Sans'];

/** More of a heading's parts than this would keep the words of the page waiting for its looks. */
const MOST = 4;

/** The parts in which the characters are, each looked for in the families' order. */
function partsWith(text: string, families: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const letter of new Set(text)) {
    const character = letter.codePointAt(0) ?? 0;
    const part = families
      .flatMap((name) => parts.filter(({ family }) => family === name))
      .find(({ has }) => has(character));
    if (part) found.add(part.source);
  }
  return found;
}

/** Sources of fonts for the page's title and for text in general. */
export function fontsFor(markup: string): string[] {
  const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(markup) ?? [];
  const words = title.replaceAll(/<[^>]*>/g, '');
  return [...new Set([...partsWith(words, HEADING), ...partsWith('a', TEXT)])].slice(0, MOST);
}
