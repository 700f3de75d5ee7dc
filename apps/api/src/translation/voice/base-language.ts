/** The language of a langCode without region and script: `sr` of `sr-Latn`, `pt` of `pt-BR`. */
export const baseOf = (langCode: string): string => langCode.split('-', 1)[0] ?? langCode;
