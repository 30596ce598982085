// What members typed into forms and did not send yet.

import { deleteUntil } from '../../database/expiry.ts'
import { clearing } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import { after } from '../../runtime/clock.ts'
import type { Feature } from '../manifest.ts'
import { drafts } from './contract.ts'

const DAY_SECONDS = 86_400

export const draftsFeature = {
  handlers: { drafts: lazily(drafts, async () => (await import('./handlers.ts')).handlers) },
  erasure: {
    steps: async () => [clearing('drafts', ['formDraft.userId'], (await import('./queries.ts')).deleteDraftsOf)],
  },
  cleanUps: {
    drafts: [
      'old drafts',
      (now, { db, config }) =>
        deleteUntil(
          db,
          { table: 'formDraft', key: 'id', since: 'updatedAt' },
          after(now, -config.keptDays.drafts * DAY_SECONDS),
        ),
    ],
  },
} satisfies Feature
