/** The device of a sign-in as its User-Agent header names it: browser with its major version, and system. Null: not recognized. */
export type Device = { readonly browser: string | null; readonly system: string | null };

const CHINESE: readonly (readonly [english: string, chinese: string])[] = [
  ['WeChat', '微信'],
  ['Samsung Internet', '三星浏览器'],
  ['QQ Browser', 'QQ 浏览器'],
  ['UC Browser', 'UC 浏览器'],
  ['Mi Browser', '小米浏览器'],
  ['Huawei Browser', '华为浏览器'],
  ['HarmonyOS', '鸿蒙'],
  ['Android', '安卓'],
];

/** The name of a browser or a system in this language. */
export function productName(name: string, language: 'zh' | 'en'): string {
  const known = language === 'zh' ? CHINESE.find(([english]) => name.startsWith(english)) : undefined;
  return known ? name.replace(known[0], known[1]) : name;
}

/** "Chrome 141 · Windows"; null when neither was recognized. */
export function deviceName({ browser, system }: Device, language: 'zh' | 'en'): string | null {
  const known = [browser, system].filter((name) => name !== null);
  return known.length === 0 ? null : known.map((name) => productName(name, language)).join(' · ');
}
