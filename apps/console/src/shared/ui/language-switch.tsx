import { changeLanguage, language } from '../i18n/language.js';
import { useMessages } from '../i18n/messages.js';
import { Icon } from './icon.js';
import { Menu, MenuItem } from './menu.js';

// Each language is named in itself, for users who cannot read the page.
const LANGUAGES = [
  { id: 'zh', name: '简体中文', lang: 'zh' },
  { id: 'en', name: 'English', lang: 'en' },
] as const;

/** Stores the language and reloads the page (specification §2). */
export function LanguageSwitch() {
  const t = useMessages('shared');
  const current = LANGUAGES.find(({ id }) => id === language);
  return (
    <Menu
      label={t('languageLabel')}
      button={
        <>
          <Icon name="globe" />
          <span lang={current?.lang}>{current?.name}</span>
          <Icon name="down" />
        </>
      }
      buttonClass="lang"
    >
      {LANGUAGES.map(({ id, name, lang }) => (
        <MenuItem key={id} current={id === language} onSelect={() => id !== language && changeLanguage(id)}>
          <span lang={lang}>{name}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
