// The machine that members can ask.
import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import { more } from '../../core/jobs/job.ts'
import { lazily } from '../../request/lazily.ts'
import { after } from '../../runtime/clock.ts'
import { assistant } from './contract.ts'
import type { Readable } from './reading.ts'

/** What days used up is kept so long. */
const DAYS_SECONDS = 7 * 86_400

export const assistantFeature = {
  handlers: (readable: Readable) => ({
    assistant: lazily(assistant, async () => (await import('./handlers.ts')).assistantHandlers(readable)),
  }),
  jobs: (_: JobSource, work: Work) => [
    {
      kind: 'assistant.understand',
      summary: 'has the machine say what things mean, where AI_EMBEDDINGS_MODEL is set',
      wake: { every: 30 },
      longestBatchSeconds: 240,
      batch: async () => more(await (await import('./meanings.ts')).understandSome(work().dependencies)),
    },
  ],
  cleanUps: {
    machineAnswers: [
      'old answers of the machine',
      async (now, { db }) =>
        (await import('./queries.ts')).deleteExpired(db, { now, before: after(now, -DAYS_SECONDS).slice(0, 10) }),
    ],
  },
} satisfies Feature
