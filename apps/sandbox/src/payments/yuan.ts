/** `9900` → `99.00`. `fen` is a safe integer ≥ 0. */
export function yuan(fen: number): string {
  const digits = String(fen).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `99`, `99.5` or `99.00` → fen; null for anything but an amount of at most two decimals. */
export function readYuan(text: string): number | null {
  const [, whole = '', part = ''] = /^(0|[1-9]\d{0,11})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === '' ? null : Number(whole + part.padEnd(2, '0'));
}
