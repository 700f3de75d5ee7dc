/**
 * Every refusal the product can utter, with both languages: one table, so that no code can lack a text.
 * `kind` is all that HTTP knows (KINDS below). Adding an error is adding a row.
 */

/** HTTP status of each kind of refusal (decisions §1). */
export const KINDS = {
  malformed: 400,
  signedOut: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  slow: 408,
  conflict: 409,
  tooLarge: 413,
  mediaType: 415,
  invalid: 422,
  refused: 422,
  tooMany: 429,
  headers: 431,
  ours: 500,
  upstream: 502,
  unavailable: 503,
  timeout: 504,
} as const;

type ErrorRow = {
  kind: keyof typeof KINDS;
  /** The `status` of the body where it differs from HTTP's: sessions only (decisions §1). */
  bodyStatus?: number;
  zh: string;
  en: string;
};

export const errors = {
  MALFORMED_JSON: { kind: 'malformed', zh: '请求内容不是有效的 JSON', en: 'The request body is not valid JSON.' },
  MALFORMED_REQUEST: { kind: 'malformed', zh: '请求不符合 HTTP 格式', en: 'The request is not valid HTTP.' },
  HEADERS_TOO_LARGE: { kind: 'headers', zh: '请求头过大', en: 'The request headers are too large.' },
  REQUEST_TIMEOUT: {
    kind: 'slow',
    zh: '请求发送超时，请重试',
    en: 'The request took too long to arrive. Please try again.',
  },
  UNAUTHORIZED: {
    kind: 'signedOut',
    zh: '未授权，请重新登录！',
    en: 'Unauthorized, please log in again!',
  },
  API_KEY_REQUIRED: {
    kind: 'signedOut',
    zh: '请在请求头 Authorization 中提供 API 密钥（Bearer yq_…）',
    en: 'Send your API key in the header Authorization: Bearer yq_….',
  },
  API_KEY_UNKNOWN: {
    kind: 'signedOut',
    zh: 'API 密钥无效，请检查是否完整复制',
    en: 'This API key is not valid. Check that you copied all of it.',
  },
  API_KEY_EXPIRED: {
    kind: 'signedOut',
    zh: 'API 密钥已过期，请在控制台延长有效期或新建密钥',
    en: 'This API key has expired. Extend it or make a new one in the console.',
  },
  API_KEY_REVOKED: {
    kind: 'signedOut',
    zh: 'API 密钥已吊销，请改用其他密钥',
    en: 'This API key was revoked. Use another one.',
  },
  SESSION_UNKNOWN: {
    kind: 'signedOut',
    bodyStatus: 701,
    zh: '登录已失效，请重新登录',
    en: 'Your session has expired. Please sign in again.',
  },
  SESSION_ENDED: {
    kind: 'signedOut',
    bodyStatus: 702,
    zh: '登录已结束，请重新登录',
    en: 'This session has ended. Please sign in again.',
  },
  SESSION_DISABLED: { kind: 'signedOut', bodyStatus: 703, zh: '账号已被停用', en: 'This account is disabled.' },
  SESSION_CLOSED: { kind: 'signedOut', bodyStatus: 704, zh: '账号已注销', en: 'This account is closed.' },
  BAD_SIGNATURE: {
    kind: 'signedOut',
    bodyStatus: 705,
    zh: '请求签名无效或时间已过期',
    en: 'The request signature is wrong or its timestamp is stale.',
  },
  FORBIDDEN: { kind: 'forbidden', zh: '没有权限执行此操作', en: 'You are not allowed to do this.' },
  OPERATOR_ROLE_REQUIRED: {
    kind: 'forbidden',
    zh: '您的角色不能执行此操作',
    en: 'Your role does not allow this.',
  },
  OPERATOR_CODE_REQUIRED: {
    kind: 'forbidden',
    zh: '此操作需要一个新的一次性验证码',
    en: 'This needs a fresh one-time code.',
  },
  NOT_YOUR_OWN: {
    kind: 'forbidden',
    zh: '不能决定自己提出的申请，请由另一位有审批权限的操作员决定',
    en: 'You cannot decide your own request. Somebody else who may approve has to.',
  },
  ONLY_ITS_MAKER: {
    kind: 'forbidden',
    zh: '只有申请人可以撤回申请',
    en: 'Only the person who made a request can withdraw it.',
  },
  CSRF_REFUSED: {
    kind: 'forbidden',
    zh: '请求不是来自运营台页面，请刷新后重试',
    en: 'The request did not come from the operator console. Reload the page and try again.',
  },
  MAIN_ACCOUNT_ONLY: { kind: 'forbidden', zh: '仅主账号可以执行此操作', en: 'Only a main account can do this.' },
  ACCOUNT_DISABLED: {
    kind: 'forbidden',
    zh: '账号已被停用，请联系主账号或客服',
    en: 'This account is disabled. Ask your main account or our support.',
  },
  NOT_FOUND: { kind: 'missing', zh: '没有找到', en: 'Not found.' },
  NO_RESULT: { kind: 'missing', zh: '没有找到该账号', en: 'No account was found.' },
  METHOD_NOT_ALLOWED: { kind: 'method', zh: '不支持该请求方法', en: 'This method is not allowed here.' },
  IDEMPOTENCY_KEY_REUSED: {
    kind: 'conflict',
    zh: '该幂等键已用于另一个请求',
    en: 'This idempotency key was used for a different request.',
  },
  PAYLOAD_TOO_LARGE: { kind: 'tooLarge', zh: '请求内容过大', en: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'mediaType',
    zh: '请使用 application/json 发送请求',
    en: 'Send the request as application/json.',
  },
  UPLOAD_EXPECTED: {
    kind: 'mediaType',
    zh: '请以 multipart/form-data 上传文件',
    en: 'Upload the file as multipart/form-data.',
  },
  MALFORMED_UPLOAD: {
    kind: 'malformed',
    zh: '上传的内容不完整或格式不正确，请重新上传',
    en: 'The upload is incomplete or malformed. Please upload it again.',
  },
  UPLOAD_TOO_SLOW: {
    kind: 'malformed',
    zh: '上传速度过慢，已中断。请检查网络后重新上传。',
    en: 'The upload was too slow and was stopped. Check your connection and upload it again.',
  },
  FILE_TOO_LARGE: {
    kind: 'tooLarge',
    zh: '文件过大，请压缩后再上传',
    en: 'The file is too large. Upload a smaller one.',
  },
  NOT_AN_IMAGE: {
    kind: 'refused',
    zh: '无法读取该文件，请上传 PNG、JPEG 或 WebP 图片',
    en: 'This file cannot be read. Upload a PNG, JPEG or WebP picture.',
  },
  IMAGE_TOO_LARGE: {
    kind: 'refused',
    zh: '图片尺寸过大（最多 2,500 万像素），请缩小后再上传',
    en: 'The picture has too many pixels (25 million at most). Upload a smaller one.',
  },
  NO_TEXT_FOUND: {
    kind: 'refused',
    zh: '图片中没有识别到文字，本次未扣费。请换一张更清晰的图片，或检查原文语言。',
    en: 'No text was found in the picture. You were not charged. Try a clearer picture, or check the source language.',
  },
  NOT_AUDIO: {
    kind: 'refused',
    zh: '无法读取该文件，请上传录音（WAV、MP3、M4A、OGG、WebM、FLAC）',
    en: 'This file cannot be read. Upload a recording (WAV, MP3, M4A, OGG, WebM or FLAC).',
  },
  VOICE_TOO_LONG: {
    kind: 'refused',
    zh: '录音过长，请剪短后再试',
    en: 'The recording is too long. Please shorten it.',
  },
  NO_SPEECH_FOUND: {
    kind: 'refused',
    zh: '没有识别到语音，本次未扣费。请靠近麦克风再说一遍。',
    en: 'No speech was found. You were not charged. Please speak again, closer to the microphone.',
  },
  SPEECH_UNCLEAR: {
    kind: 'refused',
    zh: '没有听清这段录音，识别结果不可靠，本次未扣费。请靠近麦克风、放慢语速再录一遍，或手动改好文字后再翻译，也可以换翻译通道，由厂商识别语音。',
    en: 'This recording was too unclear for a reliable transcript. You were not charged. Speak more clearly and closer to the microphone, correct the text by hand, or choose another channel whose vendor recognizes speech.',
  },
  ENGINE_MISSING: {
    kind: 'refused',
    zh: '服务器未安装所需的识别引擎，本次未扣费',
    en: 'The recognition engine this needs is not installed on the server. You were not charged.',
  },
  MEDIA_LANGUAGE_NOT_SUPPORTED: {
    kind: 'refused',
    zh: '该原文语言暂不支持识别，请更换原文语言',
    en: 'This source language cannot be recognized here. Choose another one.',
  },
  ONLY_GLOSS: {
    kind: 'refused',
    zh: '该语言方向只有逐词释义，不能用于图片和语音。请更换语言或翻译通道。',
    en: 'This pair has only a word-by-word gloss, which is not used for pictures and voice. Choose another language or channel.',
  },
  TERM_EXISTS: {
    kind: 'conflict',
    zh: '该语言方向已有相同的术语',
    en: 'This term already exists for this language pair.',
  },
  GLOSSARY_FULL: {
    kind: 'refused',
    zh: '术语已达上限（5,000 条），请先删除不用的术语',
    en: 'The glossary is full (5,000 terms). Delete terms that are no longer needed.',
  },
  GLOSSARY_FILE_INVALID: {
    kind: 'refused',
    zh: '文件中有无法导入的行，未导入任何内容。请修正后重新上传。',
    en: 'The file has lines that cannot be imported, so nothing was. Correct them and upload it again.',
  },
  TOO_MANY_WEBHOOKS: {
    kind: 'conflict',
    zh: '接收端已达上限（20 个），请先删除不用的',
    en: 'There are 20 endpoints already. Delete one that is no longer needed.',
  },
  WEBHOOK_WITHOUT_SECRET: {
    kind: 'refused',
    zh: '群机器人没有签名密钥，无需更换',
    en: 'A group robot has no signing secret to replace.',
  },
  WEBHOOK_STOPPED: {
    kind: 'conflict',
    zh: '该接收端已停用或已暂停，请先启用或恢复',
    en: 'This endpoint is off or paused. Turn it on or resume it first.',
  },
  VALIDATION_FAILED: { kind: 'invalid', zh: '请检查填写的内容', en: 'Please check what you entered.' },
  UNKNOWN_FIELD: { kind: 'invalid', zh: '包含未知字段', en: 'There is an unknown field.' },
  ACCOUNT_NOT_REGISTERED: { kind: 'refused', zh: '该账号未注册', en: 'This account is not registered' },
  WRONG_PASSWORD: { kind: 'refused', zh: '密码不正确，请重新输入', en: 'The password is wrong. Please try again.' },
  WRONG_OLD_PASSWORD: { kind: 'refused', zh: '旧密码不正确', en: 'The old password is wrong.' },
  SIGN_IN_CODE_REQUIRED: {
    kind: 'refused',
    zh: '该账号开启了两步验证，请输入动态码。如果看不到输入框，请更新应用。',
    en: 'This account uses two-step sign-in. Enter your code. If you see no field for it, update your app.',
  },
  OPERATOR_SIGN_IN_WRONG: {
    kind: 'refused',
    zh: '账号、密码或验证码不对',
    en: 'The name, password or code is wrong.',
  },
  SIGN_IN_CODE_WRONG: {
    kind: 'refused',
    zh: '动态码或恢复码不正确，请重新输入',
    en: 'The code or recovery code is wrong. Please try again.',
  },
  SIGN_IN_CODE_USED: {
    kind: 'refused',
    zh: '这个动态码已经用过，请等待下一个',
    en: 'This code was already used. Wait for the next one.',
  },
  CHALLENGE_EXPIRED: {
    kind: 'refused',
    zh: '等待时间过长，请重新输入密码',
    en: 'This took too long. Please enter your password again.',
  },
  USERNAME_TAKEN: { kind: 'refused', zh: '用户名已被占用', en: 'This username is taken.' },
  EMAIL_TAKEN: { kind: 'refused', zh: '邮箱已被注册', en: 'This email is already registered.' },
  VCODE_WRONG: { kind: 'refused', zh: '验证码不正确', en: 'The verification code is wrong.' },
  VCODE_EXPIRED: {
    kind: 'refused',
    zh: '验证码已失效，请重新获取',
    en: 'The verification code is no longer valid. Please request a new one.',
  },
  ASK_MAIN_ACCOUNT: {
    kind: 'refused',
    zh: '子账号请联系主账号重置密码',
    en: 'This is a sub-account. Ask its main account to reset the password.',
  },
  QUOTA_NOT_ENOUGH: { kind: 'refused', zh: '余额不足', en: 'The balance is not enough.' },
  CAP_REACHED: {
    kind: 'refused',
    zh: '超出主账号设定的{{period}}{{quantity}}上限 {{cap}}：还可用 {{left}}，{{renewsAt}} 恢复',
    en: 'This exceeds the {{period}} cap of {{cap}} {{quantity}} set by your main account: {{left}} left. It resets at {{renewsAt}}.',
  },
  API_KEY_CAP_REACHED: {
    kind: 'refused',
    zh: '超出该密钥的{{period}}字符上限 {{cap}}：还可用 {{left}}，{{renewsAt}} 恢复',
    en: 'This exceeds the {{period}} cap of {{cap}} characters of this key: {{left}} left. It resets at {{renewsAt}}.',
  },
  API_KEY_SCOPE: {
    kind: 'forbidden',
    zh: '该密钥没有此项权限（{{scope}}），请在控制台修改密钥权限',
    en: 'This key lacks the scope {{scope}}. Add it to the key in the console.',
  },
  API_KEY_ADDRESS: {
    kind: 'forbidden',
    zh: '该密钥不允许从当前 IP 地址（{{ip}}）使用',
    en: 'This key may not be used from {{ip}}.',
  },
  API_KEY_CHANNEL: {
    kind: 'forbidden',
    zh: '该密钥只能使用通道 {{channelId}}，请去掉 channelId 或修改密钥',
    en: 'This key may only use channel {{channelId}}. Leave channelId out, or change the key.',
  },
  API_KEY_NOT_CHANGEABLE: {
    kind: 'conflict',
    zh: '该密钥已吊销，无法修改',
    en: 'This key was revoked and can no longer be changed.',
  },
  API_KEYS_FULL: {
    kind: 'refused',
    zh: 'API 密钥已达上限（100 个），请先吊销不用的密钥',
    en: 'You have reached the limit of 100 API keys. Revoke those that are no longer needed.',
  },
  API_KEYS_TOO_OFTEN: {
    kind: 'tooMany',
    zh: '24 小时内新建的 API 密钥太多，请明天再试',
    en: 'Too many API keys were made within 24 hours. Please try again tomorrow.',
  },
  LEDGER_READ_ONLY: {
    kind: 'conflict',
    zh: '账户正在核查，额度暂时不能使用或变动。本次未扣费，核查结束后即可继续。',
    en: 'This account is being checked: its quota cannot be used or changed for now. You were not charged, and can continue once the check is over.',
  },
  LEDGER_ARCHIVED: {
    kind: 'refused',
    zh: '{{since}} 之前的翻译记录已归档，请选择之后的时间',
    en: 'Translations from before {{since}} are in the archive. Please choose a later time.',
  },
  BATCH_QUOTA_NOT_ENOUGH: {
    kind: 'refused',
    zh: '主账号的{{quantity}}不够：共需 {{needed}}，可用 {{free}}。没有分配给任何子账号',
    en: 'The main account has too few {{quantity}}: {{needed}} needed, {{free}} available. Nothing was distributed.',
  },
  TOO_MANY_SUB_ACCOUNTS: {
    kind: 'refused',
    zh: '一次最多处理 {{most}} 个子账号，符合条件的有 {{count}} 个，请缩小搜索范围',
    en: 'At most {{most}} sub-accounts can be handled at a time, and {{count}} match. Please narrow the search.',
  },
  QUOTA_TOO_LARGE: {
    kind: 'refused',
    zh: '数量过大，超出账户可保存的范围',
    en: 'The amount is larger than an account can hold.',
  },
  NOTHING_TO_CHANGE: { kind: 'refused', zh: '没有需要变更的数量', en: 'There is nothing to change.' },
  SUB_WITHOUT_MAILBOX: {
    kind: 'refused',
    zh: '子账号没有邮箱，密码由主账号重设',
    en: 'Sub-accounts have no mailbox. Their main account can reset the password.',
  },
  NO_MAILBOX: {
    kind: 'refused',
    zh: '子账号没有邮箱，提醒只在页面上显示',
    en: 'Sub-accounts have no email address, so reminders appear in the console only.',
  },
  SUB_ACCOUNTS_NOT_INCLUDED: {
    kind: 'forbidden',
    zh: '当前会员组不包含子账号功能，请选择包含子账号功能的会员组',
    en: 'Your member group has no sub-accounts. Choose one that includes them.',
  },
  CHANNEL_CHANGED: {
    kind: 'conflict',
    zh: '翻译通道刚刚更换，请重试',
    en: 'The translation channel has just been changed. Please try again.',
  },
  SAME_CHANNEL: {
    kind: 'refused',
    zh: '当前已在使用该翻译通道',
    en: 'This translation channel is already in use.',
  },
  PACKAGE_EXPIRED: {
    kind: 'refused',
    zh: '套餐已过期，充值后剩余额度恢复可用',
    en: 'The package has expired. What is left can be used again after a top-up.',
  },
  SAME_LANGUAGE: {
    kind: 'refused',
    zh: '原文语言与译文语言相同',
    en: 'The source and the target language are the same.',
  },
  LANGUAGE_NOT_DETECTED: {
    kind: 'refused',
    zh: '未能识别原文语言，请手动选择',
    en: 'The language could not be detected. Please choose it.',
  },
  PAIR_NOT_SUPPORTED: {
    kind: 'refused',
    zh: '该通道不支持这个语言方向，请更换语言或翻译通道',
    en: 'This channel cannot translate this pair. Choose another language or another channel.',
  },
  FORMALITY_NOT_SUPPORTED: {
    kind: 'refused',
    zh: '该通道或目标语言不支持选择语气，请改用 prefer_more 或 prefer_less',
    en: 'This channel has no choice of formality for this target. Use prefer_more or prefer_less.',
  },
  CHANNEL_UNAVAILABLE: {
    kind: 'refused',
    zh: '该翻译通道暂不可用',
    en: 'This translation channel is not available.',
  },
  CHANNEL_NOT_INCLUDED: {
    kind: 'refused',
    zh: '包月期间只能使用单价不高于当前通道的翻译通道',
    en: 'A monthly package includes only channels that cost no more than your own.',
  },
  PLAN_NOT_ON_SALE: {
    kind: 'refused',
    zh: '该套餐已停售，请刷新页面后重新选择',
    en: 'This package is not on sale. Refresh the page and choose again.',
  },
  PAY_CHANNEL_UNAVAILABLE: {
    kind: 'refused',
    zh: '该支付方式暂不可用，请选择其他支付方式',
    en: 'This payment method is not available. Choose another one.',
  },
  USDT_MAKES_NO_ORDER: {
    kind: 'refused',
    zh: 'USDT 在外部页面付款，不创建订单',
    en: 'USDT is paid on an external page; it makes no order.',
  },
  ORDER_AMOUNT_TOO_LARGE: {
    kind: 'refused',
    zh: '订单金额超出可支付范围，请减少数量',
    en: 'The amount is larger than can be paid at once. Lower the quantity.',
  },
  TOO_MANY_OPEN_ORDERS: {
    kind: 'conflict',
    zh: '未支付的订单过多，请先支付或取消',
    en: 'There are too many unpaid orders. Pay or cancel one first.',
  },
  ORDER_NOT_OPEN: {
    kind: 'conflict',
    zh: '订单不是待支付状态',
    en: 'This order is no longer awaiting payment.',
  },
  GATEWAY_REFUSED: {
    kind: 'upstream',
    zh: '支付网关未接受该订单，请换一种支付方式或联系客服',
    en: 'The payment gateway did not accept this order. Choose another method or ask customer service.',
  },
  GATEWAY_UNKNOWN: {
    kind: 'timeout',
    zh: '支付网关没有应答，结果未知。订单已保留，可在“充值订单”中继续支付或刷新状态',
    en: 'The payment gateway did not answer, so the outcome is unknown. The order is kept: continue or refresh it under “Recharge orders”.',
  },
  REFUND_NOT_POSSIBLE: {
    kind: 'refused',
    zh: '该订单带来的额度已用完、已分配给子账号或已过期，没有可退的部分',
    en: 'What this order added is used up, is with sub-accounts or has expired: there is nothing to refund.',
  },
  REFUND_AMOUNT_CHANGED: {
    kind: 'conflict',
    zh: '现在可退的金额与申请的不同：申请之后额度被使用，或已退过款',
    en: 'What can be refunded is no longer the amount asked for: quota was used, or money was refunded since.',
  },
  STATEMENT_UNKNOWN: {
    kind: 'refused',
    zh: '{{file}} 不是支付宝业务明细（GBK）或微信支付交易账单（UTF-8），或混用了编码',
    en: '{{file}} is neither Alipay’s business details (GBK) nor WeChat Pay’s trade bill (UTF-8), or it mixes encodings.',
  },
  STATEMENT_INCOMPLETE: {
    kind: 'refused',
    zh: '{{file}} 不完整：没有结尾，或笔数与合计不符。请重新下载',
    en: '{{file}} is incomplete: its end is missing, or its totals do not match its lines. Download it again.',
  },
  STATEMENT_LINE_INVALID: {
    kind: 'refused',
    zh: '{{file}} 第 {{line}} 行无法理解：{{what}}',
    en: '{{file}}, line {{line}} could not be parsed: {{what}}',
  },
  STATEMENT_TOO_LONG: {
    kind: 'refused',
    zh: '{{file}} 超过 {{most}} 行，请分几次导出',
    en: '{{file}} has more than {{most}} lines. Download it in parts.',
  },
  STATEMENT_EMPTY: {
    kind: 'refused',
    zh: '{{file}} 没有任何交易：请说明它是哪几天的（从、到）',
    en: '{{file}} has no lines. Give its days: from and to.',
  },
  RECONCILIATION_UNDER_WAY: {
    kind: 'conflict',
    zh: '正在对账，请等它结束',
    en: 'A reconciliation is under way. Wait until it ends.',
  },
  DIFFERENCE_CLOSED: { kind: 'conflict', zh: '这处差异已经结案', en: 'This difference is closed already.' },
  EXCEPTION_GONE: {
    kind: 'conflict',
    zh: '这项异常已经处理或结案，请刷新',
    en: 'This exception has been dealt with or closed already. Reload it.',
  },
  INVOICE_NOT_POSSIBLE: {
    kind: 'refused',
    zh: '只有已支付且未全额退款的订单可以申请发票',
    en: 'An invoice can be requested only for an order that is paid and not refunded in full.',
  },
  TWO_STEP_ON: { kind: 'conflict', zh: '两步验证已经开启', en: 'Two-step sign-in is already on.' },
  TWO_STEP_OFF: { kind: 'conflict', zh: '两步验证没有开启', en: 'Two-step sign-in is not on.' },
  ENROLMENT_LINK_USED: {
    kind: 'conflict',
    zh: '此链接已使用或已过期，请向所有者索取新的链接',
    en: 'This link was used or has expired. Ask an owner for a new one.',
  },
  PASSKEY_REFUSED: {
    kind: 'refused',
    zh: '这个通行密钥没有通过验证，请重新添加',
    en: 'This passkey could not be verified. Add it again.',
  },
  PASSKEYS_FULL: {
    kind: 'refused',
    zh: '最多可以有 {{max}} 个通行密钥，请先删除一个',
    en: 'You can have {{max}} passkeys at most. Remove one first.',
  },
  VIEW_ONLY: {
    kind: 'forbidden',
    zh: '这是运营人员打开的只读页面，不能执行此操作',
    en: 'An operator opened this account read-only. Nothing can be changed or downloaded here.',
  },
  VIEW_LINK_USED: {
    kind: 'refused',
    zh: '这个查看链接已使用或已过期，请在运营台重新打开',
    en: 'This link was used or has expired. Open the member again in the operator console.',
  },
  APPROVAL_REQUIRED: {
    kind: 'refused',
    zh: '超过单人限额，请提交审批',
    en: 'This exceeds what one operator may do. Submit it for approval.',
  },
  EXPIRY_OF_MAIN: {
    kind: 'refused',
    zh: '子账号的有效期就是主账号的，请调整主账号',
    en: 'A sub-account expires with its main account. Adjust the main account.',
  },
  PLAN_FOR_MAIN: {
    kind: 'refused',
    zh: '套餐只能给主账号',
    en: 'Only main accounts can have plans; this is a sub-account.',
  },
  NO_SUCH_PLAN: { kind: 'missing', zh: '没有这个套餐', en: 'There is no such plan.' },
  TRIAL_ONCE: {
    kind: 'refused',
    zh: '免费试用每个邮箱只有一次，请改用调整额度',
    en: 'The free trial is given once per mailbox. Adjust the quota instead.',
  },
  OPERATOR_EXISTS: {
    kind: 'conflict',
    zh: '已有同名的操作员',
    en: 'An operator with this name exists already.',
  },
  OPERATOR_ENDED: { kind: 'conflict', zh: '该操作员已停用', en: 'This operator’s account has ended.' },
  LAST_OWNER: {
    kind: 'refused',
    zh: '最后一位所有者不能停用或降级',
    en: 'The last owner can be neither ended nor given another role.',
  },
  ROLE_UNCHANGED: { kind: 'refused', zh: '该操作员已经是这个角色', en: 'The operator has this role already.' },
  REQUEST_OPEN: {
    kind: 'conflict',
    zh: '同一对象已有一个同类申请在等待决定',
    en: 'A request of this kind for the same target is waiting already.',
  },
  REQUEST_DECIDED: {
    kind: 'conflict',
    zh: '该申请已经有结果，请刷新',
    en: 'This request has already been decided or has ended. Reload it.',
  },
  EDITED_MEANWHILE: {
    kind: 'conflict',
    zh: '{{changedBy}} 已在 {{changedAt}} 保存了更新的版本，请比对后再保存',
    en: '{{changedBy}} saved a newer version at {{changedAt}}. Compare the two, then save again.',
  },
  NOTICE_ENDED: {
    kind: 'conflict',
    zh: '该公告已撤下，不能再改',
    en: 'This notice was withdrawn and can no longer be changed.',
  },
  PRICE_UNCHANGED: {
    kind: 'conflict',
    zh: '与现在的价格相同，没有可改的',
    en: 'These are the prices of today: nothing would change.',
  },
  VENDOR_ACCOUNT_EXISTS: {
    kind: 'conflict',
    zh: '该通道已有同名账号',
    en: 'This channel already has an account of this name.',
  },
  VENDOR_BILL_EXISTS: {
    kind: 'conflict',
    zh: '这个账号已有同号的账单',
    en: 'The account has a bill with this number already.',
  },
  VENDOR_ACCOUNT_OF_SETTINGS: {
    kind: 'conflict',
    zh: '该账号来自环境或文件，这里只能改成本',
    en: 'This account comes from the environment or a file. Only its cost can be changed here.',
  },
  AUDIT_RUN_OVER: {
    kind: 'conflict',
    zh: '这次核对已经结束',
    en: 'This audit has ended already.',
  },
  AUDIT_RUN_NOT_STOPPED: {
    kind: 'conflict',
    zh: '只有已停止或失败的核对可以继续',
    en: 'Only an audit that was stopped or has failed can be resumed.',
  },
  WHAT_IF_OVER: {
    kind: 'conflict',
    zh: '这次试算已经结束',
    en: 'This what-if has ended already.',
  },
  WHAT_IF_NOT_STOPPED: {
    kind: 'conflict',
    zh: '只有已停止或失败的试算可以继续',
    en: 'Only a what-if that was stopped or has failed can be resumed.',
  },
  WHAT_IF_NOT_SOUND: {
    kind: 'conflict',
    zh: '这次试算没有可用的结果，不能作为理由',
    en: 'This what-if has no sound result, so it cannot be a reason.',
  },
  WHAT_IF_OF_ANOTHER_CHANGE: {
    kind: 'conflict',
    zh: '这次试算算的不是这项改价',
    en: 'This what-if is not about this change of the price.',
  },
  AUDIT_RUN_UNDER_WAY: {
    kind: 'conflict',
    zh: '正在核对全库，同一时间只能有一次。请等它结束，或先停止它。',
    en: 'The whole ledger is being audited, one run at a time. Wait until it ends, or stop it first.',
  },
  FAMILY_NOT_READ_ONLY: {
    kind: 'conflict',
    zh: '这个家庭没有处于只读状态',
    en: 'This family is not read-only.',
  },
  PROOF_OFF: {
    kind: 'conflict',
    zh: '这个账户的账本有差异，导出证明已停用。请先核对，查清之后再导出。',
    en: 'The ledger of this account differs, so no proof of it can be exported. Audit it and settle the difference first.',
  },
  ENROLMENT_EXPIRED: {
    kind: 'conflict',
    zh: '二维码已过期，请重新开始设置',
    en: 'This QR code has expired. Please start again.',
  },
  INVOICE_EXISTS: {
    kind: 'conflict',
    zh: '该订单已申请过发票，无需重复申请',
    en: 'An invoice has already been requested for this order.',
  },
  TOO_MANY_REQUESTS: {
    kind: 'tooMany',
    zh: '操作过于频繁，请稍后再试',
    en: 'Too many requests. Please wait a moment and try again.',
  },
  VCODE_TOO_SOON: {
    kind: 'tooMany',
    zh: '验证码发送过于频繁，请稍后再试',
    en: 'A code was just sent. Please wait before asking again.',
  },
  LOGIN_LOCKED: {
    kind: 'tooMany',
    zh: '登录失败次数过多，请稍后再试',
    en: 'Too many failed sign-ins. Please try again later.',
  },
  UPSTREAM_FAILED: {
    kind: 'upstream',
    zh: '翻译通道返回错误，本次未扣费。请稍后重试，或更换翻译通道。',
    en: 'The translation channel failed. You were not charged. Try again later, or choose another channel.',
  },
  UPSTREAM_TIMEOUT: {
    kind: 'timeout',
    zh: '翻译通道超时，本次未扣费。请稍后重试，或更换翻译通道。',
    en: 'The translation channel timed out. You were not charged. Try again later, or choose another channel.',
  },
  NOT_TRANSLATED: {
    kind: 'upstream',
    zh: '该通道没有给出有效译文，本次未扣费。请检查原文语言，或更换翻译通道。',
    en: 'The channel gave no valid translation. You were not charged. Check the source language, or choose another channel.',
  },
  CONTENT_REFUSED: {
    kind: 'refused',
    zh: '这段文本未通过该通道的内容审核，本次未扣费。请修改文本，或更换翻译通道。',
    en: 'This channel’s content policy rejected the text. You were not charged. Change the text, or choose another channel.',
  },
  TEXT_EMPTY: {
    kind: 'refused',
    zh: '没有可翻译的内容：文本中没有可见字符',
    en: 'There is nothing to translate: the text has no visible characters.',
  },
  ACCOUNT_CLOSED: {
    kind: 'signedOut',
    bodyStatus: 704,
    zh: '账号已注销，本次未扣费',
    en: 'This account has been closed. You were not charged.',
  },
  SERVICE_BUSY: { kind: 'unavailable', zh: '服务繁忙，请稍后再试', en: 'The service is busy. Please try again later.' },
  SERVER_ERROR: { kind: 'ours', zh: '服务器异常，请联系工作人员', en: 'Server exception, please contact staff' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errors;

/** What a refusal may carry outward: `data` of the envelope, field errors, and the seconds of Retry-After. */
export type RefusalDetails = {
  data?: Record<string, unknown>;
  /** `msg` is filled in by the language of the request. */
  errors?: { path: string; code: string }[];
  retryAfterSeconds?: number;
};

/** The one error the product throws on purpose. Anything else is a bug and becomes a 500. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: RefusalDetails = {},
  ) {
    super(code);
    this.name = 'Refusal';
  }
}

/** The words of a message that depend on `data`. */
const WORDS: Readonly<Record<string, { zh: string; en: string }>> = {
  charNum: { zh: '字符', en: 'characters' },
  voiceNum: { zh: '语音', en: 'voice uses' },
  imageNum: { zh: '图片', en: 'images' },
  day: { zh: '每日', en: 'daily' },
  month: { zh: '每月', en: 'monthly' },
};

/** The text of a refusal; `{{name}}` is replaced by that value of `data`. */
export function errorMessage(code: ErrorCode, language: 'zh' | 'en', data: Record<string, unknown> = {}): string {
  return errors[code][language].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = data[name];
    if (typeof value === 'number') return value.toLocaleString('en-US');
    return typeof value === 'string' ? (WORDS[value]?.[language] ?? value) : '';
  });
}

/** HTTP status and body `status` of a code (decisions §1). */
export const statusOf = (code: ErrorCode): { http: number; body: number } => {
  const row: ErrorRow = errors[code];
  const http = KINDS[row.kind];
  return { http, body: row.bodyStatus ?? http };
};
