/** The content of a base64 data URL; reading it as a request is against the page's own policy (connect-src). Throws for anything else. */
export const blobOfDataUrl = (url: string): Blob => {
  const [, type, content] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (type === undefined || content === undefined) throw new Error('not a base64 data URL');
  return new Blob([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], { type });
};
