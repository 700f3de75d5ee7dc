import { addIcons } from '../shared/ui/icon.js';
import '../shared/ui/more-icons.js';

/** Icons of the console alone, so that public pages do not load them. */
const ICONS = {
  book: 'M6 4h12a1 1 0 0 1 1 1v15H7a2 2 0 0 1-2-2V5a1 1 0 0 1 1-1zM5 18a2 2 0 0 1 2-2h12M9 8h6',
  card: 'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 10h18M7 15h4',
  clock: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0zM12 7v5l3.5 2',
  file: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5',
  key: 'M11 15a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 12l9-9M15 7l3 3',
  lock: 'M7 11h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2zM8 11V8a4 4 0 0 1 8 0v3',
  minus: 'M5 12h14',
  pencil: 'M4 20l1-4.5L16 4.5a2 2 0 0 1 3 0l.5.5a2 2 0 0 1 0 3L8.5 19zM14 6.5l3.5 3.5',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  speak: 'M4 10v4h4l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6',
  stop: 'M8 7h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z',
  translate: 'M5 6V4h14v2M12 4v16M9 20h6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  upload: 'M12 16V5m-4.5 4.5L12 5l4.5 4.5M5 20h14',
  user: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4 20c1-4 4-6 8-6s7 2 8 6',
  webhook:
    'M15 6.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM9 17.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 17.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM10.6 9.2l-3.2 5.6M13.4 9.2l3.2 5.6M9 17.5h6',
} as const;

type ConsoleIcons = Record<keyof typeof ICONS, string>;

declare module '../shared/ui/icon.js' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface EntryIcons extends ConsoleIcons {}
}

addIcons(ICONS);
