import type { Response } from '@yiqiao/contracts/endpoint';
import type { payOrder } from '@yiqiao/contracts/orders';
import { PAY_CHANNELS, type OrderChannel, type PayChannel } from '@yiqiao/domain/orders';
import type { BillingMode } from '@yiqiao/domain/plans';
import { ApiError } from '../../../shared/api/api-error.js';
import { language } from '../../../shared/i18n/language.js';
import { messagesOf } from '../../../shared/i18n/messages.js';
import { readPayForm, type PayForm } from './pay-form.js';

/** What is being paid for, as the dialog tells it: an order's own words. */
export type Bought = {
  payChannel: OrderChannel;
  /** The package, in the page's language. */
  name: string;
  billingMode: BillingMode;
  /** In total: the package's characters or minutes times `salesNum`. */
  num: number;
  salesNum: number;
  /** At whose price `num` is what was bought. */
  referenceChannelId: number;
  /** fen */
  amount: number;
};

export type Offer = Response<typeof payOrder>;
/** What the person pays with: a code to scan, or a form that a tab posts. */
export type Means = { kind: 'qr'; text: string } | { kind: 'form'; form: PayForm };
export type Payment = { bought: Bought; orderId: number; orderNo: string; means: Means };

/** More does not fit into a code that a phone can still read. */
const QR_MAX = 1_000;

/** Throws ApiError BAD_ANSWER for what cannot be shown or must not be submitted. */
export function readOffer(bought: Bought, { orderId, orderNo, scanQRCodeUrl }: Offer): Payment {
  const form = PAY_CHANNELS[bought.payChannel].kind === 'form' ? readPayForm(scanQRCodeUrl) : undefined;
  const readable = form === undefined ? scanQRCodeUrl !== '' && scanQRCodeUrl.length <= QR_MAX : form !== null;
  if (!readable) throw new ApiError(messagesOf('payment')('badForm'), { code: 'BAD_ANSWER', status: 0 });
  return { bought, orderId, orderNo, means: form ? { kind: 'form', form } : { kind: 'qr', text: scanQRCodeUrl } };
}

/** Where a paid order leads (specification §2). */
export const paySuccessPath = ({ orderId, orderNo }: Pick<Payment, 'orderId' | 'orderNo'>): string =>
  `/PaySuccess?payInfo=${encodeURIComponent(JSON.stringify({ orderId, orderNo }))}`;

/** What a way to pay is called in the page's language. */
export const payChannelName = (code: PayChannel): string => PAY_CHANNELS[code][language];
