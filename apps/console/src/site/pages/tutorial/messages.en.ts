import type zh from './messages.zh.js';

export default {
  tree: 'Tutorial contents',
  pager: 'Previous and next section',
  previous: 'Previous',
  next: 'Next',
  branch_beginners: 'Beginner’s guide',
  branch_details: 'Feature details',
  branch_officialConsole: 'Official console',
  branch_client: 'Client',
  branch_featured: 'Featured functions',
} satisfies Record<keyof typeof zh, string>;
