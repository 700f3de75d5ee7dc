import type zh from './messages.zh.js';

export default {
  title: 'System status',
  lead: 'Success, response times and incidents of each translation channel over the last 90 days, from real translation requests. Refreshed every minute.',
  target:
    'The 99.9% translation accuracy on the home page is our target, not a measurement: how accurate a translation is takes a person to judge. What can be measured is listed here.',
  noScript: 'Turn on JavaScript in your browser to see the figures.',
  updated: 'Updated {{time}}',
  notRefreshed: 'The last refresh failed. These figures are of {{time}}.',
  how: 'How this is measured',
  howText:
    'Only real translation requests count; we send no test requests. A request succeeds when the channel answers with a translation. Response times are the channel’s own, as median and 95th percentile. An incident is half an hour with at least 5 requests of which fewer than 90% succeeded. None of this measures the quality of a translation.',
  channel: 'Channel',
  success: 'Success rate',
  median: 'Median time',
  p95: '95th percentile time',
  requests: 'Requests',
  days: 'Last 90 days',
  daysOf: '{{name}}, last 90 days: {{good}} good, {{bad}} with incidents, {{none}} with too few requests',
  day: '{{date}}: {{share}}% of {{requests}} requests succeeded',
  quietDay: '{{date}}: {{requests}} {{requests, noun(one: request; many: requests)}}, too few for a figure',
  share: '{{n}}%',
  ms: '{{n}} ms',
  absent: '–',
  incidents: 'Incidents',
  noIncidents: 'No incidents in the last 90 days.',
  allIncidents: 'Show all {{n}} incidents',
  incident: 'from {{begin}} for {{minutes}} minutes: {{share}}% succeeded',
  noRequests: 'No translation requests in the last 90 days yet. Figures appear once members translate.',
  none: 'No translation channel is available yet',
  failed: 'The system status couldn’t be loaded',
} satisfies Record<keyof typeof zh, string>;
