import { useTexts } from '../../shared/i18n/texts.js';

export default function HomePage() {
  const t = useTexts('home');
  return <h1>{t('title')}</h1>;
}
