// What members typed into forms and did not send yet.

import { clearing } from '../../identity/erasure.ts'
import { deleteOldDrafts } from '../clean-up.ts'
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'
import { deleteDraftsOf } from './queries.ts'

export const draftsFeature = {
  handlers: { drafts: handlers },
  erasure: { steps: () => [clearing('drafts', ['formDraft.userId'], deleteDraftsOf)] },
  cleanUps: {
    drafts: ['old drafts', (now, { db }) => deleteOldDrafts(db, now)],
  },
} satisfies Feature
