export type Language = 'zh' | 'en';

/** A text in both languages of the product. */
export type Bilingual = Readonly<Record<Language, string>>;

/** The page language from Accept-Language: zh or en by quality value, zh by default (decisions §1). */
export function pageLanguage(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'zh', weight: 0 };
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const language = /^(zh|en)(?:-|$)/.exec(tag.trim())?.[1] as Language | undefined;
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
    const weight = quality === undefined ? 1 : Number(quality);
    if (language && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

/** True when the client prefers HTML, as browsers do; tools and scripts get JSON. */
export function wantsPage(accept: string | undefined): boolean {
  const first = (accept ?? '').split(',', 1)[0] ?? '';
  return first.trim().toLowerCase().startsWith('text/html');
}
