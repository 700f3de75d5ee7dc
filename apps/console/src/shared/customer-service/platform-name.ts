import { messagesOf } from '../i18n/messages.js';

/** Platforms that have a name in each language. What operators write is the key, compared without regard to case. */
const NAMES: ReadonlyMap<string, 'platformWeChat' | 'platformWeCom' | 'platformDingTalk'> = new Map([
  ['wechat', 'platformWeChat'],
  ['wecom', 'platformWeCom'],
  ['dingtalk', 'platformDingTalk'],
]);

/** What the page calls a platform; one that is not in the table keeps the operator's name. */
export function platformName(platform: string): string {
  const name = NAMES.get(platform.toLowerCase());
  return name ? messagesOf('shared')(name) : platform;
}
