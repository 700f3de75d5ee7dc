/** Tags and entities stay as they are: what is not one of them is text that HTML must not misread. */
const MARKUP = /<[a-zA-Z/!][^<>]*>|&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);|[&<>"']/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as vendors answer it in HTML: `it's` comes back as `it&#39;s`. */
export const escapedHtml = (text: string): string => text.replaceAll(MARKUP, (found) => ENTITIES[found] ?? found);
