/**
 * Where to go after signing in: never in the URL (decisions §2). The form to log in is another document than the console, so a cookie
 * remembers it, which only that form is given (docs/decisions/0027).
 */
import { isConsoleAddress } from '@yiqiao/contracts/addresses';

const NAME = 'way-back';
const LIFE_S = 30 * 60;
/** Cookies have little room: of a longer address the page is kept, without what was looked for on it. */
const MOST = 2_000;

const write = (value: string, seconds: number): void => {
  document.cookie = `${NAME}=${value}; Path=/login; Max-Age=${seconds}; SameSite=Strict`;
};

/**
 * The same for the form that comes in this very document: a browser gives it the cookies of the address that the document was loaded
 * from, of `/price` maybe, and not those of the form.
 */
let here: string | null = null;

export function rememberWayBack(path: string): void {
  here = path;
  const value = encodeURIComponent(path);
  write(value.length > MOST ? encodeURIComponent(path.split('?', 1)[0] ?? '') : value, LIFE_S);
}

/** The page that sent the person to login, once; home otherwise. Called where the form stands. */
export function takeWayBack(): string {
  const [, value = ''] = /(?:^|; )way-back=([^;]*)/.exec(document.cookie) ?? [];
  const path = here ?? decoded(value);
  here = null;
  write('', 0);
  // Whoever wrote it: it leads to a page of the console, and nowhere else.
  return isConsoleAddress(path) ? path : '/home';
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
