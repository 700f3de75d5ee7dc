import type { Quota } from '@yiqiao/domain/ledger';

/** Who is in the demo family and what happens to it. Only in development (decisions §8). */
export const DEMO = {
  account: 'demo',
  email: 'demo@yiqiao.example',
  nickname: '林岚',
  manager: '译桥运营',
  /** The professional plan, which includes sub-accounts. */
  grant: ['3', '1', '--reason', '开通演示账号', '--by', '译桥运营'],
  adjustment: ['--images', '30', '--reason', '图片翻译活动赠送', '--by', '译桥运营'],
} as const;

/** `share`: what its main account gives it; `lines`: how many of the lines below it translates. */
export type DemoChild = { account: string; nickname: string; share: Quota; lines: number; switchedOff?: true };

const share = (charNum: number, voiceNum = 0, imageNum = 0): Quota => ({ charNum, voiceNum, imageNum });

export const DEMO_CHILDREN: readonly DemoChild[] = [
  { account: 'demo日韩', nickname: '日韩组', share: share(1_200), lines: 3 },
  { account: 'demo拉美', nickname: '拉美组', share: share(800), lines: 2 },
  { account: 'demo欧洲', nickname: '欧洲组', share: share(500_000, 20, 10), lines: 5 },
  { account: 'demo东南亚', nickname: '东南亚组', share: share(200_000, 10, 10), lines: 4 },
  { account: 'demo中东', nickname: '中东组', share: share(50_000, 5), lines: 1 },
  { account: 'demo实习', nickname: '实习生', share: share(10_000), lines: 0, switchedOff: true },
];

/** Directions that work without a key on any machine. */
export const DEMO_LINES = [
  { source: 'zh-Hans', target: 'zh-Hant', text: '你好，请问这款收纳箱还有现货吗？' },
  { source: 'zh-Hans', target: 'zh-Hant', text: '您的订单已经发货，预计三天内送达。' },
  { source: 'zh-Hant', target: 'zh-Hans', text: '請問可以開立發票嗎？' },
  {
    source: 'zh-Hans',
    target: 'zh-Hant',
    text: '这批货走海运，大约二十五天到港，清关由我们负责，您只需要提供收货地址和联系电话。',
  },
  { source: 'zh-Hans', target: 'en', text: '谢谢您的耐心等待。' },
] as const;
