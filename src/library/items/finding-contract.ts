// Finding items, reading about them and downloading them.
import { z } from 'zod'
import { BestSort, Cursor, Id, NextCursor, SearchText, textLike } from '../../contract/fields.ts'
import { file, Redirect } from '../../contract/files.ts'
import type { Contract } from '../../contract/operation.ts'
import { browse, read } from './area.ts'
import {
  Contents,
  Item,
  ItemSlug,
  ItemVersion,
  KIND_SEGMENT,
  KindName,
  ListedKind,
  orEmpty,
  RESOURCE,
  TeamSlug,
  VersionText,
} from './item-contract.ts'

/** Lists of the library start at page 1, and what is out of bounds is an error (interface.md, section 7). */
export const pages = {
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1).meta({ description: 'The first page is 1' }),
  cursor: Cursor,
  per_page: z.coerce.number().int().min(1).max(100).default(24).meta({ description: 'Entries a page' }),
}
const paged = {
  page: z.int().meta({ example: 1, description: 'As in the request; it counts nothing beside a cursor' }),
  per_page: z.int().meta({ example: 24 }),
  total: z.int().meta({ example: 1 }),
  nextCursor: NextCursor,
}

const byId = z.object({ id: Id })
const bySlug = z.object({ kind: KindName, slug: ItemSlug })
const byKind = { kind: KIND_SEGMENT }
const Readme = z.object({
  version: textLike('1.2.0'),
  readme: textLike('# Morning digest\n\nSends a summary of the night at seven.')
    .nullable()
    .meta({ description: 'Markdown; null when there is none' }),
})
const Versions = z.object({ versions: z.array(ItemVersion), nextCursor: NextCursor })
/** All in one page, as far as that can be read: an account publishes 30 versions an hour. */
const versionPages = {
  page: pages.page,
  cursor: Cursor,
  per_page: z.coerce.number().int().min(1).max(1_000).default(1_000).meta({ description: 'Versions a page' }),
}
export const VersionAsked = { version: orEmpty(VersionText).meta({ description: 'The current one unless told' }) }
const artifact = file('application/zip', 'application/json')
export const finding = {
  list: {
    summary: 'Items, last updated, most voted or best first',
    description:
      'Orgs of the gallery are among them. `scope=mine` and `scope=maintained` need a credential. A search counts its hits up to 1,000, and has no pages beyond; one for one or two characters looks at the first 10,000 items of the list.',
    method: 'GET',
    path: '/library/items',
    tool: { name: 'list_library_items', title: 'List library items', known: true },
    access: browse,
    input: z.object({
      kind: ListedKind,
      scope: z.enum(['public', 'official', 'mine', 'maintained']).default('public').meta({
        description:
          'public: public and official items; official; mine: those of the caller; maintained: those the caller has a role on',
      }),
      team: orEmpty(TeamSlug).meta({ description: 'Slug of a team that holds them' }),
      owner: orEmpty(z.string().trim().max(200)).meta({ description: 'Username of who owns them' }),
      q: SearchText,
      tag: orEmpty(z.string().trim().toLowerCase().max(100)).meta({ description: 'Only items that carry this tag' }),
      sort: BestSort,
      ...pages,
    }),
    output: z.object({ items: z.array(Item), ...paged }),
    problems: ['unauthorized', 'insufficient_scope'],
  },
  tags: {
    summary: 'Tags of listed items with how many carry them, most used first',
    synonyms: ['list tags', 'categories'],
    method: 'GET',
    path: '/library/tags',
    access: browse,
    input: z.object({
      kind: ListedKind,
      scope: z
        .enum(['public', 'official'])
        .default('public')
        .meta({ description: 'public: public and official items; official' }),
      ...pages,
      per_page: pages.per_page.default(50).meta({ description: 'Tags a page' }),
    }),
    output: z.object({ items: z.array(z.object({ tag: textLike('mail'), count: z.int() })), ...paged }),
  },
} satisfies Contract

interface ItemReadOptions<Output> {
  summary: string
  synonyms?: readonly string[]
  output: Output
  access?: typeof browse | typeof read
}

/** An operation on what belongs to an item, by its id and by its kind and slug. */
export const byEither = <More extends z.ZodRawShape, Output extends z.ZodType>(
  segment: string,
  more: More,
  { summary, synonyms = [], output, access = browse }: ItemReadOptions<Output>,
) => {
  const shared = { method: 'GET', synonyms, access, output, problems: ['not_found'] } as const
  return {
    byId: { ...shared, summary, path: `/library/items/{id}/${segment}`, input: byId.extend(more) },
    bySlug: {
      ...shared,
      summary: `${summary}, by kind and slug`,
      path: `/library/items/{kind}/{slug}/${segment}`,
      segments: byKind,
      input: bySlug.extend(more),
    },
  } as const
}

const README = 'README of a library item'
const readme = byEither('readme', VersionAsked, { summary: 'What an item says about itself', output: Readme })
const contents = byEither('contents', VersionAsked, {
  summary: 'The files of an item, and what it may do',
  synonyms: ['permissions of item', 'list files', 'what can it do'],
  output: Contents,
})
const versions = byEither('versions', versionPages, {
  summary: 'Every version of an item, newest first',
  synonyms: ['list versions', 'version history', 'which versions', 'releases of item'],
  output: Versions,
})
const download = byEither(
  'artifact',
  { ...VersionAsked, redirect: Redirect },
  {
    summary: 'The file of an item, of any version',
    synonyms: ['download', 'get file', 'install', 'fetch artifact'],
    output: artifact,
    access: read,
  },
)

export const reading = {
  get: {
    summary: 'An item',
    method: 'GET',
    path: '/library/items/{id}',
    tool: { name: 'get_library_item', title: 'Get a library item', known: true },
    resource: RESOURCE,
    access: browse,
    input: byId,
    output: Item,
    problems: ['not_found'],
  },
  find: {
    summary: 'An item by its kind and slug',
    method: 'GET',
    path: '/library/items/{kind}/{slug}',
    tool: { name: 'get_library_item' },
    resource: RESOURCE,
    segments: byKind,
    access: browse,
    input: bySlug,
    output: Item,
    problems: ['not_found'],
  },
  readme: {
    ...readme.byId,
    summary: 'What an item says about itself, in Markdown',
    synonyms: ['readme', 'documentation of item', 'how to use item'],
    resource: README,
    description: "An automation's README.md, the body or goal of an org, the description of a workflow.",
  },
  findReadme: { ...readme.bySlug, resource: README },
  contents: { ...contents.byId, description: 'Read once, when the version was published.' },
  findContents: contents.bySlug,
  versions: versions.byId,
  findVersions: versions.bySlug,
  download: {
    ...download.byId,
    description: 'Compare X-Content-SHA256 with what arrived before installing it.',
  },
  findDownload: download.bySlug,
} satisfies Contract
