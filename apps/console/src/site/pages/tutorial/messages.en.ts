import type zh from './messages.zh.js';

export default {
  tree: 'Tutorial contents',
  search: 'Search the tutorial',
  found: '{{n}} {{n, noun(one: section; many: sections)}} found',
  notFound: 'Nothing found. Try another word.',
  pager: 'Previous and next section',
  previous: 'Previous',
  next: 'Next',
  branch_beginners: 'Beginner’s guide',
  branch_details: 'Feature details',
  branch_officialConsole: 'Official console',
  branch_client: 'Client',
  branch_featured: 'Featured functions',
} satisfies Record<keyof typeof zh, string>;
