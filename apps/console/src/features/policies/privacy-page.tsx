import { useTexts } from '../../shared/i18n/texts.js';
import { thePolicies } from './content.js';
import { PolicyArticle } from './policy-article.js';

/** /privacy, beside the agreement. */
export default function PrivacyPage() {
  return <PolicyArticle title={useTexts('app')('pagePrivacy')} policy={thePolicies().privacy} />;
}
