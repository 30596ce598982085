// What pages say after an act, and the button that undoes it, as a browser without script uses them; on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { areas } from '../messages/catalogue.ts'
import { acts, messages } from '../site/src/lib/said.ts'
import { submit } from './form.ts'
import { named } from './owners.ts'
import { known } from './teams.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const THREAD = acts['/community/[subject=subject]/[id]']

/** A page after a form: the answer itself, or where it leads to. */
async function shown(person: Person, sent: Response): Promise<string> {
  const location = sent.headers.get('location')
  const answer = location === null ? sent : await person.request(location.replace(/#.*$/, ''))
  return answer.text()
}

const press = async (person: Person, path: string, fields: Record<string, string> = {}) =>
  shown(person, await submit(person, path, fields))

const saidOn = (html: string) => /data-told="([^"]*)"/.exec(html)?.[1]

/** Presses the button that undoes what the page says. */
async function undo(person: Person, html: string): Promise<string> {
  const [, action = '', inner = ''] =
    /data-told=[\s\S]*?<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? []
  const fields = [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  assert.notEqual(action, '', `nothing is undone: ${saidOn(html)}`)
  return press(person, action, Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])))
}

async function bugOf({ alice, moderator, admin }: World) {
  await named(moderator, 'mods')
  const { id } = await alice.bugs.create(crash)
  const label = await admin.labels.create({ name: 'Slow', color: '#aa0000' })
  const { id: comment } = await alice.bugs.comment({ id, body: 'Try again' })
  return { id, here: `/community/bugs/${id}`, label: label.id, comment, account: (await moderator.account()).id }
}

onEveryEngine('after an act, a page', (it) => {
  it('says what happened, and its button undoes it', async (world) => {
    const { moderator } = world
    const { id, here, label, comment, account } = await bugOf(world)
    const before = { 'was-status': 'open', 'was-severity': 'high' }
    const steps: [act: string, fields: Record<string, string>, says: string, undone: string][] = [
      ['close', { closed: 'true' }, 'Closed.', 'Reopened.'],
      ['lock', { locked: 'true', reason: '' }, 'Comments are locked.', 'Comments are open again.'],
      ['pin', { pinned: 'true' }, 'Pinned.', 'No longer pinned.'],
      ['bookmark', { bookmarked: 'true' }, 'Bookmarked.', 'Bookmark removed.'],
      ['attachLabel', { labelId: label }, 'Label added.', 'Label removed.'],
      ['decide', { status: 'in_progress', severity: 'low', ...before }, 'Status saved.', 'Status saved.'],
      ['assign', { account: '@mods', 'was-assignees': '' }, 'Assigned.', 'No longer assigned.'],
      ['setDue', { dueOn: '2030-01-02', 'was-dueOn': '' }, 'Due date saved.', 'Due date saved.'],
      ['solve', { comment, solves: 'true', 'was-solution': '' }, 'Marked as the solution.', 'No longer the solution.'],
      ['comment', { body: '', closed: 'true' }, 'Closed.', 'Reopened.'],
    ]
    const stateOf = async () => {
      const { status, severity, locked, pinned, labels, assignees, dueOn, solution } = await moderator.bugs.get({ id })
      const { bookmarked } = await moderator.threads.mine({ id })
      const ids = assignees?.map((one) => one.id)
      return { status, severity, locked, pinned, dueOn, solution, bookmarked, ids, labels: labels.map((one) => one.id) }
    }
    const first = await stateOf()
    for (const [act, fields, says, undone] of steps) {
      const html = await press(moderator, `${here}?/${act}`, fields)
      assert.equal(saidOn(html), says, act)
      assert.match(html, /role="status" data-told/)
      assert.notDeepEqual(await stateOf(), first, act)
      const back = await undo(moderator, html)
      assert.equal(saidOn(back), undone, act)
      assert.deepEqual(await stateOf(), first, `${act} is undone`)
      assert.equal(saidOn(await (await moderator.request(here)).text()), undefined, 'it is told once')
    }
    await moderator.threads.assign({ id, account })
    const again = await press(moderator, `${here}?/unassign`, { accountId: account })
    assert.equal(saidOn(again), 'No longer assigned.')
    assert.equal(saidOn(await undo(moderator, again)), 'Assigned.')
    const twice = await press(moderator, `${here}?/assign`, { account: 'mods', 'was-assignees': account })
    assert.doesNotMatch(twice, /Undo: Assigned/, 'what was so before is not undone')
    const gone = await press(moderator, `${here}?/delete`, { reason: 'Twice' })
    assert.equal(saidOn(gone), 'Deleted.')
    assert.doesNotMatch(gone, /Undo: Deleted/)
  })

  it('says what is followed and what is read', async (world) => {
    const { alice, bob, app } = world
    const { id, here } = await bugOf(world)
    const followed = await press(bob, '/follow', { id, state: 'following', 'was-state': 'none', back: here })
    assert.equal(saidOn(followed), 'You follow this now.')
    assert.equal(saidOn(await undo(bob, followed)), 'You no longer follow this.')
    assert.equal((await bob.follows.get({ id })).state, 'none')
    await bob.bugs.comment({ id, body: 'One' })
    await app.deliver()
    const read = await press(alice, '/notifications?/read', { id: '1' })
    assert.equal(saidOn(read), 'Marked as read.')
    assert.equal(saidOn(await undo(alice, read)), 'Marked as unread.')
    assert.equal((await alice.notifications.count()).unread, 1)
    assert.equal(saidOn(await press(alice, '/notifications?/readAll', { through: '1' })), 'All marked as read.')
  })

  it('says what became of people, cases and invitations', async (world) => {
    const { alice, bob, moderator } = world
    const account = await named(bob, 'bob-weaves')
    await known(world, alice, 'alice-weaves')
    const { slug } = await alice.teams.create({ slug: 'looms', name: 'Looms' })
    const edit = `/teams/${slug}/edit`
    assert.equal(saidOn(await press(alice, `${edit}?/invite`, { username: 'bob-weaves', role: 'member' })), 'Invited.')
    assert.equal(saidOn(await press(bob, '/library/invitations?/join', { team: slug })), 'You joined.')
    assert.equal(saidOn(await press(alice, `${edit}?/role`, { account, role: 'owner' })), 'Role saved.')
    assert.equal(saidOn(await press(bob, `/teams/${slug}?/leave`, { account })), 'You left.')
    const refused = await press(alice, `${edit}?/invite`, { username: 'no-such-member', role: 'member' })
    assert.equal(saidOn(refused), undefined, 'what was refused says nothing')
    const { id } = await bob.bugs.create({ title: 'Spam', description: 'D', severity: 'low' })
    await alice.reports.create({ targetType: 'bug', targetId: id, reason: 'spam' })
    const [open] = (await moderator.moderation.cases({})).items
    const decision = { action: 'hide', rule: 'spam', reason: 'Advertising' }
    assert.equal(saidOn(await press(moderator, `/admin/cases/${open!.id}?/decide`, decision)), 'Decision saved.')
  })

  it('says it in the language of the reader', async (world) => {
    const { alice } = world
    const { here } = await bugOf(world)
    await alice.language.set({ language: 'de' })
    const html = await press(alice, `${here}?/bookmark`, { bookmarked: 'true' })
    assert.equal(saidOn(html), 'Lesezeichen gesetzt.')
    assert.match(html, /Rückgängig: Lesezeichen gesetzt\./)
  })

  it('says nothing of what is refused, of what a browser made up, and nothing of its own words', async (world) => {
    const { alice, bob } = world
    const { here } = await bugOf(world)
    assert.equal(saidOn(await press(bob, `${here}?/lock`, { locked: 'true' })), undefined)
    const row = { route: '/community/[subject=subject]/[id]', act: 'pin', at: here, kept: { pinned: 'true' } }
    const says = async (value: unknown) => {
      const cookie = `done=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`
      const own = await alice.request(here)
      assert.equal(own.status, 200)
      return (await alice.request(here, { headers: { Cookie: cookie } })).text()
    }
    assert.equal(saidOn(await says(row)), 'Pinned.')
    for (const wrong of ['{', 'null', '[]', '"x"', { ...row, act: 'nothing' }, { ...row, act: 'toString' }]) {
      assert.equal(saidOn(await says(wrong)), undefined, JSON.stringify(wrong))
    }
    assert.equal(saidOn(await says({ ...row, route: '__proto__' })), undefined)
    const elsewhere = await says({ ...row, at: '//elsewhere.example/x' })
    assert.doesNotMatch(elsewhere, /elsewhere\.example/)
    assert.doesNotMatch(await says({ ...row, kept: { pinned: '<b>', 'was-x': '<i>' } }), /<b>|<i>/)
  })

  it('has a row of the table for each of its forms', async (world) => {
    const { moderator, alice } = world
    const { here } = await bugOf(world)
    const pages = await Promise.all([alice, moderator].map(async (person) => (await person.request(here)).text()))
    const names = new Set(
      pages.flatMap((html) => [...html.matchAll(/action="\?\/(\w+)/g)].map(([, name = '']) => name)),
    )
    for (const name of ['lock', 'pin', 'decide', 'assign', 'setDue', 'bookmark', 'solve', 'comment', 'delete']) {
      assert.ok(names.has(name), name)
    }
    for (const name of names) assert.ok(Object.hasOwn(THREAD, name), `${name} has no row`)
  })
})

plainIt('Each message of an act is in every language, and there is no other one', () => {
  const frame = ['undo', 'undo.of', 'dismiss']
  for (const words of Object.values(areas.said))
    assert.deepEqual(Object.keys(words).sort(), [...messages, ...frame].sort())
})
