import type { FieldCode } from '@yiqiao/contracts/field-messages';

/** Judges one value: the code of what is wrong with it, or null. `values` are those of the whole form. */
export type Rule<Code extends FieldCode = FieldCode> = (value: string, values: Record<string, string>) => Code | null;

/** The repeated password: that there is one, its own rules, and that both are the same. */
export const repeats =
  <Code extends FieldCode>(other: string, rule: Rule<Code>): Rule<Code | 'PASSWORD_AGAIN' | 'PASSWORD_DIFFERS'> =>
  (value, values) =>
    value === '' ? 'PASSWORD_AGAIN' : (rule(value, values) ?? sameAs(other)(value, values));

export const sameAs =
  (other: string): Rule<'PASSWORD_DIFFERS'> =>
  (value, values) =>
    value === values[other] ? null : 'PASSWORD_DIFFERS';
