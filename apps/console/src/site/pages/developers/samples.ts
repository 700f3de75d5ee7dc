/** The texts of the examples, by the language of the page: one into the other. */
export const SAMPLES = {
  zh: {
    source: 'zh-Hans',
    target: 'en',
    text: ['你好，这款还有货吗？', '支持七天无理由退货'],
    term: '保温杯',
    translation: 'insulated mug',
  },
  en: {
    source: 'en',
    target: 'zh-Hans',
    text: ['Hello, is this still in stock?', 'Free returns within 7 days'],
    term: 'insulated mug',
    translation: '保温杯',
  },
} as const;

/** Rows of the list of languages. */
export const LANGUAGE_ROWS = {
  source: { id: 0, langCode: 'auto', chineseName: '自动检测', englishName: 'Detect language', channels: [1, 2] },
  target: { id: 4, langCode: 'en', chineseName: '英语', englishName: 'English', channels: [1, 2] },
} as const;
