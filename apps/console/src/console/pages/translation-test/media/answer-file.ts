/** The content of a base64 data URL, decoded here because the page's policy (connect-src) forbids fetching it. Throws for other URLs. */
export const blobOfDataUrl = (url: string): Blob => {
  const [, type, content] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (type === undefined || content === undefined) throw new Error('not a base64 data URL');
  return new Blob([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], { type });
};

const IMAGE_ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** The file name of a translated picture: `label.jpg` in Spanish is `label.es.jpg`. */
export const redrawnName = (name: string, target: string, type: string): string =>
  `${name.replace(/\.[^.]*$/, '') || 'image'}.${target}.${IMAGE_ENDINGS[type] ?? 'png'}`;

const AUDIO_ENDINGS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/ogg': 'ogg',
};

/** The file name of a spoken translation. */
export const speechName = (target: string, type: string): string => `speech.${target}.${AUDIO_ENDINGS[type] ?? 'wav'}`;
