import { DocPage } from '../../shared/doc/doc-page.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { thePolicies } from './content.js';

/** /refund, beside the agreement. */
export default function RefundPage() {
  return <DocPage title={useMessages('site')('pageRefund')} doc={thePolicies().refund} />;
}
