/**
 * What a field says when its value will not do. A schema names a code; code and text come from here, for both ends.
 * Sentences that the specification quotes are kept word for word (§5, §8).
 */
export const fieldTexts = {
  REQUIRED: { zh: '此项必填', en: 'This field is required' },
  WRONG_TYPE: { zh: '内容类型不正确', en: 'The value has the wrong type' },
  WRONG_VALUE: { zh: '取值不正确', en: 'The value is not one of the allowed ones' },
  TOO_SMALL: { zh: '数值过小', en: 'The value is too small' },
  TOO_BIG: { zh: '数值过大', en: 'The value is too large' },
  TOO_SHORT: { zh: '内容过短', en: 'The value is too short' },
  TOO_LONG: { zh: '内容过长', en: 'The value is too long' },
  UNKNOWN_FIELD: { zh: '未知字段', en: 'Unknown field' },
  INVALID: { zh: '内容不正确', en: 'The value is not valid' },
  UNSAFE_TEXT: { zh: '包含不允许的字符', en: 'It contains characters that are not allowed' },
  ACCOUNT_REQUIRED: { zh: '请输入用户名或邮箱', en: 'Please enter your username or email' },
  ACCOUNT_MIN: { zh: '至少输入2位', en: 'At least 2 characters' },
  USERNAME_REQUIRED: { zh: '请输入用户名', en: 'Please enter a username' },
  USERNAME_MIN: { zh: '用户名至少输入2位', en: 'The username needs at least 2 characters' },
  USERNAME_MAX: { zh: '用户名最多输入32位', en: 'The username can have at most 32 characters' },
  USERNAME_FORMAT: {
    zh: '请输入正确的用户名. 只能包含数字,字母,中文',
    en: 'Please enter a correct username: only digits, letters and Chinese characters',
  },
  USERNAME_TAKEN: { zh: '用户名已被占用', en: 'This username is taken' },
  EMAIL_REQUIRED: { zh: '请输入邮箱', en: 'Please enter your email' },
  EMAIL_MAX: { zh: '邮箱最多输入255位', en: 'The email can have at most 255 characters' },
  EMAIL_FORMAT: {
    zh: '邮箱格式不正确，例：name@company.com',
    en: 'The email is not correct, e.g. name@company.com',
  },
  EMAIL_TAKEN: { zh: '邮箱已被注册', en: 'This email is already registered' },
  PASSWORD_REQUIRED: { zh: '请输入密码', en: 'Please enter the password' },
  PASSWORD_MIN: { zh: '密码至少输入6位', en: 'The password needs at least 6 characters' },
  OLD_PASSWORD_MIN: { zh: '旧密码至少输入6位', en: 'The old password needs at least 6 characters' },
  PASSWORD_MAX: { zh: '密码最多输入32位', en: 'The password can have at most 32 characters' },
  PASSWORD_DIFFERS: { zh: '两次密码不一致', en: 'The two passwords differ' },
  NICKNAME_MIN: { zh: '昵称至少输入2位', en: 'The nickname needs at least 2 characters' },
  NICKNAME_MAX: { zh: '昵称最多输入32位', en: 'The nickname can have at most 32 characters' },
  VCODE_REQUIRED: { zh: '请输入验证码', en: 'Please enter the verification code' },
  VCODE_FORMAT: { zh: '验证码为6位数字', en: 'The verification code has 6 digits' },
  AGREEMENT_REQUIRED: { zh: '请阅读并同意用户协议', en: 'Please read and accept the agreement' },
  TEXT_REQUIRED: { zh: '请输入要翻译的文本', en: 'Please enter the text to translate' },
  TEXTS_MAX: { zh: '每次最多 50 段文本', en: 'At most 50 texts at a time' },
  TEXT_MAX: { zh: '每次最多翻译 5,000 个字符', en: 'At most 5,000 characters at a time' },
  FILE_REQUIRED: { zh: '请选择要上传的文件', en: 'Please choose a file to upload' },
  LANGUAGE_UNKNOWN: { zh: '不支持的语言', en: 'Unknown language' },
  SAME_LANGUAGES: { zh: '源语言与目标语言不能相同', en: 'Source and target must be different languages' },
  TERM_REQUIRED: { zh: '请输入术语', en: 'Please enter the term' },
  TRANSLATION_REQUIRED: { zh: '请输入译文', en: 'Please enter the translation' },
  TERM_TEXT: { zh: '最多 200 个字符，且不能包含控制字符', en: 'At most 200 characters, and no control characters' },
  TERM_WITHOUT_LETTERS: { zh: '术语至少要有一个字母、汉字或数字', en: 'A term needs at least one letter or digit' },
  TERM_TWICE: { zh: '文件中已有相同语言方向的相同术语', en: 'The file has this term for this pair already' },
  FILE_NOT_UTF8: {
    zh: '文件不是 UTF-8 编码，请另存为“CSV UTF-8”后再导入',
    en: 'The file is not UTF-8. Save it as “CSV UTF-8” and import it again',
  },
  FILE_EMPTY: { zh: '文件中没有术语', en: 'The file has no terms' },
  HEADINGS_EXPECTED: {
    zh: '第一行应为表头：源语言、目标语言、术语、译文',
    en: 'The first line must name the columns: source, target, term, translation',
  },
  LINE_BROKEN: {
    zh: '该行格式不正确，请检查引号和分隔符',
    en: 'The line is malformed: check its quotes and separators',
  },
  DATE_FORMAT: { zh: '日期格式应为 YYYY-MM-DD HH:mm:ss', en: 'Dates are written YYYY-MM-DD HH:mm:ss' },
  ONE_OF_TWO: { zh: '请只提供其中一项', en: 'Give exactly one of the two' },
  RANGE_REVERSED: { zh: '开始时间不能晚于结束时间', en: 'The begin must not be after the end' },
  IDEMPOTENCY_KEY_FORMAT: {
    zh: '幂等键为 1–64 位字母、数字、下划线或连字符',
    en: 'An idempotency key has 1–64 letters, digits, _ or -',
  },
} as const satisfies Record<string, { zh: string; en: string }>;

export type FieldCode = keyof typeof fieldTexts;
export const isFieldCode = (code: string): code is FieldCode => Object.hasOwn(fieldTexts, code);
