import { useTexts } from '../../shared/i18n/texts.js';

export default function ExitPage() {
  const t = useTexts('exit');
  return <h1>{t('title')}</h1>;
}
