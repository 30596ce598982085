// The library: items in versions, with their webhooks. The gallery removes its orgs, so that is handed in.

import type { Feature } from '../content/manifest.ts'
import { allItems, commentable } from './discussing.ts'
import { itemErasure } from './erasure.ts'
import type { DownloadCounter } from './finding/artifact.ts'
import { itemHiding } from './hiding.ts'
import { itemWebhookHandlers as itemWebhooks, libraryOf } from './operations.ts'
import type { RemoveOrg } from './publishing/deleting.ts'

export const libraryFeature = {
  handlers: (services: DownloadCounter & { removeOrg: RemoveOrg }) => ({ library: libraryOf(services), itemWebhooks }),
  commentables: [commentable],
  votables: [allItems],
  hidings: [itemHiding],
  erasure: { steps: () => [itemErasure] },
} satisfies Feature
