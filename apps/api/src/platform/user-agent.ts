/** What a User-Agent header says about the client, from fixed lists: the header's own text is never shown to anybody. */
export type Device = { readonly browser: string | null; readonly system: string | null };

// The first match counts: most browsers also call themselves Chrome or Safari.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:QQBrowser|MQQBrowser)\//, 'QQ Browser'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\b(?:MiuiBrowser|XiaoMi)\//, 'Mi Browser'],
  [/\bHuaweiBrowser\//, 'Huawei Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:OpenHarmony|HarmonyOS)\b/, 'HarmonyOS'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const firstOf = (list: typeof BROWSERS, header: string): string | null =>
  list.find(([pattern]) => pattern.test(header))?.[1] ?? null;

export const readUserAgent = (header: string): Device => ({
  browser: firstOf(BROWSERS, header),
  system: firstOf(SYSTEMS, header),
});
