// A classifier of the operator that sees what members write.
import { after, timestamp } from '../../runtime/clock.ts'
import type { Feature, JobSource, Work } from '../manifest.ts'
import type { Hidings } from './asking.ts'
import { deleteGivenUp, idIn, listWaiting, updateCheck } from './queries.ts'
import { GIVEN_UP_SECONDS, MAX_ATTEMPTS } from './rules.ts'

interface Services {
  powers: { hidings: Hidings }
}

export const classifierFeature = {
  jobs: ({ db, clock }: JobSource, work: Work<Services>) => [
    {
      kind: 'classifier.ask',
      summary: 'shows new and edited texts to the classifier, where there is one',
      wake: { find: ({ limit }) => listWaiting(db, limit) },
      atOnce: 4,
      attempts: MAX_ATTEMPTS,
      async batch({ key }) {
        const { dependencies, services } = work()
        const { ask } = await import('./asking.ts')
        await ask(dependencies, services.powers.hidings, idIn(key))
        return undefined
      },
      giveUp: ({ key }) => updateCheck(db, idIn(key), { givenUpAt: timestamp(clock.now()) }),
      retry: (transaction, key) => updateCheck(transaction, idIn(key), { givenUpAt: null }),
    },
  ],
  cleanUps: {
    classifierChecks: [
      'texts that the classifier never saw',
      (now, { db }) => deleteGivenUp(db, after(now, -GIVEN_UP_SECONDS)),
    ],
  },
} satisfies Feature
