/** Whether a script is written in squares of one size, between which a line may break. */
export const isWide = (character: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u.test(
    character,
  );

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'iw', 'ks', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv', 'ckb', 'prs']);

export const isRightToLeft = (language: string): boolean =>
  language.endsWith('-Arab') || RIGHT_TO_LEFT.has(language.split('-', 1)[0] ?? '');

const HAN: Readonly<Record<string, string>> = {
  'zh-Hans': 'Noto Sans CJK SC',
  'zh-Hant': 'Noto Sans CJK TC',
  yue: 'Noto Sans CJK HK',
  ja: 'Noto Sans CJK JP',
  ko: 'Noto Sans CJK KR',
};

/** Font families by preference; missing glyphs come from the next one. */
export function familiesOf(language: string): readonly string[] {
  const han = HAN[language];
  return han === undefined
    ? ['Noto Sans', 'DejaVu Sans', 'WenQuanYi Zen Hei', 'Noto Sans CJK SC']
    : [han, 'WenQuanYi Zen Hei', 'Noto Sans', 'DejaVu Sans'];
}
