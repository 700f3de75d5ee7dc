const PREFIX = 'data:image/png;base64,';
const BYTES_MOST = 64 * 1024;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The bytes of a picture in a document; null for what is no PNG or too large for one. */
export function pictureIn(dataUrl: string): Buffer | null {
  if (!dataUrl.startsWith(PREFIX)) return null;
  const base64 = dataUrl.slice(PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length <= BYTES_MOST && bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? bytes : null;
}

export const isPicture = (dataUrl: string): boolean => pictureIn(dataUrl) !== null;
