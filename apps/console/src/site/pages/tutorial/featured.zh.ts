import type { Section } from './tree.js';

export const featured = {
  znai: {
    title: '智能 AI',
    lead: '翻译通道里有 ChatGPT，对话里有 AI 回复。',
    parts: [
      {
        title: '用 AI 通道翻译',
        blocks: [
          '口语、俚语和长句，可以试试 ChatGPT 通道。在「翻译测试」里把它与其他通道并排，译文和费用一目了然。',
          {
            source: '这个价真的不能再低了，给您包邮吧。',
            translation: 'I can’t go any lower, but I’ll cover the shipping.',
            languages: ['zh-CN', 'en'],
          },
        ],
      },
      {
        title: '核对再用',
        blocks: [
          { warning: '译文与回复由机器生成，可能有误。数字、日期和承诺请核对后再发。' },
          { to: '/productDesc/aihf', text: '了解 AI 回复' },
        ],
      },
    ],
  },
  tpfy: {
    title: '图片翻译',
    lead: '识别图中的文字，原位换成译文。',
    parts: [
      {
        title: '在后台试',
        blocks: [
          {
            steps: [
              '打开「翻译测试」，选「图片」。',
              '选择或拖入一张图片，选好译文语言，点「翻译」。',
              '原图与译图可以对照着看。',
            ],
          },
          { note: '每张扣 1 张图片额度；没有识别到文字不扣。' },
          { to: '/UserCenterChangeTranslateTest', text: '去试图片翻译' },
        ],
      },
      {
        title: '拍清楚',
        blocks: ['正对着拍，光线均匀，文字不要太小。标签、说明书、聊天截图都可以。'],
      },
    ],
  },
  khzx: {
    title: '客户中心',
    lead: '客户中心在客户端里，把不同应用里的客户放在一起看。',
    parts: [
      {
        title: '适合做什么',
        blocks: [
          {
            list: ['按国家与语言整理客户。', '配合粉丝备注，记下谈到哪一步。', '按联系人设好语言，开口就是对方的话。'],
          },
          { to: '/productDesc/fsbz', text: '了解粉丝备注' },
        ],
      },
      {
        title: '多人协作',
        blocks: [
          '给每位同事一个子账号，额度由主账号分配，用量分开统计。',
          { to: '/productDesc/zzhgl', text: '了解子账号管理' },
        ],
      },
    ],
  },
  xssz: {
    title: '显示设置',
    lead: '译文怎样显示，由你定。',
    parts: [
      {
        title: '原文与译文',
        blocks: [
          '原文在上，译文在下，对照着读，便于核对。',
          { source: 'When can you ship?', translation: '什么时候能发货？', languages: ['en', 'zh-CN'] },
        ],
      },
      {
        title: '网站的语言与外观',
        blocks: ['本站右上角可以在简体中文与英文之间切换，选择会记住。浅色与深色默认跟随系统，也可以自己选。'],
      },
    ],
  },
} satisfies Record<string, Section>;
