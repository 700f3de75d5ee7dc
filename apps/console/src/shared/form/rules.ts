import type { FieldCode } from '@yiqiao/contracts/field-messages';

/** Judges one value: the code of what is wrong with it, or null. `values` are those of the whole form. */
export type Rule = (value: string, values: Record<string, string>) => FieldCode | null;

/** The repeated password: that there is one, its own rules, and that both are the same. */
export const repeats =
  (other: string, rule: Rule): Rule =>
  (value, values) =>
    value === '' ? 'PASSWORD_AGAIN' : (rule(value, values) ?? sameAs(other)(value, values));

export const sameAs =
  (other: string): Rule =>
  (value, values) =>
    value === values[other] ? null : 'PASSWORD_DIFFERS';
