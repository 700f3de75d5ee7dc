import type { Device } from '@yiqiao/domain/devices';

/** `family`: browser and platform without version and model, which an update does not change. */
type Client = Device & { readonly family: string };

const HEADER_MAX = 1_000;

// The first match counts: most browsers also call themselves Chrome or Safari.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bMicroMessenger\/(\d{1,4})?/, 'WeChat'],
  [/\bEdg(?:A|iOS)?\/(\d{1,4})?/, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\/(\d{1,4})?/, 'Opera'],
  [/\bSamsungBrowser\/(\d{1,4})?/, 'Samsung Internet'],
  [/\b(?:QQBrowser|MQQBrowser)\/(\d{1,4})?/, 'QQ Browser'],
  [/\bUCBrowser\/(\d{1,4})?/, 'UC Browser'],
  [/\b(?:XiaoMi\/)?MiuiBrowser\/(\d{1,4})?|\bXiaoMi\//, 'Mi Browser'],
  [/\bHuaweiBrowser\/(\d{1,4})?/, 'Huawei Browser'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,4})?/, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})?/, 'Chrome'],
  [/\bVersion\/(\d{1,4})?[\d.]*.*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, system: string, family: string])[] = [
  [/\b(?:OpenHarmony|HarmonyOS)\b/, 'HarmonyOS', 'HarmonyOS'],
  [/\bAndroid\b/, 'Android', 'Android'],
  [/\bi(?:Phone|Pod)\b/, 'iPhone', 'iOS'],
  [/\biPad\b/, 'iPad', 'iOS'],
  [/\bWindows\b/, 'Windows', 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS', 'macOS'],
  [/\bCrOS\b/, 'ChromeOS', 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux', 'Linux'],
];

/** What a User-Agent header says about the client, from fixed lists: the header's own text is neither stored nor shown. */
export function readUserAgent(header: string): Client {
  const text = header.slice(0, HEADER_MAX);
  const [pattern, name = null] = BROWSERS.find(([candidate]) => candidate.test(text)) ?? [];
  const version = pattern?.exec(text)?.[1];
  const [, system = null, platform = null] = SYSTEMS.find(([candidate]) => candidate.test(text)) ?? [];
  return {
    browser: name !== null && version !== undefined ? `${name} ${version}` : name,
    system,
    family: [name, platform].join('|'),
  };
}
