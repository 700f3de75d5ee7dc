export type Script = 'zh-Hans' | 'zh-Hant';

type Convert = (text: string) => string;

// The dictionaries take a quarter of a second to load, so each direction is loaded on first use. `twp` converts vocabulary as well as
// characters (软件 ↔ 軟體), which makes it a translation rather than a transliteration.
const loaders: Readonly<Record<Script, () => Promise<Convert>>> = {
  'zh-Hant': async () => (await import('opencc-js/cn2t')).Converter({ from: 'cn', to: 'twp' }) as Convert,
  'zh-Hans': async () => (await import('opencc-js/t2cn')).Converter({ from: 'twp', to: 'cn' }) as Convert,
};

const loaded = new Map<Script, Promise<Convert>>();

/** Converts a Chinese text to `script`; everything else in it stays unchanged. */
export const toScript = async (script: Script, text: string): Promise<string> => {
  const converter = loaded.get(script) ?? loaders[script]();
  loaded.set(script, converter);
  return (await converter)(text);
};

export const isChinese = (langCode: string): langCode is Script => langCode === 'zh-Hans' || langCode === 'zh-Hant';
