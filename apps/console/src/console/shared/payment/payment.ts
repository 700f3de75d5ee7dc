import type { Response } from '@yiqiao/contracts/endpoint';
import type { payOrder } from '@yiqiao/contracts/orders';
import { PAY_CHANNELS, type OrderChannel, type PayChannel } from '@yiqiao/domain/orders';
import type { BillingMode } from '@yiqiao/domain/plans';
import { ApiError } from '../../../shared/api/api-error.js';
import { language } from '../../../shared/i18n/language.js';
import { messagesOf } from '../../../shared/i18n/messages.js';
import { readPayForm, type PayForm } from './pay-form.js';

/** The order summary that the dialog shows. */
export type OrderSummary = {
  payChannel: OrderChannel;
  /** Name of the package, in the page's language. */
  name: string;
  billingMode: BillingMode;
  /** In total: the package's characters or minutes times `salesNum`. */
  num: number;
  salesNum: number;
  /** The channel at whose price `num` was calculated. */
  referenceChannelId: number;
  /** fen */
  amount: number;
};

export type PaymentOffer = Response<typeof payOrder>;
/** The payment means: a QR code, or a form that is posted in a tab. */
export type Means = { kind: 'qr'; text: string } | { kind: 'form'; form: PayForm };
export type Payment = { bought: OrderSummary; orderId: number; orderNo: string; means: Means };

/** The longest content of a QR code that phones still read. */
const QR_MAX = 1_000;

/** Throws ApiError BAD_ANSWER for payment means that cannot be shown or must not be submitted. */
export function readPaymentOffer(bought: OrderSummary, { orderId, orderNo, scanQRCodeUrl }: PaymentOffer): Payment {
  const form = PAY_CHANNELS[bought.payChannel].kind === 'form' ? readPayForm(scanQRCodeUrl) : undefined;
  const readable = form === undefined ? scanQRCodeUrl !== '' && scanQRCodeUrl.length <= QR_MAX : form !== null;
  if (!readable) throw new ApiError(messagesOf('payment')('badForm'), { code: 'BAD_ANSWER', status: 0 });
  return { bought, orderId, orderNo, means: form ? { kind: 'form', form } : { kind: 'qr', text: scanQRCodeUrl } };
}

/** The success page of a paid order (specification §2). */
export const paySuccessPath = ({ orderId, orderNo }: Pick<Payment, 'orderId' | 'orderNo'>): string =>
  `/PaySuccess?payInfo=${encodeURIComponent(JSON.stringify({ orderId, orderNo }))}`;

/** Name of a payment method in the page's language. */
export const payChannelName = (code: PayChannel): string => PAY_CHANNELS[code][language];
