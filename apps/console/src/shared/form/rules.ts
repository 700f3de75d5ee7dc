import { fieldMessages, isFieldCode, type FieldCode } from '@yiqiao/contracts/field-messages';
import type { z } from 'zod';
import { language } from '../i18n/language.js';

/** Judges one value: the code of what is wrong with it, or null. `values` are those of the whole form. */
export type Rule = (value: string, values: Record<string, string>) => FieldCode | null;

/** The contract's own rule, so that form and server show the same messages (specification §5). */
export const byContract =
  (schema: z.ZodType): Rule =>
  (value) => {
    // An empty field is a missing value: "please enter …", not "too short".
    const code = schema.safeParse(value === '' ? undefined : value).error?.issues[0]?.message;
    if (code === undefined) return null;
    return isFieldCode(code) ? code : 'INVALID';
  };

/** The repeated password: that there is one, its own rules, and that both are the same. */
export const repeats =
  (other: string, rule: Rule): Rule =>
  (value, values) =>
    value === '' ? 'PASSWORD_AGAIN' : (rule(value, values) ?? sameAs(other)(value, values));

export const sameAs =
  (other: string): Rule =>
  (value, values) =>
    value === values[other] ? null : 'PASSWORD_DIFFERS';

export const sentenceOf = (code: FieldCode): string => fieldMessages[code][language];
