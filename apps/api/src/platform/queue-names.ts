// The queue names are part of the keys in Redis: a new name would abandon the jobs of a running installation.
export const EVENTS_QUEUE = 'deliveries';
export const MAIL_QUEUE = 'letters';
export const SCHEDULED_JOBS_QUEUE = 'chores';

/** What figures and traces call them. */
export const queueLabel = (queue: string): string => LABELS[queue] ?? queue;

const LABELS: Readonly<Record<string, string>> = {
  [EVENTS_QUEUE]: 'events',
  [MAIL_QUEUE]: 'mail',
  [SCHEDULED_JOBS_QUEUE]: 'scheduled-jobs',
};
