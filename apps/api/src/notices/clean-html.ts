import sanitize from 'sanitize-html';

const TAGS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h3', 'h4', 'a', 'blockquote', 'code'];

/**
 * Reduces HTML to text, paragraphs, lists, headings and links to HTTPS, mailboxes or the site itself. Other elements leave their text,
 * scripts and styles nothing.
 */
export const cleanHtml = (html: string): string =>
  sanitize(html, {
    allowedTags: TAGS,
    allowedAttributes: { a: ['href', 'rel', 'target'] },
    allowedSchemes: ['https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: { a: link },
    nestingLimit: 32,
  }).trim();

/** Own paths open in the page; external links open in a new tab without a referrer. */
function link(tagName: string, { href = '' }: sanitize.Attributes): sanitize.Tag {
  const target = href.trim();
  // A path that resolves to `//…` would be another host.
  const own = /^\/(?![/\\])/.test(target) && !/^\/[/\\]/.test(pathOf(target));
  const away = /^(?:https:\/\/[^\s@]+|mailto:[^\s]+)$/i.test(target);
  // A link without a valid target becomes text.
  if (!own && !away) return { tagName, attribs: {} };
  return { tagName, attribs: own ? { href: target } : { href: target, rel: 'noopener noreferrer', target: '_blank' } };
}

const pathOf = (target: string): string => URL.parse(target, 'https://site.invalid')?.pathname ?? '//';
