import type { Section } from './tree.js';

/** The client's functions as specification §1 names them; how its windows look is not said. */
export const client = {
  yhzx: {
    title: '用户中心',
    lead: '客户端与官网后台是同一个账号。在客户端看得到的额度，就是后台的额度。',
    parts: [
      {
        title: '在客户端',
        blocks: ['以用户名或邮箱登录。主账号与子账号都可以登录，各用各的额度。'],
      },
      {
        title: '在后台做的事',
        blocks: [
          '充值、查看订单、分配额度、更换翻译通道和查看日志，请登录官网后台。',
          { to: '/UserCenterIndex', text: '打开会员中心' },
        ],
      },
    ],
  },
  tjyy: {
    title: '添加应用',
    lead: '客户端支持 20 多个社交应用，同一个应用可以开任意多个。',
    parts: [
      {
        title: '同一应用，多个账号',
        blocks: [
          '需要几个账号同时在线，就把这个应用添加几次，每个里面登录一个账号。',
          { note: '社交应用的账号仍由你自己登录，使用时请遵守该应用的规则。' },
        ],
      },
      {
        title: '添加之前',
        blocks: [
          {
            list: ['确认额度还有剩余，套餐没有到期。', '想好每个应用由谁负责：给同事开一个子账号，额度分开算。'],
          },
          { to: '/productDesc/zzhgl', text: '怎样开立子账号' },
        ],
      },
    ],
  },
  yygl: {
    title: '应用管理',
    lead: '添加过的应用多了，要分得清、用得省。',
    parts: [
      {
        title: '分清用途',
        blocks: ['同一应用的多个账号彼此独立。建议按店铺、地区或负责人划分，一个账号只做一件事。'],
      },
      {
        title: '用量怎么看',
        blocks: [
          '客户端里的翻译与后台的翻译测试扣同一份额度。每次翻译的通道、字数与费用都在「翻译日志」里，主账号还能在总览看到各账号的用量。',
          { to: '/UserCenterChangeTranslateLog', text: '查看翻译日志' },
        ],
      },
    ],
  },
  gysz: {
    title: '翻译设置',
    lead: '双向翻译 200 多种语言，每位联系人可以有自己的语言设置。',
    parts: [
      {
        title: '按联系人设置语言',
        blocks: [
          '为每位联系人定下两种语言：你写的，和对方读的。收到的消息译成你的语言，发出的消息译成对方的语言。',
          {
            source: '您好，样品已经寄出。',
            translation: 'Hola, la muestra ya se ha enviado.',
            languages: ['zh-CN', 'es'],
          },
        ],
      },
      {
        title: '翻译通道',
        blocks: [
          '可用的通道有 Google、Microsoft、Tencent、Youdao、DeepL 和 ChatGPT。通道由主账号在后台总览更换，子账号跟随主账号。',
          { note: '不同通道单价不同。先在「翻译测试」并排比较，再决定用哪一个。' },
          { to: '/UserCenterChangeTranslateTest', text: '比较翻译通道' },
        ],
      },
      {
        title: '文本、语音与图片',
        blocks: [
          {
            list: ['文本按字符计。', '语音每 60 秒计 1 次，不足 60 秒也计 1 次。', '图片每张计 1 次。'],
          },
        ],
      },
    ],
  },
  kjhf: {
    title: '快捷回复',
    lead: '把常说的话备好，用时一点即发。',
    parts: [
      {
        title: '准备哪些话',
        blocks: [
          {
            list: ['问候与自我介绍。', '报价、起订量、交期。', '付款方式与发货通知。', '售后与退换。'],
          },
          '用自己的语言写，一句只说一件事：句子短，译文才准。',
          {
            source: '您好，我是小林，您的订单由我负责。',
            translation: 'Hello, this is Lin. I am looking after your order.',
            languages: ['zh-CN', 'en'],
          },
        ],
      },
      {
        title: '让译文一致',
        blocks: ['品牌与型号先写进术语表，每次都会译成同一种写法。', { to: '/UserCenterGlossary', text: '打开术语表' }],
      },
    ],
  },
  fsbz: {
    title: '粉丝备注',
    lead: '给联系人写一条备注，下次开口就知道对方是谁。',
    parts: [
      {
        title: '写些什么',
        blocks: [
          {
            list: ['国家、时区和常用语言。', '买过什么，问过什么。', '谈到哪一步，下次该做什么。'],
          },
        ],
      },
      {
        title: '注意隐私',
        blocks: [{ warning: '备注涉及他人信息，只写业务需要的内容，不要写证件号、密码和银行卡号。' }],
      },
    ],
  },
  qfxx: {
    title: '群发消息',
    lead: '一段话发给多位联系人，各自收到自己的语言。',
    parts: [
      {
        title: '发之前算一算',
        blocks: [
          '同一段话译成几种语言，就按几份字符计费。先确认剩余字符足够，再开始群发。',
          {
            source: '新品已到仓，欢迎询价。',
            translation: 'Las novedades ya están en almacén. Consúltenos el precio.',
            languages: ['zh-CN', 'es'],
          },
          {
            source: '新品已到仓，欢迎询价。',
            translation: 'Les nouveautés sont en stock. Demandez-nous le prix.',
            languages: ['zh-CN', 'fr'],
          },
          { note: '先发给一位同事，看过译文再发给客户。' },
        ],
      },
      {
        title: '守规矩',
        blocks: [{ warning: '只发给同意接收的人。骚扰或未经同意的群发违反用户协议，也可能被社交应用限制账号。' }],
      },
    ],
  },
  aihf: {
    title: 'AI 回复',
    lead: '由 AI 起草回复，你看过再发。',
    parts: [
      {
        title: '怎样用好',
        blocks: [
          {
            list: ['价格、交期、承诺由你核对后再发。', '涉及合同、法律、医疗的内容，请专业人员确认。'],
          },
        ],
      },
      {
        title: '额度',
        blocks: ['回复译成对方的语言时，与其他翻译一样计费，可在翻译日志里核对。'],
      },
    ],
  },
  dlsz: {
    title: '代理设置',
    lead: '代理设置在客户端里，决定客户端怎样连接网络。',
    parts: [
      {
        title: '需要设置吗',
        blocks: ['能正常打开官网、收发消息时，不用设置。公司网络要求使用代理时，向网络管理员要地址、端口和账号。'],
      },
      {
        title: '连不上时',
        blocks: [
          {
            steps: ['先用浏览器打开官网，确认网络是通的。', '核对代理的地址与端口。', '仍然不行，请联系客服。'],
          },
          { warning: '只填写你信任的代理。网络的使用须符合所在地法律。' },
        ],
      },
    ],
  },
  xtsz: {
    title: '系统设置',
    lead: '客户端自身的设置在这里；账号与额度的设置在官网后台。',
    parts: [
      {
        title: '哪些在后台设置',
        blocks: [
          {
            list: [
              '昵称、密码、登录设备：个人资料与修改密码。',
              '余额与到期提醒：个人资料。',
              '翻译通道、自动分配：总览，仅主账号。',
            ],
          },
          { to: '/UserCenterInfo', text: '打开个人资料' },
        ],
      },
      {
        title: '保持最新',
        blocks: ['新版本在下载页发布，版本号写在名称下面。', { to: '/download', text: '打开下载页' }],
      },
    ],
  },
} satisfies Record<string, Section>;
