// The library: items in versions, with their webhooks. The gallery removes its orgs, so that is handed in.
import type { Feature, JobSource, Things, Work } from '../content/manifest.ts'
import { titlesIn } from '../content/title-queries.ts'
import { itemKinds, listNameOf } from '../contract/item-kinds.ts'
import { type Prompt, SAFE } from '../contract/prompt.ts'
import { more, queue } from '../core/jobs/job.ts'
import { lazily } from '../request/lazily.ts'
import { timestamp } from '../runtime/clock.ts'
import { idsOf, type SearchSource } from '../search/building-queries.ts'
import { tagDocument, tagId } from '../search/things.ts'
import { closingErasure } from './closing/closing.ts'
import { findPending } from './closing/queries.ts'
import { library } from './contract.ts'
import { allItems, commentable } from './discussing.ts'
import type { Downloads } from './downloads/downloads.ts'
import { listCarried, listItemDocuments, listTagsCarried } from './items/indexing-queries.ts'
import { isArtifactUsed } from './items/version-queries.ts'
import { itemHiding } from './listing/hiding.ts'
import type { LibraryServices } from './operations.ts'
import { listUnranked } from './outcome-figures/queries.ts'
import { countVersion, listWaiting, outcomeErasure, outcomeHiding, rankItem } from './outcomes/counting.ts'
import { itemWebhooks } from './webhooks-contract.ts'

// What people ask their agents for about the library.

const prompts: readonly Prompt[] = [
  {
    name: 'review_update',
    title: 'Review an update',
    description: 'What a version of a library item may newly do, before it is installed',
    arguments: [
      { name: 'kind', description: 'workflow, automation or org', required: true },
      { name: 'slug', description: 'The slug of the item', required: true },
      { name: 'from', description: 'The version that is installed', required: true },
      { name: 'to', description: 'The version to review', required: true },
    ],
    needs: ['library.findCompare'],
    completedBy: 'library.find',
    data: ({ kind, slug, from, to }) => [{ operation: 'library.findCompare', input: { kind, slug, from, to } }],
    say: ({ kind = '', slug = '', from = '', to = '' }) =>
      `Review the update of ${kind}/${slug} from ${from} to ${to}, compared below. ${SAFE}
1. List first what it may newly do: sites, scripts, connectors, secrets, schedule, models. Say for each whether the changes explain it.
2. Then the changes of steps and files, each in a sentence.
3. End with one of: install, install after a question to its publisher, do not install; and why.`,
  },
]

/** The list in which the values of an argument are. */
const completedBy: Readonly<Record<string, string>> = {
  slug: 'library.list',
  version: 'library.findVersions',
  from: 'library.findVersions',
  to: 'library.findVersions',
}

const tagOf = (id: string) => id.slice(tagId('').length)

const tagSource: SearchSource = {
  types: ['tag'],
  listIds: async (db, { after, limit }) => (await listTagsCarried(db, tagOf(after), limit)).map(tagId),
  find: async (db, ids) => (await listCarried(db, ids.map(tagOf))).map(tagDocument),
}

export const libraryFeature = {
  handlers: (services: LibraryServices) => ({
    library: lazily(library, async () => (await import('./operations.ts')).libraryOf(services)),
    itemWebhooks: lazily(itemWebhooks, async () => (await import('./operations.ts')).itemWebhookHandlers),
  }),
  commentables: [commentable],
  votables: [allItems],
  hidings: [itemHiding],
  sweptFirst: [outcomeHiding],
  erasure: { steps: async () => [(await import('./erasure.ts')).itemErasure, outcomeErasure, closingErasure] },
  titles: {
    item: titlesIn('libraryItem', ['id', 'kind', 'slug', 'name'], ({ id, kind, slug, name }) => ({
      ...{ id, title: name, url: `/library/${listNameOf(kind)}/${slug}` },
    })),
  },
  searchSources: [{ types: itemKinds, listIds: idsOf('libraryItem'), find: listItemDocuments }, tagSource],
  prompts,
  completedBy,
  paths: { item: ['/library/items/{id}'] },
  jobs: (
    { db, clock }: JobSource,
    work: Work<{ downloads: Pick<Downloads, 'write'> } & Pick<Things, 'releasings'>>,
  ) => [
    {
      kind: 'downloads.write',
      summary: 'writes the downloads that a process counted',
      wake: { inEachProcess: 10 },
      batch: async () => void (await work().services.downloads.write()),
    },
    {
      kind: 'outcomes.count',
      summary: 'makes the figures of versions from what accounts reported',
      wake: { find: ({ limit }) => listWaiting(db, limit) },
      batch: async ({ key }) => void (await countVersion(db, key, timestamp(clock.now()))),
    },
    {
      kind: 'versions.close',
      summary: 'closes the bugs that a version names',
      wake: { find: async () => queue((await findPending(db)) && {}) },
      async batch() {
        const { closeNext } = await import('../content/edits/closing.ts')
        const { versions } = await import('./closing/closing.ts')
        return more(await closeNext({ db, now: timestamp(clock.now()) }, work().services.releasings, versions))
      },
    },
    {
      kind: 'library.rank',
      summary: 'finds the places of items in the order of the best',
      wake: { find: ({ limit }) => listUnranked(db, limit) },
      batch: async ({ key }) => void (await rankItem(db, key)),
    },
    {
      kind: 'library.backfill',
      summary: 'reads what files say that came before it was stored',
      wake: { once: '1' },
      longestBatchSeconds: 600,
      async batch({ cursor }) {
        const { backfillFromFiles } = await import('./uses/backfill.ts')
        const { readFileOf } = await import('./files/file.ts')
        return backfillFromFiles({ db, blobs: work().dependencies.blobs, readFile: readFileOf }, cursor)
      },
    },
  ],
  cleanUps: {
    library: ['what the library counted', async (now, { db }) => (await import('./erasure.ts')).cleanUp(db, now)],
  },
  isFileUsed: isArtifactUsed,
} satisfies Feature
