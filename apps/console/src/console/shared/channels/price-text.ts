const MICRO_PER_YUAN = 1_000_000;
const CHARS = 10_000;

/** Micro-yuan per character as yuan per 10,000 characters, with as many decimals as it takes and two at least: `0.20`. */
export const priceText = (price: number): string =>
  ((price * CHARS) / MICRO_PER_YUAN).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
