const ENDINGS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

/** What a redrawn picture is saved as: `label.jpg` in Spanish is `label.es.jpg`. */
export const drawnName = (name: string, target: string, type: string): string =>
  `${name.replace(/\.[^.]*$/, '') || 'image'}.${target}.${ENDINGS[type] ?? 'png'}`;
