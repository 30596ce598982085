// Many members: bounds of groups, of what a PATCH does, and of what a filter looks through; and what is not asked for is not looked up.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type Provider, providerOf } from '../../../test/scim-provider.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { newId } from '../../runtime/ids.ts'
import { MAX_PARTS } from './listing.ts'
import { PATCH_OP, ScimError } from './messages.ts'
import { patched } from './patch.ts'
import { knownOfGroup, MAX_MEMBERS } from './resources.ts'
import { MAX_LOOKED_AT } from './values.ts'

type Operation = { op: string; path?: string; value?: unknown }

const valued = (ids: readonly string[]) => ids.map((value) => ({ value }))
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `m-${n}`)

/** The members that operations leave of some. */
const left = (before: readonly string[], ...Operations: Operation[]) => {
  const after = patched(
    { displayName: 'x', members: valued(before) },
    { schemas: [PATCH_OP], Operations },
    knownOfGroup,
  )
  return (after['members'] as { value: string }[]).map(({ value }) => value)
}

const refused = (scimType: string) => (error: unknown) => error instanceof ScimError && error.scimType === scimType

it('a PATCH adds and removes members by their value, in any case', () => {
  const add = (...ids: string[]) => ({ op: 'add', path: 'members', value: valued(ids) })
  const remove = (...ids: string[]) => ({ op: 'remove', path: 'members', value: valued(ids) })
  assert.deepEqual(left(['a', 'b'], add('B', 'c', 'c')), ['a', 'b', 'c'])
  assert.deepEqual(left(['a', 'b'], remove('A', 'x')), ['b'])
  assert.deepEqual(left(['a', 'b'], { op: 'remove', path: 'members[value eq "A"]' }, add('d')), ['b', 'd'])
  assert.deepEqual(left(['a', 'b'], { op: 'replace', path: 'members[value eq "b"].value', value: 'c' }), ['a', 'c'])
  assert.deepEqual(left(['a'], { op: 'add', path: 'members[value eq "b"]', value: {} }), ['a', 'b'])
})

it('a removal without a value is of all members, and one of an empty list of none', () => {
  assert.deepEqual(left(['a', 'b'], { op: 'remove', path: 'members' }), [])
  assert.deepEqual(left(['a', 'b'], { op: 'remove', path: 'members', value: null }), [])
  assert.deepEqual(left(['a', 'b'], { op: 'remove', path: 'members', value: [] }), ['a', 'b'])
})

it('a group has at most so many members after each operation of a PATCH', () => {
  const all = numbered(MAX_MEMBERS)
  const add = { op: 'add', path: 'members', value: valued(['last']) }
  const remove = { op: 'remove', path: 'members[value eq "m-0"]' }
  assert.equal(left(all.slice(1), add).length, MAX_MEMBERS)
  assert.equal(left(all, remove, add).length, MAX_MEMBERS)
  assert.throws(() => left(all, add, remove), refused('invalidValue'))
  const others = { op: 'replace', path: 'members', value: valued(numbered(MAX_MEMBERS + 1)) }
  assert.throws(() => left([], others), refused('invalidValue'))
})

it('a PATCH looks through so many members for filters on something else than their value', () => {
  const all = numbered(MAX_MEMBERS)
  const looks = (count: number) =>
    Array.from({ length: count }, () => ({ op: 'remove', path: 'members[value co "none"]' }))
  assert.equal(left(all, ...looks(MAX_LOOKED_AT / MAX_MEMBERS)).length, MAX_MEMBERS)
  assert.throws(() => left(all, ...looks(MAX_LOOKED_AT / MAX_MEMBERS + 1)), refused('tooMany'))
  const byValue = all.slice(0, 1_000).map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }))
  assert.equal(left(all, ...byValue).length, MAX_MEMBERS - 1_000)
})

/** Accounts as the provider has them, without asking for each. */
async function accounts({ db }: World, count: number): Promise<string[]> {
  const now = '2026-01-01T00:00:00.000Z'
  const one = await db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
  const ids = Array.from({ length: count }, newId)
  const held = { blockedAt: null, isBlockedElse: 0, givenRole: null, ownRole: null, givenBoards: '[]', ownBoards: '[]' }
  const users = ids.map((id) => ({ ...one, id, email: `${id}@example.com`, username: null, usernameKey: null }))
  const known = ids.map((userId) => ({
    ...{ userId, userName: userId, userNameKey: userId, externalId: null, attributes: '{}', deletedAt: null },
    ...{ ...held, isBlockedElse: 0 as const, createdAt: now, updatedAt: now },
  }))
  for (let from = 0; from < count; from += 500) {
    await db
      .insertInto('user')
      .values(users.slice(from, from + 500))
      .execute()
    await db
      .insertInto('scimUser')
      .values(known.slice(from, from + 500))
      .execute()
  }
  return ids
}

const groupsIn = async (provider: Provider, query: string) => (await provider.get(`/Groups?${query}`)).body

onEveryEngine(
  'a provider with many members',
  (it) => {
    it('has groups of 5,000, lists as many members as an answer has, and finds the groups of one', async (world) => {
      const provider = await providerOf(world)
      const ids = await accounts(world, MAX_MEMBERS)
      const most = MAX_PARTS / MAX_MEMBERS
      const paths: string[] = []
      for (let n = 0; n < most; n++) {
        const { status, body } = await provider.addGroup(`Group ${n}`, ids)
        assert.equal(status, 201)
        assert.equal(body['members'].length, MAX_MEMBERS)
        paths.push(`/Groups/${body['id']}`)
      }
      const sought = `filter=${encodeURIComponent(`members eq "${ids[7]}" and displayName co "group"`)}`
      assert.equal((await groupsIn(provider, '')).Resources.length, most)
      assert.equal((await groupsIn(provider, `${sought}&excludedAttributes=members`)).totalResults, most)
      const { body } = await provider.addGroup('One more', ids.slice(0, 1))
      const page = await groupsIn(provider, '')
      assert.deepEqual([page.totalResults, page.itemsPerPage, page.Resources.length], [most + 1, most, most])
      const rest = await groupsIn(provider, `startIndex=${most + 1}`)
      assert.deepEqual([rest.itemsPerPage, rest.Resources[0].id], [1, body['id']])
      const without = await groupsIn(provider, 'excludedAttributes=members')
      assert.deepEqual([without.itemsPerPage, 'members' in without.Resources[0]], [most + 1, false])
      assert.equal((await groupsIn(provider, 'attributes=displayName')).itemsPerPage, most + 1)
      assertError(await provider.get(`/Groups?${sought}`), 400, 'tooMany')
      const ofOne = `filter=${encodeURIComponent(`id eq "${body['id']}" and members[value eq "${ids[0]}"]`)}`
      assert.equal((await groupsIn(provider, ofOne)).totalResults, 1)
      const named = `filter=${encodeURIComponent('displayName sw "one"')}`
      assert.deepEqual((await groupsIn(provider, named)).Resources[0].members.length, 1)
      const more = await provider.addGroup('Too many', [...ids, 'x'])
      assertError(more, 400, 'invalidValue')
      const [first = ''] = paths
      const add = { op: 'add', path: 'members', value: valued(await accounts(world, 1)) }
      assertError(await provider.patch(first, add), 400, 'invalidValue')
      assert.equal(
        (await provider.patch(first, { op: 'remove', path: `members[value eq "${ids[0]}"]` }, add)).status,
        200,
      )
      const none = await provider.patch(first, { op: 'remove', path: 'members', value: [] })
      assert.equal(none.body['members'].length, MAX_MEMBERS)
      const emptied = await provider.patch(`${first}?excludedAttributes=members`, { op: 'remove', path: 'members' })
      assert.deepEqual([emptied.status, 'members' in emptied.body], [200, false])
      assert.deepEqual((await provider.get(first)).body['members'], [])
    })
  },
  { SCIM: 'on' },
)
