import type { SitePage } from '../page-table.js';

/** What search engines and messengers say of a page. A section of the tutorial is described by its own first sentence. */
export const descriptions: Readonly<Record<Exclude<SitePage['path'], `/productDesc/${string}`>, string>> = {
  '/home':
    '{{brand}}把 20 多个社交应用收进一个窗口，每个应用不限开几个号；文本、语音、图片双向实时互译，覆盖 200 多种语言，每位联系人各记各的语言。',
  '/price': '{{brand}}的套餐与价格：按字符或包月，人民币计价，支付宝、微信支付等方式付款；先免费试用，合适再买。',
  '/useDoc': '从注册到第一句译文：{{brand}}的使用文档分注册、操作、翻译截图三部分，几分钟读完。',
  '/developers':
    '{{brand}}的 API 文档：用密钥在自己的软件里翻译，附 curl、Node、Python、PHP 示例；DeepL、谷歌、LibreTranslate、DeepLX 与沉浸式翻译改个地址就能接入。',
  '/contactUs': '联系{{brand}}的售前与售后客服：微信、WhatsApp、Telegram 的二维码与账号，并可验证客服的真伪。',
  '/download': '下载{{brand}}客户端：在社交应用里双向实时翻译。账号、额度与日志在会员中心，无需安装。',
  '/privacy': '{{brand}}为提供翻译服务处理哪些信息、用来做什么、保存多久，以及你可以怎样管理。',
  '/refund': '{{brand}}的退款规则：哪些情况可以退款、哪些不予退款，以及怎样申请。',
  '/term-and-condition': '{{brand}}用户协议：年龄与监护、适用地区、账号、额度与付款、服务终止等条款的全文。',
  '/login': '登录{{brand}}会员中心，或用一个邮箱注册，免费试用文本、语音与图片翻译。',
  '/UserCenterExit': '已退出{{brand}}的会员中心。',
  '/status': '{{brand}}各翻译通道最近 90 天的真实成功率、响应时间与故障，以及统计的方法。',
  '/ledger-proof': '{{brand}}每天公开的签名日结：全部账号的账本汇成一个 Merkle 根，任何人都能验证。',
  '/changelog': '{{brand}}的更新日志：每次更新对会员有什么不同，按日期列出。',
  '/PaySuccess': '{{brand}}的支付结果。',
};
