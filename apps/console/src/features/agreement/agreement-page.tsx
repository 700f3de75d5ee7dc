import { useTexts } from '../../shared/i18n/texts.js';

export default function AgreementPage() {
  const t = useTexts('agreement');
  return <h1>{t('title')}</h1>;
}
