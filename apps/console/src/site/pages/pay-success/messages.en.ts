import type zh from './messages.zh.js';

export default {
  checking: 'Checking the payment',
  paid: 'Payment received',
  why_paid: 'Your quota has arrived. Thank you.',
  confirming: 'Confirming the payment',
  why_confirming:
    'The gateway’s answer is not here yet; this page keeps asking. Your quota grows as soon as the money arrives, so do not pay again.',
  unreachable: 'The connection is unstable. Checking again.',
  closed: 'This order is closed',
  why_closed: 'The order was not paid. If you did pay, it is still credited once the money arrives.',
  visitor: 'Log in to see how the payment went',
  why_visitor: 'Only the order number is shown here. What counts stands under “Recharge orders”.',
  unknown: 'There is no order to check',
  why_unknown:
    'The link is incomplete, or the order is not of this account. What counts stands under “Recharge orders”.',
  orderNo: 'Order number',
  amountPaid: 'Amount paid',
  credited: 'Credited',
  balance: 'Your balance now',
  expires: 'Valid until',
  loading: 'Loading',
  soon: 'On to your recharge orders in {{seconds}} s',
  jump: 'Go now',
  seeOrders: 'See recharge orders',
} satisfies Record<keyof typeof zh, string>;
