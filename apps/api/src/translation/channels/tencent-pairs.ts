/** Which languages Tencent translates into which, by its own codes: far from all of its 18 into each other. */
const HUBS = new Set(['zh', 'zh-TW', 'en']);
const CIRCLES = [new Set(['ja', 'ko']), new Set(['fr', 'es', 'it', 'de', 'tr', 'ru', 'pt'])];

/** Between two codes of the table, in this direction. */
export function tencentTranslates(source: string, target: string): boolean {
  if (source === target) return false;
  const pair = [source, target];
  // Hindi goes by way of English alone.
  if (pair.includes('hi')) return pair.includes('en');
  return pair.some((code) => HUBS.has(code)) || CIRCLES.some((circle) => pair.every((code) => circle.has(code)));
}
