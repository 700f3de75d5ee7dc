/**
 * How a translation addresses its reader where the target language has a choice (`Sie` or `du`). `more` and `less` are refused where the
 * channel or the target language has none; `prefer_more` and `prefer_less` have no effect there, `default` never has.
 */
export const FORMALITIES = ['default', 'more', 'less', 'prefer_more', 'prefer_less'] as const;
export type Formality = (typeof FORMALITIES)[number];

/** What a channel is asked for. */
export type Register = 'formal' | 'informal';

const REGISTERS: Readonly<Record<Formality, Register | undefined>> = {
  default: undefined,
  more: 'formal',
  prefer_more: 'formal',
  less: 'informal',
  prefer_less: 'informal',
};

/** Undefined: whatever the channel uses by itself. */
export const registerOf = (formality: Formality | undefined): Register | undefined => formality && REGISTERS[formality];

/** Whether a translation without it is refused. */
export const isFormalityRequired = (formality: Formality | undefined): boolean =>
  formality === 'more' || formality === 'less';
