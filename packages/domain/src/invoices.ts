/** Requests for a tax invoice (发票) of a paid order. */

/** `requested` waits for an operator; after `rejected` another request may follow. */
export const INVOICE_STATES = {
  requested: { zh: '待开具', en: 'Requested' },
  issued: { zh: '已开具', en: 'Issued' },
  rejected: { zh: '未通过', en: 'Declined' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type InvoiceState = keyof typeof INVOICE_STATES;

/** Whom it is made out to. A person has no tax number. */
export const INVOICE_KINDS = {
  company: { zh: '企业', en: 'Company' },
  personal: { zh: '个人', en: 'Individual' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type InvoiceKind = keyof typeof INVOICE_KINDS;

/** The digits of a unified social credit code (GB 32100–2015), in the order of their values: no I, O, S, V, Z. */
const DIGITS = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const CREDIT_CODE = /^[0-9A-HJ-NP-RTUWXY]{2}\d{6}[0-9A-HJ-NP-RTUWXY]{10}$/;

/** Whether this is a unified social credit code with the right check digit. Capital letters, without spaces. */
export function isTaxNumber(text: string): boolean {
  if (!CREDIT_CODE.test(text)) return false;
  const values = [...text].map((digit) => DIGITS.indexOf(digit));
  let weight = 1;
  let sum = 0;
  for (const value of values.slice(0, 17)) {
    sum += value * weight;
    weight = (weight * 3) % 31;
  }
  return values[17] === (31 - (sum % 31)) % 31;
}

/** As people write it in capitals and without the spaces between its groups. */
export const normalizeTaxNumber = (text: string): string => text.replace(/\s/g, '').toUpperCase();
