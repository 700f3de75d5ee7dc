import { DocPage } from '../../../shared/doc/doc-page.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { thePolicies } from './content.js';

/** /refund, beside the agreement. */
export default function RefundPage() {
  return <DocPage title={useTexts('site')('pageRefund')} doc={thePolicies().refund} />;
}
