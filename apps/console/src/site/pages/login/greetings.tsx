import { useId } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Logo } from '../../../shared/site/logo.js';

const GREETINGS = [
  ['en', 'Hello', 'English'],
  ['es', 'Hola', 'Español'],
  ['ja', 'こんにちは', '日本語'],
  ['ar', 'مرحبا', 'العربية'],
  ['fr', 'Bonjour', 'Français'],
  ['pt', 'Olá', 'Português'],
  ['ru', 'Привет', 'Русский'],
  ['ko', '안녕하세요', '한국어'],
  ['vi', 'Xin chào', 'Tiếng Việt'],
] as const;

/** 你好 above the divider, its translations below it. */
export function Greetings({ home }: { home: string }) {
  const t = useMessages('login');
  const caption = useId();
  return (
    <aside className="login-greetings" aria-labelledby={caption}>
      <div className="login-greetings-inner">
        <a className="logo" href={home}>
          <Logo />
        </a>
        <p className="login-hello" lang="zh">
          你好
        </p>
        <div className="login-divider" />
        <ul className="login-translations">
          {GREETINGS.map(([lang, text, name]) => (
            <li key={lang} lang={lang}>
              {text}
              <small>{name}</small>
            </li>
          ))}
        </ul>
        <p className="login-caption" id={caption}>
          {t('greetingCaption')}
        </p>
      </div>
    </aside>
  );
}
