// The library: items in versions, with their webhooks. The gallery removes its orgs, so that is handed in.

import type { Feature, JobSource, Work } from '../content/manifest.ts'
import { titlesIn } from '../content/title-queries.ts'
import { idsOf, type SearchSource } from '../search/source-queries.ts'
import { tagDocument, tagId } from '../search/things.ts'
import { allItems, commentable } from './discussing.ts'
import { itemErasure } from './erasure.ts'
import type { DownloadCounter } from './finding/artifact.ts'
import { itemHiding } from './hiding.ts'
import { listCarried, listItemDocuments, listTagsCarried } from './indexing-queries.ts'
import { cleanUp } from './library.ts'
import { itemWebhookHandlers as itemWebhooks, libraryOf } from './operations.ts'
import { completedBy, prompts } from './prompts.ts'
import type { RemoveOrg } from './publishing/deleting.ts'
import { readFileOf } from './publishing/file.ts'
import { backfillFromFiles } from './uses/backfill.ts'
import { isArtifactUsed } from './version-queries.ts'
import type { Downloads } from './versions/downloads.ts'

const tagOf = (id: string) => id.slice(tagId('').length)

const tagSource: SearchSource = {
  types: ['tag'],
  listIds: async (db, { after, limit }) => (await listTagsCarried(db, tagOf(after), limit)).map(tagId),
  find: async (db, ids) => (await listCarried(db, ids.map(tagOf))).map(tagDocument),
}

export const libraryFeature = {
  handlers: (services: DownloadCounter & { removeOrg: RemoveOrg }) => ({ library: libraryOf(services), itemWebhooks }),
  commentables: [commentable],
  votables: [allItems],
  hidings: [itemHiding],
  erasure: { steps: () => [itemErasure] },
  titles: {
    item: titlesIn('libraryItem', ['id', 'kind', 'slug', 'name'], ({ id, kind, slug, name }) => ({
      ...{ id, title: name, url: `/library/${kind}s/${slug}` },
    })),
  },
  searchSources: [
    { types: ['workflow', 'automation', 'org'], listIds: idsOf('libraryItem'), find: listItemDocuments },
    tagSource,
  ],
  prompts,
  completedBy,
  paths: { item: ['/library/items/{id}'] },
  jobs: ({ db }: JobSource, work: Work<{ downloads: Pick<Downloads, 'write'> }>) => [
    {
      kind: 'downloads.write',
      summary: 'writes the downloads that a process counted',
      wake: { inEachProcess: 10 },
      batch: async () => void (await work().services.downloads.write()),
    },
    {
      kind: 'library.backfill',
      summary: 'reads what files say that came before it was stored',
      wake: { once: '1' },
      longestBatchSeconds: 600,
      batch: ({ cursor }) => backfillFromFiles({ db, blobs: work().dependencies.blobs, readFile: readFileOf }, cursor),
    },
  ],
  cleanUps: {
    library: ['what the library counted', (now, { db }) => cleanUp(db, now)],
  },
  isFileUsed: isArtifactUsed,
} satisfies Feature
