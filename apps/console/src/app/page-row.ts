import type { ComponentType } from 'react';
import type { Namespace } from '../shared/i18n/texts.js';
import type { ResourceName } from '../shared/resources.js';
import type { IconName } from '../shared/ui/icon.js';
import type zh from './texts.zh.js';

export type PageFile = { default: ComponentType };

/** One page of the web (specification §2). `name` is the key of its title in `app/texts`; `texts` are the parts whose texts it needs. */
export type PageRow = {
  path: `/${string}`;
  name: Extract<keyof typeof zh, `page${string}`>;
  /** Who may see it: anybody · any signed-in member · main accounts only (specification §6). */
  who: 'public' | 'member' | 'main';
  /** What stands around it; `bare` pages bring their own frame. */
  layout: 'site' | 'console' | 'bare';
  texts: readonly Namespace[];
  page: () => Promise<PageFile>;
  menu?: { group: 'member' | 'function'; icon: IconName };
  /** The page whose menu entry leads to this one, too. */
  within?: `/${string}`;
  resource?: ResourceName;
};
