/** The initial documents of a new database, until operators set their own. Fields are in the order of their schemas. */
import type { CustomerServiceDocument, SiteInfo, SoftDownloads } from './site-documents.js';

const SITE: SiteInfo = {
  brand: { zh: '译桥', en: 'Yiqiao' },
  company: {
    zh: '译桥为跨境卖家提供社交应用内的文本、语音与图片翻译。一个窗口接住所有客户。',
    en: 'Yiqiao translates text, voice and images inside the chat apps that cross-border sellers use. One window for every customer.',
  },
  copyright: {
    zh: '© 2026 译桥科技（示例主体） 版权所有',
    en: '© 2026 Yiqiao Technology (sample company). All rights reserved.',
  },
  seller: { zh: '译桥科技（示例主体）', en: 'Yiqiao Technology (sample company)' },
  record: null,
  logo: '',
};

const account = (accountType: 0 | 1, name: string, referUrl: string) => ({
  accountType,
  account: name,
  referUrl,
  qr: '',
  listed: true,
});

/** Sample accounts that show the layout of the pages. */
const SAMPLE_SERVICE: CustomerServiceDocument = [
  {
    platform: 'WeChat',
    accountList: [
      account(0, 'yiqiao-sales', 'https://example.com/wechat/yiqiao-sales'),
      account(1, 'yiqiao-care', 'https://example.com/wechat/yiqiao-care'),
    ],
  },
  {
    platform: 'WhatsApp',
    accountList: [account(0, '+86 000 0000 0000', 'https://example.com/whatsapp/yiqiao')],
  },
  {
    platform: 'Telegram',
    accountList: [
      account(0, 'yiqiao_sales', 'https://example.com/telegram/yiqiao_sales'),
      account(1, 'yiqiao_care', 'https://example.com/telegram/yiqiao_care'),
    ],
  },
];

const download = (id: number, [label, enLabel]: readonly [string, string], file: string) => ({
  id,
  label,
  enLabel,
  version: '1.0.0',
  val: file && `https://example.com/download/${file}`,
  childId: [] as number[],
});

const SAMPLE_DOWNLOADS: SoftDownloads = [
  {
    id: 1,
    label: '译桥客户端',
    enLabel: 'The Yiqiao client',
    children: [
      { ...download(11, ['Windows 版', 'Windows'], ''), childId: [14, 15] },
      { ...download(12, ['macOS 版', 'macOS'], ''), childId: [16, 17] },
      download(13, ['Linux 版（AppImage）', 'Linux (AppImage)'], 'yiqiao-1.0.0.AppImage'),
      download(14, ['64 位安装包', '64-bit installer'], 'yiqiao-1.0.0-x64.exe'),
      download(15, ['免安装压缩包', 'Portable archive'], 'yiqiao-1.0.0-x64.zip'),
      download(16, ['Apple 芯片', 'Apple silicon'], 'yiqiao-1.0.0-arm64.dmg'),
      download(17, ['Intel 芯片', 'Intel'], 'yiqiao-1.0.0-x64.dmg'),
    ],
  },
];

/** Samples never appear in production. */
type Where = { readonly production: boolean };

type DefaultDocuments = { siteInfo: SiteInfo; downloads: SoftDownloads; service: CustomerServiceDocument };

export const defaultsOf = ({ production }: Where): DefaultDocuments => ({
  siteInfo: SITE,
  downloads: production ? [] : SAMPLE_DOWNLOADS,
  service: production ? [] : SAMPLE_SERVICE,
});

type Row = { id: string; valued: unknown; public: boolean };

/** The same as rows of data_config. */
export function defaultDocuments(where: Where): readonly Row[] {
  const { siteInfo, downloads, service } = defaultsOf(where);
  return [
    { id: 'SITE_INFO', valued: siteInfo, public: true },
    { id: 'SOFT_DOWNLOAD_CONFIG', valued: downloads, public: true },
    { id: 'CUSTOMER_SERVICE', valued: service, public: false },
  ];
}
