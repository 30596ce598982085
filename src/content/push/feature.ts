// Notifications that are pushed to browsers.
import { type Job, more } from '../../core/jobs/job.ts'
import { lazily } from '../../request/lazily.ts'
import { latest } from '../../runtime/clock.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import { push } from './contract.ts'
import { deleteOldMessages, listWaiting } from './queries.ts'
import { MAX_PAUSE_SECONDS } from './rules.ts'

/** Browsers that a process pushes to at once. */
const AT_ONCE = 4

function pushJobs({ db }: JobSource, work: Work): Job[] {
  return [
    {
      kind: 'push.send',
      summary: 'pushes notifications to browsers; those whose push service fails rest for a while',
      wake: { find: ({ now, limit }) => listWaiting(db, { now, limit, latest: latest(now, MAX_PAUSE_SECONDS * 2) }) },
      atOnce: AT_ONCE,
      batch: async ({ key }) => more(await (await import('./sending.ts')).pushNext(work().dependencies, key)),
    },
  ]
}

export const pushFeature = {
  handlers: { push: lazily(push, async () => (await import('./handlers.ts')).handlers) },
  jobs: pushJobs,
  cleanUps: { push: ['messages that waited for a browser too long', (now, { db }) => deleteOldMessages(db, now)] },
} satisfies Feature
