/**
 * The document a mail's markup is shown in. Written before the mail's own first byte, so that nothing in the mail can
 * come earlier: no script, no picture, font or style from elsewhere, links that open nothing.
 */
const BEFORE_MAIL =
  '<!doctype html><html><head><meta charset="utf-8">' +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">` +
  '<meta name="referrer" content="no-referrer"><base target="_blank">' +
  '<style>:root{color-scheme:light}body{margin:16px;background:#fff;color:#12242b;overflow-wrap:anywhere;' +
  'font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}img{max-width:100%}</style></head><body>';

/** The `srcdoc` for a mail's markup. */
export function mailDocument(html: string): string {
  return BEFORE_MAIL + html;
}

/** Attributes of the frame. An empty `sandbox` forbids scripts, forms, pop-ups, navigation of the page and its origin. */
export function frameAttributes(html: string): Record<string, string> {
  return { sandbox: '', referrerpolicy: 'no-referrer', srcdoc: mailDocument(html) };
}
