import type { VendorCall, VendorRow, VendorSwitch } from './vendor-row.js';
import type { VendorTexts } from './vendor-texts.js';

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** The label of a switch or vendor; the key itself when it has none. */
export const labelOf = (word: string, texts: VendorTexts): string => texts[word as keyof VendorTexts] ?? word;

/** `requests 1,204 · refused 3 · characters 56,000`, without zeros. */
export function accountSummary({ count, refused, chars, inFlight }: VendorRow, texts: VendorTexts): string {
  if (count === 0) return texts.never;
  const parts: readonly (readonly [number, string])[] = [
    [count, texts.calls],
    [refused, texts.refused],
    [chars, texts.chars],
    [inFlight, texts.inFlight],
  ];
  return parts.flatMap(([number, name]) => (number > 0 ? [`${name} ${grouped(number)}`] : [])).join(' · ');
}

/** `Server error · left 2 · hits 1` */
export function faultText({ kind, left, hits }: VendorSwitch, texts: VendorTexts): string {
  const words = [labelOf(kind, texts)];
  if (left !== null) words.push(`${texts.left} ${left}`);
  if (hits > 0) words.push(`${texts.hits} ${hits}`);
  return words.join(' · ');
}

/** `en → ja · texts 2 · characters 31` */
export function callText({ call, source, target, texts: count, chars }: VendorCall, texts: VendorTexts): string {
  if (call !== 'translate') return call;
  return `${source ?? texts.auto} → ${target ?? '?'} · ${texts.texts} ${count} · ${texts.chars} ${grouped(chars)}`;
}

/** `200 · 12 ms`, with the vendor's error code. */
export function resultText({ status, error, ms }: VendorCall, texts: VendorTexts): string {
  const words = [status === null ? texts.pending : String(status)];
  if (error !== null && error !== String(status)) words.push(error);
  if (ms !== null) words.push(`${grouped(ms)} ms`);
  return words.join(' · ');
}
