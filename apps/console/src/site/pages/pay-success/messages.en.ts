import type zh from './messages.zh.js';

export default {
  checking: 'Checking the payment',
  paid: 'Payment received',
  why_paid: 'Your quota has arrived. Thank you.',
  confirming: 'Confirming the payment',
  why_confirming:
    'We are waiting for the payment gateway. Your quota is credited as soon as the money arrives, so please do not pay again.',
  unreachable: 'The connection is unstable. Checking again.',
  closed: 'This order is closed',
  why_closed: 'The order was not paid. If you did pay, it is still credited once the money arrives.',
  visitor: 'Sign in to see how the payment went',
  why_visitor: 'Only the order number is shown here. See “Recharge orders” for the payment result.',
  unknown: 'There is no order to check',
  why_unknown:
    'The link is incomplete, or the order belongs to another account. See “Recharge orders” for the payment result.',
  orderNo: 'Order number',
  amountPaid: 'Amount paid',
  credited: 'Credited',
  balance: 'Your balance now',
  expires: 'Valid until',
  loading: 'Loading',
  soon: 'Opening your recharge orders in {{seconds}} s',
  jump: 'Go now',
  seeOrders: 'See recharge orders',
} satisfies Record<keyof typeof zh, string>;
