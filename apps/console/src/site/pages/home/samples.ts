/** Sample texts of the illustrations in customers' languages, the same in both languages of the site. */
import type { LabelText } from './illustrations.js';

export const SPANISH = { lang: 'es', name: 'Español' } as const;
export const ASKED_IN_JAPANESE = '納期はいつですか？';

export const CHINESE_LABEL: LabelText = {
  lang: 'zh',
  title: '保温午餐包',
  measures: '容量 6L · 双层隔热',
  rows: [
    ['材质', '涤纶'],
    ['原产国', '中国'],
    ['洗护', '可手洗'],
  ],
};

export const PORTUGUESE_LABEL: LabelText = {
  lang: 'pt',
  title: 'Lancheira térmica',
  measures: '6 L · isolamento duplo',
  rows: [
    ['Material', 'Poliéster'],
    ['Origem', 'China'],
    ['Cuidados', 'Lavar à mão'],
  ],
};

export const JAPANESE_LABEL: LabelText = {
  lang: 'ja',
  title: '保冷ランチバッグ',
  measures: '容量 6L・二層断熱',
  rows: [
    ['素材', 'ポリエステル'],
    ['原産国', '中国'],
    ['お手入れ', '手洗い可'],
  ],
};
