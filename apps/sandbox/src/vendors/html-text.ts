/** Matches tags and entities, which stay as they are, and single characters to escape. */
const MARKUP = /<[a-zA-Z/!][^<>]*>|&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);|[&<>"']/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text as vendors do in HTML mode: `it's` becomes `it&#39;s`. */
export const escapedHtml = (text: string): string => text.replaceAll(MARKUP, (found) => ENTITIES[found] ?? found);
