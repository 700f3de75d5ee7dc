import { SALES_NUM_MAX } from '@yiqiao/domain/limits';

/** Parses a typed quantity: 1–999, null for anything else. Full-width digits are accepted. */
export function quantityOf(text: string): number | null {
  const typed = text.normalize('NFKC').trim();
  const n = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  return n >= 1 && n <= SALES_NUM_MAX ? n : null;
}

/** The valid quantity nearest to the typed one, or `last` if it has no number. */
export function nearestQuantity(text: string, last: number): number {
  const typed = text.normalize('NFKC').trim();
  if (!/^-?\d+(\.\d+)?$/.test(typed)) return last;
  return Math.min(SALES_NUM_MAX, Math.max(1, Math.trunc(Number(typed))));
}
