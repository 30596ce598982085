// Saved filters: one's own lists, under one's own names.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { onEveryEngine } from '../../../test/world.ts'
import { isListPath, MAX_SAVED } from './rules.ts'

const open = { name: 'Open bugs', path: '/community/bugs?status=open' }

onEveryEngine('saved filters', (it) => {
  it('are listed by name, renamed and removed, and nobody else sees them', async ({ alice, bob, anonymous }) => {
    const made = await alice.savedFilters.save(open)
    const feed = await alice.savedFilters.save({ name: 'Feed of bugs', path: '/community?type=bug' })
    assert.deepEqual(await alice.savedFilters.list({}), { items: [feed, made] })
    assert.deepEqual(await bob.savedFilters.list({}), { items: [] })
    const renamed = await alice.savedFilters.save({ ...open, name: 'All open' })
    assert.deepEqual(renamed, { ...made, name: 'All open' })
    await assert.rejects(bob.savedFilters.delete({ id: made.id }), { status: 404 })
    assert.deepEqual(await alice.savedFilters.delete({ id: made.id }), { id: made.id })
    await assert.rejects(alice.savedFilters.delete({ id: made.id }), { status: 404 })
    assert.deepEqual((await alice.savedFilters.list({})).items, [feed])
    await assert.rejects(anonymous.savedFilters.list({}), { status: 401 })
    await assert.rejects(anonymous.savedFilters.save(open), { status: 401 })
  })

  it('are lists of this site alone, with names of up to 60 characters', async ({ alice }) => {
    for (const path of [
      'https://evil.example/',
      '//evil.example',
      '/settings',
      '/community/bugs#x',
      '/community/../x',
    ]) {
      await assert.rejects(alice.savedFilters.save({ name: 'x', path }), { status: 400 }, path)
    }
    await alice.savedFilters.save({ ...open, name: 'x'.repeat(60) })
    await assert.rejects(alice.savedFilters.save({ ...open, name: 'x'.repeat(61) }), { status: 400 })
    const long = (length: number) => `/community?q=${'x'.repeat(length - '/community?q='.length)}`
    await alice.savedFilters.save({ name: 'x', path: long(500) })
    await assert.rejects(alice.savedFilters.save({ name: 'x', path: long(501) }), { status: 400 })
  })

  it('are at most fifty, however many are saved at once', async ({ alice, db }) => {
    const { id: userId } = await alice.account()
    const row = (at: number) => ({
      id: `s${at}`,
      userId,
      name: 'x',
      path: `/community?q=${at}`,
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    for (let at = 0; at < MAX_SAVED - 1; at++) await db.insertInto('savedFilter').values(row(at)).execute()
    const saves = Array.from({ length: 3 }, (_, at) => alice.savedFilters.save({ name: 'x', path: `/search?q=${at}` }))
    const results = await Promise.allSettled(saves)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await alice.savedFilters.list({})).items.length, MAX_SAVED)
    await assert.rejects(alice.savedFilters.save(open), { status: 409 })
    await alice.savedFilters.save({ name: 'renamed', path: '/community?q=0' })
  })
})

plainIt('A list can be saved with its query, and nothing that leads elsewhere', () => {
  for (const path of ['/community', '/community/bugs?a=b&c', '/library/workflows?tag=x', '/search?q=a%20b']) {
    assert.equal(isListPath(path), true, path)
  }
  for (const path of [
    '',
    'x',
    '/',
    '//a.example/community',
    '/community/u/x',
    '/community?a b',
    '\\\\community',
    '/library/a/b',
  ]) {
    assert.equal(isListPath(path), false, path)
  }
})
