// A community whose every text has one word that is nowhere else, and all addresses at which it could be read: derived from contracts, routes
// of the site and paths of the server, so that a new one is covered by existing.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { api } from '../src/api.ts'
import { type Contract, type Operation, placesOf } from '../src/contract/operation.ts'
import { putSetting } from '../src/settings/queries.ts'
import { orgFile, workflowFile } from './library.ts'
import { tinyPng } from './pictures.ts'
import { sampleOf } from './samples.ts'
import { known } from './teams.ts'
import type { World } from './world.ts'

/** Changes who may read, as an admin does. */
export async function setReaders({ db, dependencies }: World, value: 'everyone' | 'members'): Promise<void> {
  const setting = { name: 'READERS', value, actorId: null, changedAt: '2026-01-01T00:00:00.000Z' }
  await db.transaction().execute((transaction) => putSetting(transaction, setting))
  await dependencies.settings.reload()
}

/** In every title, name and text of the community. */
export const WORD = 'Zwielichtuhr'
/** A name that an account, a team and an address may have. */
const NAME = 'zwielichtuhr'

/** An id of nothing. */
export const NOTHING = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'

type Ids = Readonly<Record<string, string>>

export interface Community {
  /** What fills in the names of paths, by the slice whose paths they are. */
  bySlice: Readonly<Record<string, Ids>>
  /** Ids that no anonymous caller may be told. */
  ids: readonly string[]
}

/** One thing of each kind, with the word in all of its texts. */
export async function fill(world: World): Promise<Community> {
  const { admin, app } = world
  const id = await known(world, admin, NAME)
  await admin.profile.update({ name: WORD, tagline: WORD })
  await admin.avatars.set({ avatar: await tinyPng() })
  const text = { title: `${WORD} breaks`, description: `All about the ${WORD}` }
  const bug = await admin.bugs.create({ ...text, severity: 'low' })
  const comment = await admin.bugs.comment({ id: bug.id, body: `${WORD} again` })
  const feature = await admin.features.create(text)
  const post = await admin.posts.create({ title: WORD, body: `About the ${WORD}` })
  const release = await admin.changelog.create({ title: WORD, body: `With a ${WORD}` })
  const label = await admin.labels.create({ name: WORD, color: '#123456' })
  await admin.bugs.attachLabel({ id: bug.id, labelId: label.id })
  const image = await admin.textImages.add({ image: await tinyPng() })
  const org = await admin.orgs.create({ orgJson: await orgFile({ name: WORD }).text() })
  const banner = await admin.orgImages.add({ id: org.id, image: await tinyPng() })
  const run = await admin.orgRuns.add({ id: org.id, label: WORD, files: [new File([`# ${WORD}`], `${WORD}.md`)] })
  const file = workflowFile({ name: WORD, description: WORD })
  const item = await admin.library.publish({ kind: 'workflow', file, visibility: 'public', name: WORD })
  await admin.library.comment({ id: item.id, body: WORD })
  const team = await admin.teams.create({ slug: NAME, name: WORD, description: WORD })
  const [article] = (await admin.blog.list()).items
  await admin.blog.comment({ slug: article!.slug, body: WORD })
  const { number } = await admin.bugs.get({ id: bug.id })
  await app.deliver()
  const [avatar = ''] = Object.values(await admin.profile.show({ username: NAME })).filter(
    (value): value is string => typeof value === 'string' && value.includes('/images/avatar/'),
  )
  const inItem = { id: item.id, kind: 'workflow', slug: item.slug, version: item.version, path: 'workflow.json' }
  const keyOf = (url: string) => url.slice(url.lastIndexOf('/') + 1).replace(/\?.*/, '')
  return {
    bySlice: {
      bugs: { id: bug.id },
      features: { id: feature.id },
      posts: { id: post.id },
      changelog: { id: release.id },
      labels: { id: label.id },
      blog: { slug: article!.slug },
      orgs: { id: org.id, slug: org.id },
      orgRuns: { id: org.id, runId: run.id, fileId: run.files[0]!.id },
      orgImages: { key: keyOf(banner.url) },
      textImages: { key: keyOf(image.url) },
      comments: { id: comment.id, authorId: id },
      members: { username: NAME, usernames: NAME },
      profile: { username: NAME },
      references: { number: String(number), numbers: String(number) },
      avatars: { userId: id, key: keyOf(avatar) },
      agents: { clientId: 'agent' },
      search: { q: WORD, title: WORD },
      library: inItem,
      transparency: { ...inItem, old: '1', size: '1' },
      teams: { slug: team.slug },
    },
    ids: [bug, comment, feature, post, release, label, org, run, item].map((one) => one.id),
  }
}

const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ slice, name: `${slice}.${verb}`, operation })),
)

/** A request that an anonymous caller makes. */
export interface AnonymousCall {
  name: string
  path: string
  method: string
  body?: string
}

const isForAnybody = ({ access }: Operation) => ['optional', 'none'].includes(access.credential)

/** Every operation that an anonymous caller of a public instance may call, for these things; or others. */
export function callsOf(
  { bySlice }: Pick<Community, 'bySlice'>,
  isWanted: (operation: Operation) => boolean = isForAnybody,
): (AnonymousCall & { operation: Operation })[] {
  return operations
    .filter(({ operation }) => isWanted(operation))
    .map(({ slice, name, operation }) => ({ name, operation, ...requestOf(operation, bySlice[slice] ?? {}) }))
}

function requestOf(operation: Operation, ids: Ids): Pick<AnonymousCall, 'path' | 'method' | 'body'> {
  const { method, input } = operation
  const { query, body } = placesOf(operation)
  const sample = sampleOf(input)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? NOTHING))
  const needed = query.filter(
    (name) => ids[name] !== undefined || input.shape[name]?.safeParse(undefined).success === false,
  )
  const given = new URLSearchParams(needed.map((name) => [name, ids[name] ?? String(sample[name] ?? '')]))
  const search = given.size > 0 ? `?${given}` : ''
  const fields = Object.fromEntries(body.map((name) => [name, ids[name] ?? sample[name]]))
  return { path: `/api${path}${search}`, method, ...(body.length > 0 && { body: JSON.stringify(fields) }) }
}

/** What fills in the parameters of the site's routes, by the beginning of the route. */
function valuesOf({ bySlice }: Pick<Community, 'bySlice'>, route: string): Record<string, string> {
  const of = (slice: string) => bySlice[slice] ?? {}
  const subject = { subject: 'bugs', id: of('bugs')['id'] ?? NOTHING }
  const starts: [string, Record<string, string>][] = [
    ['/community/[subject', subject],
    ['/community/comments', { id: of('comments')['id'] ?? NOTHING }],
    ['/community/orgs', { ...of('orgRuns'), slug: of('orgs')['id'] ?? NOTHING }],
    ['/community/u', of('profile')],
    ['/community/[number', { number: of('references')['number'] ?? '99999' }],
    ['/blog', of('blog')],
    ['/library', { ...of('library'), kind: 'workflows' }],
    ['/teams', of('teams')],
    ['/share', { type: 'bug', id: of('bugs')['id'] ?? NOTHING }],
    ['/avatars', { name: NAME }],
    ['/docs/reference', { part: 'bugs' }],
    ['/docs', { name: 'mcp' }],
    ['/[name', { name: 'privacy' }],
    ['', { id: NOTHING }],
  ]
  return starts.find(([start]) => route.startsWith(start))![1]
}

/** Every page and every other route of the site, with its data. */
export function pagesOf(community: Pick<Community, 'bySlice'>): AnonymousCall[] {
  const files = globSync('site/src/routes/**/+{page.svelte,page.server.ts,server.ts}')
  const routes = new Set(files.map((file) => dirname(file).slice('site/src/routes'.length) || '/'))
  assert.ok(routes.size > 90, String(routes.size))
  return [...routes].sort().flatMap((route) => {
    const values = valuesOf(community, route)
    const path = route.replace(/\[+(?:\.\.\.)?(\w+)(?:=\w+)?\]+/g, (_, name: string) => values[name] ?? NOTHING)
    const query = /search/.test(path) ? `?q=${WORD}` : ''
    const page = { name: route, path: path + query, method: 'GET' }
    const isPage = !/\.(?:atom|ics|svg|png|xml|txt)$/.test(path)
    return isPage ? [page, { ...page, path: `${path === '/' ? '' : path}/__data.json${query}` }] : [page]
  })
}
