/** The scale of MirroredBarChart: round numbers at or above the greatest value. */
const STEPS = [1, 2, 4, 5, 8, 10];

export function roundMax(greatest: number): number {
  if (greatest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  return (STEPS.find((step) => step * power >= greatest) ?? 10) * power;
}

/** 8,000,000 as `8M`, and as 800 times ten thousand in Chinese. */
export const shortNumber = (n: number, locale: string): string =>
  new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(n);
