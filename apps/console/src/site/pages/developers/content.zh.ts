import {
  API_KEY_OVERLAP_HOURS_MAX,
  API_KEY_REPEAT_SECONDS,
  API_KEYS_MAX,
  GLOSSARY_TERM_MAX,
  GLOSSARY_TERMS_MAX,
  TEXT_MAX_CODE_POINTS,
  TEXTS_AT_ONCE,
} from '@yiqiao/domain/limits';
import { grouped } from '../../../shared/amounts.js';
import { LANGUAGES, refused, termsOf, translatedTo, USAGE } from './answers.js';
import type { DevDoc } from './dev-doc.js';
import doors from './doors.zh.js';

const answer = (code: string) => ({ code, name: '响应' });
const FIELDS = ['字段', '类型', '说明'];

const content: DevDoc = {
  lead: '在自己的店铺系统、客服台、插件和脚本里翻译。新建一个密钥，发一个 HTTP 请求，就拿到译文；已有的 DeepL、谷歌等客户端改一下地址和密钥也能用。',
  parts: [
    {
      title: '快速开始',
      blocks: [
        {
          steps: [
            '登录会员中心，打开「API 密钥」，新建一个密钥。密钥只显示一次，请马上存好。',
            '把密钥放进环境变量 `API_KEY`，不要写进代码、网页或客户端。',
            '发送第一个请求：一次可以翻译一段或多段文本，原文语言自动识别。',
          ],
        },
        { call: 'translate' },
        answer(
          translatedTo('zh-Hans', [
            { translated: 'Hello, is this still in stock?', charged: 10 },
            { translated: 'Free returns within seven days', charged: 9 },
          ]),
        ),
        { to: '/UserCenterApiKeys', text: '新建 API 密钥' },
        { to: '/openapi.json', text: 'OpenAPI 3.1 描述文件' },
      ],
    },
    {
      title: '认证与权限',
      blocks: [
        '每个请求都带请求头 `Authorization: Bearer yq_…`。密钥扣的是创建它的账号的额度，每次调用都记在翻译日志和账变日志里，并写明是哪个密钥。',
        {
          head: ['权限', '可以做什么'],
          rows: [
            ['`text`', '翻译文本，查看语言列表'],
            ['`glossary.read`', '查看术语表'],
            ['`glossary.write`', '添加、修改、删除术语（仅主账号的密钥）'],
            ['`usage`', '查看余额与用量'],
          ],
        },
        {
          list: [
            '每个密钥可以设：翻译通道、每天与每月的字符上限、每秒请求数、IP 白名单、到期时间。修改和吊销在一秒内生效，上限立即生效。',
            `轮换密钥时，旧密钥可以再用一段时间，最长 ${API_KEY_OVERLAP_HOURS_MAX / 24} 天，换完程序再停。`,
            '用到上限的密钥只停它自己，到下一天或下一月（北京时间零点）恢复；账号的其他用途不受影响。',
          ],
        },
        {
          warning:
            '`yqu_` 开头的是链接令牌，写在网址里使用，供只能填网址的软件用。谁看到网址，谁就能用它翻译，所以它只有 `text` 一项权限。建议给它设上限和到期时间。',
        },
      ],
    },
    {
      title: '请求与响应',
      blocks: [
        'GET 的参数写在网址里，POST 与 DELETE 发送 JSON。不认识的字段会被拒绝，不会悄悄忽略。',
        '所有响应的格式相同。成功时看 `data`；失败时看 `code`，它不会变，`msg` 是给人看的说明，按 `Accept-Language` 给中文或英文。字段有误时，`errors` 逐项列出。',
        answer(refused('超出该密钥的每日字符上限 10,000：还可用 3，2026-12-01 00:00:00 恢复')),
        '时间一律是北京时间，格式 `YYYY-MM-DD HH:mm:ss`。字符按 Unicode 码点计，一个汉字、一个字母、一个表情各算一个。',
      ],
    },
    {
      title: '翻译文本',
      blocks: [
        { call: 'translate' },
        {
          head: FIELDS,
          rows: [
            [
              '`text`',
              '字符串或数组',
              `一段文本，或最多 ${TEXTS_AT_ONCE} 段；合计不超过 ${grouped(TEXT_MAX_CODE_POINTS)} 字符。原样翻译，不去空格`,
            ],
            ['`target`', '字符串', '译文语言的代码，如 `en`、`zh-Hans`'],
            ['`source`', '字符串', '原文语言的代码。不填为 `auto`，自动识别'],
            ['`format`', '字符串', '`text`（默认）、`html` 或 `xml`。后两种保留标签与属性，只翻译和计费文字'],
            [
              '`formality`',
              '字符串',
              '语气：`more` 正式，`less` 随意；DeepL 的部分目标语言和 ChatGPT 支持，其他情况会报错。`prefer_more`、`prefer_less` 在不支持时忽略',
            ],
            [
              '`channelId`',
              '整数',
              '指定翻译通道，按它的单价折算字符。不填用密钥的通道；密钥限定了通道时不能换用其他通道',
            ],
          ],
        },
        '`data.items` 与原文一一对应。某一段没有翻译成功时，它的 `success` 为 `false`，`translated` 为 `null`，不扣费，原因在 `code` 与 `msg`；`SAME_LANGUAGE` 表示原文已经是目标语言，照用原文即可。',
      ],
    },
    {
      title: '语言列表',
      blocks: [
        '可以翻译的语言，以及每种语言有哪些通道支持。`chineseName` 与 `englishName` 可以直接显示。',
        { call: 'languages' },
        answer(LANGUAGES),
      ],
    },
    {
      title: '余额与用量',
      blocks: [
        '账号的余额，和这个密钥今天、本月已用的字符。上限为 0 表示不限。需要 `usage` 权限。',
        { call: 'usage' },
        answer(USAGE),
      ],
    },
    {
      title: '术语表',
      blocks: [
        '术语在每次翻译里自动使用，主账号与子账号共用。按语言方向分页查看：',
        { call: 'listTerms' },
        answer(termsOf({ source: 'zh-Hans', target: 'en', term: '保温杯', translation: 'insulated mug' })),
        '添加一条；带上 `id` 则修改它：',
        { call: 'saveTerm' },
        '删除一条或多条，全部成功或全部不删：',
        { call: 'deleteTerms' },
        `最多 ${grouped(GLOSSARY_TERMS_MAX)} 条，术语与译文各不超过 ${GLOSSARY_TERM_MAX} 字符。查看需要 \`glossary.read\`，修改需要 \`glossary.write\`。`,
      ],
    },
    {
      title: '重试不会重复扣费',
      blocks: [
        {
          list: [
            `同一个密钥在 ${API_KEY_REPEAT_SECONDS} 秒内重发完全相同的请求：前一个还在处理，就一起等它的结果；前一个已经翻译好、你却没收到，就直接得到那份结果。两种情况都只扣一次。`,
            '一批文字里有几条暂时没翻译成，重发同样的请求只会再翻译这几条，其余不再扣费。改过术语表或通道之后，同样的请求算作新的请求。',
            '要在更长时间内防止重复，自己带上请求头 `Idempotency-Key`：1 到 64 位字母、数字、下划线或连字符。24 小时内同一个值只执行一次，整份结果原样返回，失败的那几条也一样；换了内容再用同一个值，会得到 `IDEMPOTENCY_KEY_REUSED`。',
            '收到 429 或 503 时，等 `Retry-After` 给出的秒数再试。其他 4xx 重试也不会变，请先改请求。',
          ],
        },
        {
          code: 'curl \'{{origin}}/v1/translate\' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H \'Idempotency-Key: order-20261128-0017\' \\\n  -H \'Content-Type: application/json\' \\\n  -d \'{"text":"你好","target":"en"}\'',
          name: '命令',
        },
      ],
    },
    {
      title: '错误',
      blocks: [
        {
          head: ['HTTP', '`code`', '原因与处理'],
          rows: [
            ['400', '`MALFORMED_JSON`', '请求体不是有效的 JSON'],
            ['401', '`API_KEY_REQUIRED`', '请求头 `Authorization: Bearer` 缺少或写错'],
            ['401', '`API_KEY_UNKNOWN`', '密钥不对，例如没有复制完整'],
            ['401', '`API_KEY_EXPIRED`', '密钥已过期，在控制台延长有效期'],
            ['401', '`API_KEY_REVOKED`', '密钥已吊销，换一个'],
            ['401', '`SESSION_DISABLED`', '密钥所属的账号已停用'],
            ['403', '`API_KEY_SCOPE`', '密钥没有这项权限'],
            ['403', '`API_KEY_ADDRESS`', '当前 IP 不在白名单里'],
            ['403', '`API_KEY_CHANNEL`', '密钥只能使用另一个通道'],
            ['403', '`MAIN_ACCOUNT_ONLY`', '只有主账号可以这样做'],
            ['404', '`NOT_FOUND`', '没有这个地址，或没有这条数据'],
            ['409', '`IDEMPOTENCY_KEY_REUSED`', '这个幂等键用过，但内容不同'],
            ['409', '`TERM_EXISTS`', '该语言方向已有相同的术语'],
            ['409', '`LEDGER_READ_ONLY`', '账户正在核查，未扣费'],
            ['413', '`PAYLOAD_TOO_LARGE`', '请求体太大'],
            ['422', '`VALIDATION_FAILED`', '字段有误，`errors` 里逐项说明'],
            ['422', '`UNKNOWN_FIELD`', '请求体里有不认识的字段'],
            ['422', '`QUOTA_NOT_ENOUGH`', '余额不足，未扣费'],
            ['422', '`PACKAGE_EXPIRED`', '套餐已过期，未扣费'],
            ['422', '`API_KEY_CAP_REACHED`', '超出密钥的上限；`data` 里有上限、剩余和恢复时间'],
            ['422', '`CAP_REACHED`', '超出主账号给子账号设的上限'],
            ['422', '`PAIR_NOT_SUPPORTED`', '通道不支持这个语言方向'],
            ['422', '`CHANNEL_UNAVAILABLE`', '通道暂不可用'],
            ['422', '`CHANNEL_NOT_INCLUDED`', '套餐不含这个通道'],
            ['422', '`FORMALITY_NOT_SUPPORTED`', '通道或目标语言不能选择语气'],
            ['422', '`CONTENT_REFUSED`', '文本未通过内容审核，未扣费'],
            ['429', '`TOO_MANY_REQUESTS`', '请求太快，等 `Retry-After` 秒'],
            ['502', '`UPSTREAM_FAILED`', '翻译通道出错，未扣费，可以重试'],
            ['502', '`NOT_TRANSLATED`', '没有有效译文，未扣费'],
            ['503', '`SERVICE_BUSY`', '服务繁忙，等 `Retry-After` 秒'],
            ['504', '`UPSTREAM_TIMEOUT`', '翻译通道超时，未扣费，可以重试'],
          ],
        },
      ],
    },
    {
      title: '限制',
      blocks: [
        {
          head: ['项目', '上限'],
          rows: [
            ['每次请求的文本', `${TEXTS_AT_ONCE} 段，合计 ${grouped(TEXT_MAX_CODE_POINTS)} 字符`],
            ['每秒请求数', '密钥自己的设置，且不超过账号的限制（通常 50）'],
            ['同时进行的请求', '每个账号通常 100'],
            ['处理时间', '通常几秒；客户端的超时请设为 60 秒'],
            ['密钥数量', `每个主账号与其子账号合计 ${API_KEYS_MAX} 个，不含已吊销的`],
          ],
        },
      ],
    },
    doors,
    {
      title: 'Webhook 事件通知',
      blocks: [
        '订单支付或退款、额度不足、套餐快到期、密钥到上限、术语表导入时，消息会主动发到你的服务器，不必反复查询；也可以发到企业微信、飞书、钉钉、Slack 的群里。由主账号设置。',
        { to: '/UserCenterWebhook', text: '设置 Webhook' },
        { webhooks: true },
      ],
    },
    { title: '在线试用', blocks: ['用自己的密钥发一次真实的请求，看到的就是程序会收到的。', { tryIt: true }] },
  ],
};
export default content;
