/** The front door of orders: payment operations for operators. */
export { AnswerInvoice, type InvoiceAnswer } from './answer-invoice.js';
export { ExecuteRefund } from './execute-refund.js';
export { ListExceptions, type PaymentException } from './list-exceptions.js';
export { ReconcileOrder, type ReconciledOrder } from './reconcile-order.js';
export { RecordRefund } from './record-refund.js';
export { Refunds } from './refunds.js';
export { StartRefund } from './start-refund.js';
