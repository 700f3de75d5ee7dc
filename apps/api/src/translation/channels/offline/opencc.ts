export type Script = 'zh-Hans' | 'zh-Hant';

type Convert = (text: string) => string;

// The dictionaries take a quarter of a second to load, so each direction waits for its first use. `twp` converts vocabulary as well as
// characters (软件 ↔ 軟體), which makes this a translation and not a transliteration.
const loaders: Readonly<Record<Script, () => Promise<Convert>>> = {
  'zh-Hant': async () => (await import('opencc-js/cn2t')).Converter({ from: 'cn', to: 'twp' }) as Convert,
  'zh-Hans': async () => (await import('opencc-js/t2cn')).Converter({ from: 'twp', to: 'cn' }) as Convert,
};

const loaded = new Map<Script, Promise<Convert>>();

/** A Chinese text in the other script, line breaks and everything that is not Chinese untouched. Text already in `script` stays as it is. */
export const toScript = async (script: Script, text: string): Promise<string> => {
  const converter = loaded.get(script) ?? loaders[script]();
  loaded.set(script, converter);
  return (await converter)(text);
};

export const isChinese = (langCode: string): langCode is Script => langCode === 'zh-Hans' || langCode === 'zh-Hant';
