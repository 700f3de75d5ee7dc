const PREFIX = 'data:image/png;base64,';
const BYTES_MAX = 64 * 1024;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The bytes of a PNG in a data URL; null when it is none or too large. */
export function decodePng(dataUrl: string): Buffer | null {
  if (!dataUrl.startsWith(PREFIX)) return null;
  const base64 = dataUrl.slice(PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length <= BYTES_MAX && bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? bytes : null;
}

export const isPicture = (dataUrl: string): boolean => decodePng(dataUrl) !== null;
