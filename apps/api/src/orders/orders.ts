/** The front door of orders: what operators do with payments. */
export { CarryOutRefund, type CarriedOut } from './carry-out-refund.js';
export { ListExceptions, type PaymentException } from './list-exceptions.js';
export { ReconcileOrder, type ReconciledOrder } from './reconcile-order.js';
export { StartRefund, type StartedRefund } from './start-refund.js';
