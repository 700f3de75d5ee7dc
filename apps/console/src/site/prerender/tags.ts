/** Elements of a head as text. Whatever they say is escaped here and nowhere else. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** An attribute that is empty stands by its name alone. */
export const tag = (name: 'link' | 'meta', attributes: Readonly<Record<string, string>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => (value === '' ? ` ${key}` : ` ${key}="${escaped(value)}"`))
    .join('')}>`;

/** Data for whoever reads the page: browsers run nothing of it. */
export const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
