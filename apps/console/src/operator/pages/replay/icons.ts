import { addIcons } from '../../../shared/ui/icon.js';

/** Icons of the time machine alone. */
const ICONS = {
  less: 'M5 12h14',
  stepBack: 'm17 6-8 6 8 6zM6 6v12',
  stepOn: 'm7 6 8 6-8 6zM18 6v12',
  toEnd: 'm6 6 7 6-7 6zM13 6l7 6-7 6zM21 6v12',
  toStart: 'm18 6-7 6 7 6zM11 6l-7 6 7 6zM3 6v12',
  unknown: 'M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.700M12 17.500v.01',
} as const;

type ReplayIcons = typeof ICONS;

declare module '../../../shared/ui/icon.js' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface EntryIcons extends ReplayIcons {}
}

addIcons(ICONS);
