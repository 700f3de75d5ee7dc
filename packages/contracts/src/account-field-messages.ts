/**
 * The messages that forms of the public pages need: their script is small, and would carry the whole table otherwise. Sentences that the
 * specification quotes are kept word for word (§5, §8).
 */
export const accountFieldMessages = {
  INVALID: { zh: '内容不正确', en: 'The value is not valid' },
  ACCOUNT_REQUIRED: { zh: '请输入用户名或邮箱', en: 'Please enter your username or email' },
  ACCOUNT_MIN: { zh: '至少输入2位', en: 'At least 2 characters' },
  USERNAME_REQUIRED: { zh: '请输入用户名', en: 'Please enter a username' },
  USERNAME_MIN: { zh: '用户名至少输入2位', en: 'The username needs at least 2 characters' },
  USERNAME_MAX: { zh: '用户名最多输入32位', en: 'The username can have at most 32 characters' },
  USERNAME_FORMAT: {
    zh: '请输入正确的用户名. 只能包含数字,字母,中文',
    en: 'Use letters, digits and Chinese characters only',
  },
  USERNAME_TAKEN: { zh: '用户名已被占用', en: 'This username is taken' },
  EMAIL_REQUIRED: { zh: '请输入邮箱', en: 'Please enter your email' },
  EMAIL_MAX: { zh: '邮箱最多输入255位', en: 'The email can have at most 255 characters' },
  EMAIL_FORMAT: {
    zh: '邮箱格式不正确，例：name@company.com',
    en: 'Enter a valid email, such as name@company.com',
  },
  EMAIL_TAKEN: { zh: '邮箱已被注册', en: 'This email is already registered' },
  PASSWORD_REQUIRED: { zh: '请输入密码', en: 'Please enter the password' },
  PASSWORD_AGAIN: { zh: '请再次输入密码', en: 'Please enter the password again' },
  PASSWORD_MIN: { zh: '密码至少输入6位', en: 'The password needs at least 6 characters' },
  PASSWORD_MAX: { zh: '密码最多输入32位', en: 'The password can have at most 32 characters' },
  PASSWORD_DIFFERS: { zh: '两次密码不一致', en: 'The passwords do not match' },
  VCODE_REQUIRED: { zh: '请输入验证码', en: 'Please enter the verification code' },
  VCODE_FORMAT: { zh: '验证码为6位数字', en: 'The verification code has 6 digits' },
  AGREEMENT_REQUIRED: { zh: '请阅读并同意用户协议', en: 'Please read and accept the agreement' },
  SERVICE_ACCOUNT_REQUIRED: { zh: '请输入账号', en: 'Please enter the account' },
  PLATFORM_REQUIRED: { zh: '请选择平台', en: 'Please choose a platform' },
} as const satisfies Record<string, { zh: string; en: string }>;

export type AccountFieldCode = keyof typeof accountFieldMessages;
