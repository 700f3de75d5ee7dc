import { useSyncExternalStore } from 'react';
import { useMessages } from '../shared/i18n/messages.js';
import { chooseTheme, currentTheme, subscribeTheme } from '../shared/theme/theme.js';
import { THEMES } from '../shared/theme/theme-cookie.js';
import { MenuItem } from '../shared/ui/menu.js';

const NAMES = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

/** Three menu items: system, light, dark (docs/decisions/0025). */
export function ThemeSwitch() {
  const t = useMessages('shared');
  const chosen = useSyncExternalStore(subscribeTheme, currentTheme);
  return (
    <div role="group" aria-label={t('theme')} className="menu-group">
      {THEMES.map((theme) => (
        <MenuItem key={theme} current={theme === chosen} onSelect={() => chooseTheme(theme)}>
          {t(NAMES[theme])}
        </MenuItem>
      ))}
    </div>
  );
}
