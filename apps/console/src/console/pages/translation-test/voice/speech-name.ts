const ENDINGS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/ogg': 'ogg',
};

/** What a spoken translation is saved as. */
export const speechName = (target: string, type: string): string => `speech.${target}.${ENDINGS[type] ?? 'wav'}`;
