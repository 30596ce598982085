// The index of the search is built again where another version of the server made it: while it is used, in any number of processes, and
// from where it ended.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { orgFile, workflowFile } from '../../test/library.ts'
import { complaintsOf } from '../../test/sound.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { engineOf } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'
import { searchSources } from '../search-sources.ts'
import { buildSearch, isBuilt, resetBuild } from './building.ts'
import { documentOf, SEARCH_VERSION, termsOf } from './document.ts'
import {
  commentDocument,
  itemDocument,
  labelDocument,
  orgDocument,
  personDocument,
  tagDocument,
  teamDocument,
} from './things.ts'

const build = (db: Db, sources = searchSources) => buildSearch({ db, sources, now: () => '2026-11-22T00:00:00.000Z' })

/** A thing of every kind, and some that the search must not find. */
async function fill({ alice, bob, moderator }: World): Promise<{ bug: string }> {
  await alice.profile.setUsername({ username: 'alice-m' })
  const bug = await alice.bugs.create({ title: 'A *bug*', description: 'It `stalls`.', severity: 'low' })
  await bob.bugs.comment({ id: bug.id, body: 'Again' })
  await alice.features.create({ title: 'Feature', description: 'D' })
  for (let n = 0; n < 45; n++) await bob.posts.create({ title: `Post ${n}`, body: 'The quokkas sleep' })
  await moderator.labels.create({ name: 'mail & more', color: '#aabbcc' })
  const orgJson = JSON.stringify({ name: 'New', goal: 'G', roles: [{ id: 'solo' }] })
  const org = await alice.orgs.create({ orgJson })
  await alice.orgs.update({ id: org.id, body: '# How', description: 'D' })
  await alice.library.publish({ kind: 'workflow', visibility: 'public', tags: 'mail,b', file: workflowFile() })
  await alice.library.publish({ kind: 'workflow', tags: 'secret', file: workflowFile({ name: 'Private' }) })
  await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile() })
  await bob.blog.comment({ slug: 'what-guildhall-is', body: 'Well said' })
  return { bug: bug.id }
}

const snapshot = async (db: Db) => ({
  documents: await db
    .selectFrom('searchDocument')
    .select(['id', 'type', 'title', 'names', 'body', 'url', 'counted'])
    .orderBy('id')
    .execute(),
  words: await db.selectFrom('searchWord').selectAll().orderBy('word').execute(),
  counts: await db.selectFrom('searchCount').selectAll().where('count', '!=', 0).orderBy('term').execute(),
})

/** As if an older version had made it: wrong texts, terms, words and counts, a document too few and one too many. */
async function spoil(db: Db): Promise<void> {
  const terms = engineOf(db) === 'sqlite' ? {} : { terms: sql<string>`'old'::tsvector` }
  await db
    .updateTable('searchDocument')
    .set({ title: 'Old', ...terms })
    .where('type', '=', 'post')
    .execute()
  if (engineOf(db) === 'sqlite') await sql`delete from "searchTerms"`.execute(db)
  await db.deleteFrom('searchDocument').where('type', '=', 'tag').execute()
  const gone = { rowId: 1, id: 'gone', type: 'post', counted: 1, title: 'Gone', names: '', url: '/', body: '' } as const
  await db
    .insertInto('searchDocument')
    .values({ ...gone, ...terms, authorId: null, parentType: null, parentId: null, createdAt: null })
    .execute()
  await db.updateTable('searchWord').set({ term: 'other', reversed: null }).where('word', '=', 'quokkas').execute()
  await db.updateTable('searchCount').set({ count: 7 }).execute()
  await resetBuild(db)
}

onEveryEngine('the index of the search', (it) => {
  it('is built again as if everything were written now', async (world) => {
    const { db } = world
    await fill(world)
    const before = await snapshot(db)
    await spoil(db)
    assert.equal(await isBuilt(db), false)
    assert.deepEqual(await complaintsOf(world), [
      'The index of the search is not built to its end: start the server, or run reindex',
    ])
    await Promise.all([build(db), build(db), build(db)])
    assert.deepEqual(await snapshot(db), before)
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('goes on where it ended', async (world) => {
    const { db } = world
    await fill(world)
    await spoil(db)
    let calls = 0
    const failing = searchSources.map((source) => ({
      ...source,
      find: (on: Db, ids: readonly string[]) => {
        calls++
        if (calls === 5) throw new Error('the process ends')
        return source.find(on, ids)
      },
    }))
    await assert.rejects(build(db, failing), /the process ends/)
    const place = await db.selectFrom('searchBuild').selectAll().executeTakeFirstOrThrow()
    assert.ok(place.stage > 0 && place.doneAt === null, JSON.stringify(place))
    calls = 100
    await build(db, failing)
    const rest = calls - 100
    await resetBuild(db)
    await build(db, failing)
    assert.ok(rest < calls - 100 - rest, 'what was built is not built again')
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('answers meanwhile, and has what is written meanwhile', async (world) => {
    const { db, alice, bob, moderator, anonymous } = world
    const { bug } = await fill(world)
    const posts = (await anonymous.posts.list({ per_page: 40 })).items
    await resetBuild(db)
    const total = async () => (await anonymous.search.find({ q: 'quokkas', per_page: 50 })).total
    let isBuilding = true
    const building = build(db).finally(() => {
      isBuilding = false
    })
    const totals: number[] = []
    const reading = (async () => {
      for (; isBuilding; await pause(1)) totals.push(await total())
    })()
    for (const [n, { id }] of posts.slice(0, 12).entries()) {
      if (n % 3 === 0) await bob.posts.delete({ id })
      else if (n % 3 === 1) await bob.posts.edit({ id, body: `Numbats ${n}` })
      else await alice.posts.create({ title: `Late ${n}`, body: 'A quokka' })
    }
    await moderator.bugs.delete({ id: bug })
    await Promise.all([building, reading])
    assert.equal(await total(), 45 - 4)
    assert.ok(
      totals.every((count) => count > 30),
      totals.join(),
    )
    assert.deepEqual(await complaintsOf(world), [])
  })
})

it('has a new version when documents or terms change', () => {
  const of = { authorId: 'a', createdAt: '2026-01-01T00:00:00.000Z', viaClientId: null }
  const texts = {
    title: 'The *agents* of find_operation, v1.4.2',
    body: '# How\n\n- [Crash](/x) at 3 a.m.: `naïve` 東京 running',
  }
  const contents = JSON.stringify({
    files: [{ path: 'a/b.txt' }],
    permissions: { steps: ['mail.send'] },
    stepNames: ['Read it'],
  })
  const item = {
    kind: 'workflow',
    slug: 's',
    name: 'Digest',
    description: 'D',
    tags: '["mail"]',
    ownerId: 'a',
  } as const
  const org = { slug: 'o', name: 'Org', goal: 'G', tagline: 'T', description: null, body: '# B' }
  const documents = [
    { id: 'p', type: 'post', url: '/', ...of, ...texts } as const,
    commentDocument({ id: 'c', targetType: 'bug', targetId: 'b', ...of, ...texts }),
    personDocument({ id: 'u', name: 'Ann Lee', username: 'ann-lee', ...of }),
    labelDocument({ id: 'l', name: 'good first' }),
    tagDocument('daily mail'),
    teamDocument({
      id: 't',
      slug: 'night-shift',
      name: 'Night shift',
      description: 'At night',
      createdAt: of.createdAt,
    }),
    orgDocument({ id: 'o', ...org, ...of }, { title: 'Org', url: '/o' }),
    itemDocument({
      id: 'i',
      ...item,
      meta: '{"node_types":["http.get"]}',
      readme: '# R',
      contents,
      createdAt: of.createdAt,
      viaClientId: null,
    }),
  ]
  const made = documents
    .filter((one) => one !== undefined)
    .map((one) => {
      // Who wrote it is a column that nothing is found by.
      const { viaClientId: _, ...document } = documentOf(one)
      const { terms, words } = termsOf(document)
      return { document, terms, words: [...words] }
    })
  const fingerprint = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16)
  assert.deepEqual(
    { version: SEARCH_VERSION, fingerprint },
    { version: 3, fingerprint: 'ab0a91562c409cc6' },
    'increase SEARCH_VERSION',
  )
})
