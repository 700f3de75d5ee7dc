import { useTexts } from '../../shared/i18n/texts.js';
import { thePolicies } from './content.js';
import { PolicyArticle } from './policy-article.js';

/** /refund, beside the agreement. */
export default function RefundPage() {
  return <PolicyArticle title={useTexts('app')('pageRefund')} policy={thePolicies().refund} />;
}
