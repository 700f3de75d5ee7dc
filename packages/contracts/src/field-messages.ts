import { accountFieldMessages } from './account-field-messages.js';

/**
 * Messages of invalid fields, shared by server and client: a schema names a code. Sentences that the specification quotes are kept word for
 * word (§5, §8).
 */
export const fieldMessages = {
  ...accountFieldMessages,
  REQUIRED: { zh: '此项必填', en: 'This field is required' },
  WRONG_TYPE: { zh: '内容类型不正确', en: 'The value has the wrong type' },
  WRONG_VALUE: { zh: '取值不正确', en: 'The value is not one of the allowed options' },
  TOO_SMALL: { zh: '数值过小', en: 'The value is too small' },
  TOO_BIG: { zh: '数值过大', en: 'The value is too large' },
  TOO_SHORT: { zh: '内容过短', en: 'The value is too short' },
  TOO_LONG: { zh: '内容过长', en: 'The value is too long' },
  UNKNOWN_FIELD: { zh: '未知字段', en: 'Unknown field' },
  UNSAFE_TEXT: { zh: '包含不允许的字符', en: 'It contains characters that are not allowed' },
  OPERATOR_PASSWORD_LENGTH: { zh: '密码需 12–128 位', en: 'Use 12 to 128 characters' },
  OLD_PASSWORD_MIN: { zh: '旧密码至少输入6位', en: 'The old password needs at least 6 characters' },
  NICKNAME_MIN: { zh: '昵称至少输入2位', en: 'The nickname needs at least 2 characters' },
  NICKNAME_MAX: { zh: '昵称最多输入32位', en: 'The nickname can have at most 32 characters' },
  TEXT_REQUIRED: { zh: '请输入要翻译的文本', en: 'Please enter the text to translate' },
  TEXTS_MAX: { zh: '每次最多 50 段文本', en: 'At most 50 texts at a time' },
  TEXT_MAX: { zh: '每次最多翻译 5,000 个字符', en: 'At most 5,000 characters at a time' },
  FILE_REQUIRED: { zh: '请选择要上传的文件', en: 'Please choose a file to upload' },
  LANGUAGE_UNKNOWN: { zh: '不支持的语言', en: 'This language is not supported' },
  SAME_LANGUAGES: { zh: '原文语言与译文语言不能相同', en: 'Source and target must be different languages' },
  NOT_JSON: { zh: '内容不是有效的 JSON', en: 'The content is not valid JSON' },
  DOCUMENT_SHAPE: { zh: '内容不符合这项配置的格式', en: 'The content does not match the format of this document' },
  TERM_REQUIRED: { zh: '请输入术语', en: 'Please enter the term' },
  TRANSLATION_REQUIRED: { zh: '请输入译文', en: 'Please enter the translation' },
  TERM_TEXT: { zh: '最多 200 个字符，且不能包含控制字符', en: 'At most 200 characters, and no control characters' },
  TERM_WITHOUT_LETTERS: { zh: '术语至少要有一个字母、汉字或数字', en: 'A term needs at least one letter or digit' },
  TERM_TWICE: { zh: '文件中已有相同语言方向的相同术语', en: 'The file already has this term for this language pair' },
  FILE_NOT_UTF8: {
    zh: '文件不是 UTF-8 编码，请另存为“CSV UTF-8”后再导入',
    en: 'The file is not UTF-8. Save it as “CSV UTF-8” and import it again',
  },
  FILE_EMPTY: { zh: '文件中没有术语', en: 'The file has no terms' },
  HEADINGS_EXPECTED: {
    zh: '第一行应为表头：原文语言、译文语言、术语、译文',
    en: 'The first line must name the columns: source, target, term, translation',
  },
  LINE_BROKEN: {
    zh: '该行格式不正确，请检查引号和分隔符',
    en: 'The line is malformed: check its quotes and separators',
  },
  URL_REQUIRED: { zh: '请输入地址', en: 'Please enter the address' },
  URL_FORMAT: {
    zh: '请输入完整的地址，以 https:// 开头，不含账号和 # 之后的部分',
    en: 'Enter a full address that begins with https://, without credentials or a fragment',
  },
  URL_INSECURE: { zh: '请使用 https 地址', en: 'Use an https address' },
  URL_PORT: { zh: '端口只能是 443、80 或 8000–9999', en: 'The port must be 443, 80 or 8000–9999' },
  URL_PRIVATE: { zh: '不能使用内网或保留地址', en: 'Private and reserved addresses cannot be used' },
  EVENTS_REQUIRED: { zh: '请至少选择一个事件', en: 'Please choose at least one event' },
  NAME_REQUIRED: { zh: '请输入名称', en: 'Please enter a name' },
  TAX_NUMBER_FORMAT: { zh: '税号不正确', en: 'Please check the tax number' },
  IP_RANGE_FORMAT: {
    zh: '请输入 IP 地址或网段，例：203.0.113.7、203.0.113.0/24',
    en: 'Enter an IP address or a network, e.g. 203.0.113.7 or 203.0.113.0/24',
  },
  API_KEY_NAME_REQUIRED: { zh: '请输入密钥名称', en: 'Please enter a name for the key' },
  API_KEY_URL_SCOPE: { zh: '链接令牌只能用于翻译文本', en: 'A URL token can only translate text' },
  API_KEY_EXPIRY_PAST: { zh: '到期时间须晚于现在', en: 'The expiry must be in the future' },
  IP_FORMAT: { zh: '请输入完整的 IP 地址，例：203.0.113.7', en: 'Please enter a full IP address, e.g. 203.0.113.7' },
  DATE_FORMAT: { zh: '日期格式应为 YYYY-MM-DD HH:mm:ss', en: 'Use the format YYYY-MM-DD HH:mm:ss' },
  ONE_OF_TWO: { zh: '请只提供其中一项', en: 'Give exactly one of the two' },
  RANGE_REVERSED: { zh: '开始时间不能晚于结束时间', en: 'The start must not be after the end' },
  IDEMPOTENCY_KEY_FORMAT: {
    zh: '幂等键为 1–64 位字母、数字、下划线或连字符',
    en: 'An idempotency key has 1–64 letters, digits, _ or -',
  },
} as const satisfies Record<string, { zh: string; en: string }>;

export type FieldCode = keyof typeof fieldMessages;
export const isFieldCode = (code: string): code is FieldCode => Object.hasOwn(fieldMessages, code);
