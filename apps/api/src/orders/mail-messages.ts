import type { Language } from '@yiqiao/contracts/envelope';
import { DAY_MS, MINUTE_MS } from '@yiqiao/domain/limits';
import { type OrderChannel, PAY_CHANNELS, yuanOf } from '@yiqiao/domain/orders';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { AccountMail } from '../platform/mail-template.js';

/** Who sells, as operators configured it (SITE_INFO). */
export type Seller = { readonly brand: string; readonly company: string };

/** `amount` in fen; `credited` in characters, or minutes of a time package; times in the wire's format. */
export type ReceiptFacts = {
  no: string;
  groupName: string;
  groupEnName: string;
  billingMode: BillingMode;
  salesNum: number;
  credited: number;
  payChannel: OrderChannel;
  paidAt: string;
  amount: number;
};

const grouped = new Intl.NumberFormat('en-US');
const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** `12,000 字符`, `30 天`, `12 天 5 小时`. */
function creditedText(language: Language, mode: BillingMode, num: number): string {
  const zh = language === 'zh';
  if (mode === 'char') return `${grouped.format(num)} ${zh ? '字符' : 'characters'}`;
  const days = Math.floor(num / DAY_MINUTES);
  const hours = Math.floor((num % DAY_MINUTES) / 60);
  const minutes = num % 60;
  const parts = zh
    ? [days > 0 && `${days} 天`, hours > 0 && `${hours} 小时`, minutes > 0 && `${minutes} 分钟`]
    : [days > 0 && plural(days, 'day'), hours > 0 && plural(hours, 'hour'), minutes > 0 && plural(minutes, 'minute')];
  return parts.filter(Boolean).join(' ');
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** The receipt of a paid order. `site`: the public URL. */
export function receiptMail(language: Language, order: ReceiptFacts, { seller, site }: From): AccountMail {
  const zh = language === 'zh';
  const { no, payChannel, amount } = order;
  return {
    language,
    subject: zh ? `${seller.brand} 付款收据 · 订单 ${no}` : `Your ${seller.brand} receipt · order ${no}`,
    lead: zh ? '我们已收到您的付款，额度已到账。' : 'We have received your payment, and your quota has been credited.',
    facts: [
      [zh ? '收款方' : 'Seller', seller.company],
      [zh ? '订单号' : 'Order number', no],
      [zh ? '套餐' : 'Package', zh ? order.groupName : order.groupEnName],
      [zh ? '数量' : 'Quantity', grouped.format(order.salesNum)],
      [zh ? '到账' : 'Credited', creditedText(language, order.billingMode, order.credited)],
      [zh ? '支付方式' : 'Paid with', PAY_CHANNELS[payChannel][language]],
      [zh ? '支付时间' : 'Paid at', order.paidAt],
      [zh ? '实付金额' : 'Amount paid', `¥${yuanOf(amount)}`],
    ],
    remarks: [
      zh
        ? '本收据由系统生成，只证明收到此笔付款，不是税务发票。需要发票，可在订单详情中申请。'
        : 'This receipt was generated automatically. It states that the payment was received and is not a tax invoice. You can request an invoice in the details of the order.',
    ],
    link: { label: zh ? '查看订单' : 'Your orders', address: `${site}/UserCenterOrder` },
    sender: seller.brand,
  };
}

type From = { readonly seller: Seller; readonly site: string };

/** `amount` went back of the amount `paid`, both in fen; `at`: the wire's date-time. */
export type RefundFacts = {
  no: string;
  refundNo: string;
  amount: number;
  paid: number;
  payChannel: OrderChannel;
  at: string;
};

/** The notice of a completed refund. `site`: the public URL. */
export function refundMail(language: Language, refund: RefundFacts, { seller, site }: From): AccountMail {
  const zh = language === 'zh';
  const { no, amount, paid, payChannel } = refund;
  const method = PAY_CHANNELS[payChannel][language];
  return {
    language,
    subject: zh ? `${seller.brand} 退款通知 · 订单 ${no}` : `Your ${seller.brand} refund · order ${no}`,
    lead: zh ? `您的订单已退款 ¥${yuanOf(amount)}。` : `We have refunded ¥${yuanOf(amount)} of your order.`,
    facts: [
      [zh ? '退款方' : 'Seller', seller.company],
      [zh ? '订单号' : 'Order number', no],
      [zh ? '退款单号' : 'Refund number', refund.refundNo],
      [zh ? '实付金额' : 'Amount paid', `¥${yuanOf(paid)}`],
      [zh ? '本次退款' : 'Refunded now', `¥${yuanOf(amount)}`],
      [zh ? '退回方式' : 'Refund method', method],
      [zh ? '退款时间' : 'Refunded at', refund.at],
    ],
    remarks: [
      zh
        ? '款项按原支付方式退回，到账时间以支付机构为准。如果几天后仍未收到，请把订单号和退款单号告诉客服。'
        : 'The money goes back the way it was paid; when it arrives depends on the payment provider. If it has not arrived after a few days, give our support team the order and refund numbers.',
    ],
    link: { label: zh ? '查看订单' : 'Your orders', address: `${site}/UserCenterOrder` },
    sender: seller.brand,
  };
}

/** An operator's answer to a request for an invoice; `amount` in fen, `reason` where it was declined. */
export type InvoiceFacts = {
  no: string;
  amount: number;
  title: string;
  email: string;
  invoiceNo: string | null;
  reason: string | null;
};

/** Goes to the account's own mailbox, whatever address the invoice goes to. `site`: the public URL. */
export function invoiceMail(language: Language, invoice: InvoiceFacts, { seller, site }: From): AccountMail {
  const zh = language === 'zh';
  const { no, amount, title, email, invoiceNo, reason } = invoice;
  const facts: [string, string][] = [
    [zh ? '订单号' : 'Order number', no],
    [zh ? '发票抬头' : 'Made out to', title],
    [zh ? '金额' : 'Amount', `¥${yuanOf(amount)}`],
  ];
  const link = { label: zh ? '查看订单' : 'Your orders', address: `${site}/UserCenterOrder` };
  if (reason !== null)
    return {
      language,
      subject: zh
        ? `${seller.brand} 开票申请未通过 · 订单 ${no}`
        : `Your ${seller.brand} invoice request · order ${no}`,
      lead: zh ? '您的开票申请未通过。' : 'We could not issue the invoice that you requested.',
      facts: [...facts, [zh ? '原因' : 'Reason', reason]],
      remarks: [
        zh
          ? '修改后可以在订单详情中重新申请。'
          : 'You can correct it and request it again in the details of the order.',
      ],
      link,
      sender: seller.brand,
    };
  return {
    language,
    subject: zh ? `${seller.brand} 发票已开具 · 订单 ${no}` : `Your ${seller.brand} invoice · order ${no}`,
    lead: zh ? '您申请的发票已开具。' : 'The invoice that you requested has been issued.',
    facts: [
      [zh ? '开票方' : 'Seller', seller.company],
      ...facts,
      ...(invoiceNo === null ? [] : ([[zh ? '发票号码' : 'Invoice number', invoiceNo]] as const)),
      [zh ? '接收邮箱' : 'Sent to', email],
    ],
    remarks: [
      zh
        ? '电子发票会另行发送到接收邮箱。没有收到时，请先查看垃圾邮件，再联系客服。'
        : 'The electronic invoice itself is sent to that address. If it has not arrived, check your spam folder, then contact our support team.',
    ],
    link,
    sender: seller.brand,
  };
}
