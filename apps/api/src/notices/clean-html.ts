import sanitize from 'sanitize-html';

const TAGS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'ul', 'ol', 'li', 'h3', 'h4', 'a', 'blockquote', 'code'];

/**
 * HTML with nothing in it but text, paragraphs, lists, headings and links that lead to HTTPS, to a mailbox or into the site itself; what is
 * left of anything else is its text, of scripts and styles nothing.
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

/** A path of our own stays in the page; whatever lies elsewhere opens beside it and is not told where its reader came from. */
function link(tagName: string, { href = '' }: sanitize.Attributes): sanitize.Tag {
  const target = href.trim();
  // Nor one whose path begins with two slashes when its dots are followed: taken by itself it is another host.
  const own = /^\/(?![/\\])/.test(target) && !/^\/[/\\]/.test(pathOf(target));
  const away = /^(?:https:\/\/[^\s@]+|mailto:[^\s]+)$/i.test(target);
  // An anchor that leads nowhere is text.
  if (!own && !away) return { tagName, attribs: {} };
  return { tagName, attribs: own ? { href: target } : { href: target, rel: 'noopener noreferrer', target: '_blank' } };
}

const pathOf = (target: string): string => URL.parse(target, 'https://site.invalid')?.pathname ?? '//';
