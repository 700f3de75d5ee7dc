import { useTexts } from '../../shared/i18n/texts.js';

export default function LaterPage() {
  const t = useTexts('later');
  return <h1>{t('title')}</h1>;
}
