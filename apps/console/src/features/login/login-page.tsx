import { useTexts } from '../../shared/i18n/texts.js';

export default function LoginPage() {
  const t = useTexts('login');
  return <h1>{t('title')}</h1>;
}
