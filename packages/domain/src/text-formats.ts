/**
 * What a text to translate is. In `html` and `xml` only the sentences between tags are translated and charged: their code points, entities
 * decoded, without the white space at their ends. All else comes back byte by byte and free: tags, attributes, comments, CDATA wrappers, what
 * is no markup, `translate="no"`, `class="notranslate"`, blocks without a letter, and in HTML code, kbd, samp, var, pre, textarea, script,
 * style, math and svg (docs/decisions/0074).
 */
export const TEXT_FORMATS = ['text', 'html', 'xml'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];
export type MarkupFormat = Exclude<TextFormat, 'text'>;
