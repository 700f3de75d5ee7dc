import { PAY_CHANNELS, type PayChannel } from '@yiqiao/domain/orders';
import { language } from '../../../shared/i18n/language.js';

/** What a way to pay is called in the page's language. */
export const payChannelName = (code: PayChannel): string => PAY_CHANNELS[code][language];
