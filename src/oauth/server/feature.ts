// The authorization server, as far as it has operations: tokens for agents, and apps that are signed in.

import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import { titlesIn } from '../../content/title-queries.ts'
import {
  deleteGivenUpSignals,
  deleteOldDeliveries,
  listPushes,
  listWaitingSignals,
  updateDelivery,
  updateSignal,
} from '../../identity/signal-queries.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import type { createOAuth } from './server.ts'

interface Services {
  server: Pick<ReturnType<typeof createOAuth>, 'handlers' | 'cleanUp' | 'sendSignal' | 'sendDelivery'>
}

/** Some days, with the pauses between them. */
const MAX_ATTEMPTS = 20
/** How long a signal that was given up can be retried by the operator. */
export const GIVEN_UP_SECONDS = 7 * 86_400

/** How long something waits on a stream: longer than it is pushed, and than a receiver is down. */
export const KEPT_ON_STREAM_SECONDS = 14 * 86_400

export const oauthFeature = {
  jobs: ({ db, clock }: JobSource, work: Work<Services>) => [
    {
      kind: 'signals.send',
      summary: 'tells the receiver of signals that sessions of accounts were revoked, where there is one',
      wake: { find: ({ limit }) => listWaitingSignals(db, limit) },
      atOnce: 4,
      attempts: MAX_ATTEMPTS,
      async batch({ key }) {
        await work().services.server.sendSignal(key)
        return undefined
      },
      giveUp: ({ key }) => updateSignal(db, key, { givenUpAt: timestamp(clock.now()) }),
      retry: (transaction, key) => updateSignal(transaction, key, { givenUpAt: null }),
    },
    {
      kind: 'signals.push',
      summary: 'pushes what waits on the streams of signals that receivers manage',
      wake: { find: ({ limit }) => listPushes(db, limit) },
      atOnce: 4,
      attempts: MAX_ATTEMPTS,
      async batch({ key }) {
        await work().services.server.sendDelivery(key)
        return undefined
      },
      giveUp: ({ key }) => updateDelivery(db, key, { givenUpAt: timestamp(clock.now()) }),
      retry: (transaction, key) => updateDelivery(transaction, key, { givenUpAt: null }),
    },
  ],
  handlers: ({ server }: Services) => server.handlers,
  titles: {
    'sign-in': titlesIn('grant', ['id', 'clientName', 'clientId'], ({ id, clientName, clientId }) => ({
      ...{ id, title: clientName ?? clientId, url: null },
    })),
  },
  cleanUps: {
    oauth: ['expired grants and tokens', (now, _, { server }: Services) => server.cleanUp(now)],
    signals: [
      'signals that the receiver never took',
      (now, { db }) => deleteGivenUpSignals(db, after(now, -GIVEN_UP_SECONDS)),
    ],
    streams: [
      'what no receiver took of its stream',
      (now, { db }) => deleteOldDeliveries(db, after(now, -KEPT_ON_STREAM_SECONDS)),
    ],
  },
} satisfies Feature
