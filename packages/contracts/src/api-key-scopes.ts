import { z } from 'zod';

/** What a key may do. `glossary.write` only for keys of main accounts; a key for URLs has `text` alone. */
export const API_KEY_SCOPES = {
  text: { zh: '翻译文本', en: 'Translate text' },
  'glossary.read': { zh: '查看术语表', en: 'Read the glossary' },
  'glossary.write': { zh: '修改术语表', en: 'Change the glossary' },
  usage: { zh: '查看用量', en: 'Read usage' },
} as const;
export type ApiKeyScope = keyof typeof API_KEY_SCOPES;

/** The key of a line in a log. */
export const usedKey = z.object({ id: z.int(), name: z.string() });
