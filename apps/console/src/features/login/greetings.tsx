import { Link } from 'react-router';
import { useTexts } from '../../shared/i18n/texts.js';
import { Logo } from '../../shared/site/logo.js';

const GREETINGS = [
  ['en', 'Hello', 'English'],
  ['es', 'Hola', 'Español'],
  ['ja', 'こんにちは', '日本語'],
  ['ar', 'مرحبا', 'العربية'],
  ['th', 'สวัสดี', 'ไทย'],
  ['pt', 'Olá', 'Português'],
  ['ru', 'Привет', 'Русский'],
  ['ko', '안녕하세요', '한국어'],
  ['vi', 'Xin chào', 'Tiếng Việt'],
] as const;

/** 你好 above the waterline, what it becomes below it. */
export function Greetings({ home }: { home: string }) {
  const t = useTexts('login');
  return (
    <div className="l">
      <div className="l-in">
        <Link className="logo" to={home}>
          <Logo />
        </Link>
        <p className="hi" lang="zh">
          你好
        </p>
        <div className="wl" />
        <div className="rf">
          {GREETINGS.map(([lang, text, name]) => (
            <span key={lang} lang={lang}>
              {text}
              <small>{name}</small>
            </span>
          ))}
        </div>
        <p className="cap">{t('greetingCaption')}</p>
      </div>
    </div>
  );
}
