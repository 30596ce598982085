// What members typed into forms and did not send yet.

import { clearing } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import { deleteOldDrafts } from '../clean-up.ts'
import type { Feature } from '../manifest.ts'
import { drafts } from './contract.ts'

export const draftsFeature = {
  handlers: { drafts: lazily(drafts, async () => (await import('./handlers.ts')).handlers) },
  erasure: {
    steps: async () => [clearing('drafts', ['formDraft.userId'], (await import('./queries.ts')).deleteDraftsOf)],
  },
  cleanUps: {
    drafts: ['old drafts', (now, { db, config }) => deleteOldDrafts(db, now, config.keptDays.drafts)],
  },
} satisfies Feature
