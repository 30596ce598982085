// What moderators do with several rows of a list at once, as browsers without script send it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()
const withIds = (ids: readonly string[], fields: Record<string, string>) =>
  new URLSearchParams([...ids.map((id): [string, string] => ['id', id]), ...Object.entries(fields)])
const report = { title: 'The lamp', description: 'It blinks', severity: 'low' } as const

onEveryEngine('several rows of a list', (it) => {
  it('are changed one by one, with the rights, the record and the reason of each', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const made = []
    for (let n = 0; n < 4; n++) made.push(await alice.bugs.create({ ...report, title: `Lamp ${n}` }))
    const [one, two, three, four] = made.map(({ id }) => id) as [string, string, string, string]
    for (const person of [alice, anonymous]) {
      const seen = await page(person, '/community/bugs')
      assert.doesNotMatch(seen, /id="many"|class="pick"/)
    }
    const seen = await page(moderator, '/community/bugs?severity=low')
    assert.match(seen, new RegExp(`<input class="pick" type="checkbox" form="many" name="id" value="${one}"`))
    assert.match(seen, /action="\?\/many&amp;severity=low"/)
    const at = '/community/bugs?/many&severity=low'
    const set = await submit(
      moderator,
      at,
      withIds([one, two, one], { what: 'set:status:in_progress', reason: 'Both' }),
    )
    assert.equal(set.status, 200)
    const answer = await set.text()
    assert.match(answer, /Done: 2 of 2/)
    assert.doesNotMatch(answer, /href="[^"]*%2Fmany/)
    for (const id of [one, two]) assert.equal((await anonymous.bugs.get({ id })).status, 'in_progress')
    assert.equal((await anonymous.bugs.get({ id: three })).status, 'open')
    assert.equal((await anonymous.bugs.counts({})).counts['status']!['in_progress'], 2)
    const { items } = await admin.admin.listAudit({ action: 'bug.triage' })
    assert.deepEqual(
      items.map(({ targetId, reason }) => [targetId, reason]),
      [
        [two, 'Both'],
        [one, 'Both'],
      ],
    )
    const { id: labelId } = await admin.labels.create({ name: 'pier', color: '#336699' })
    await submit(moderator, at, withIds([one, three], { what: `attachLabel:${labelId}` }))
    assert.equal((await anonymous.bugs.list({ label: 'pier' })).total, 2)
    await submit(moderator, at, withIds([one], { what: `detachLabel:${labelId}` }))
    assert.deepEqual(
      (await anonymous.bugs.list({ label: 'pier' })).items.map(({ id }) => id),
      [three],
    )
    const number = `#${(await anonymous.bugs.get({ id: four })).number}`
    const merged = await submit(moderator, at, withIds([two, four, three], { what: 'merge', number }))
    const said = (await merged.text()).replaceAll(/<!--.*?-->/g, '')
    assert.match(said, /Done: 2 of 3/)
    assert.match(said, /Not done:[\s\S]*Lamp 3<\/a>: /)
    assert.equal((await anonymous.bugs.get({ id: two })).id, four)
  })

  it('are refused to others, and where nothing or too much is chosen', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { id } = await alice.features.create({ title: 'A lamp', description: 'For the pier' })
    const at = '/community/features?/many'
    for (const person of [alice, bob]) {
      const answer = await (await submit(person, at, withIds([id], { what: 'set:status:shipped' }))).text()
      assert.match(answer, /Done: 0 of 1[\s\S]*Not done:[\s\S]*A lamp/)
    }
    const byModerator = await submit(moderator, at, withIds([id], { what: 'set:status:shipped' }))
    assert.match(await byModerator.text(), /Done: 0 of 1/, 'for admins')
    const away = await submit(anonymous, at, withIds([id], { what: 'set:status:shipped' }))
    assert.deepEqual([away.status, away.headers.get('location')?.startsWith('/sign-in')], [303, true])
    assert.equal((await anonymous.features.get({ id })).status, 'open')
    const many = Array.from({ length: 51 }, (_, at) => `none-${at}`)
    for (const [ids, fields, words] of [
      [[], { what: 'set:status:shipped' }, /Select at least one entry/],
      [[id], {}, /Choose what to do with the entries/],
      [[id], { what: 'delete' }, /Choose what to do with the entries/],
      [[id], { what: 'set:title:x' }, /Choose what to do with the entries/],
      [many, { what: 'set:status:shipped' }, /Select at most 50 entries/],
    ] as const) {
      const answer = await submit(moderator, at, withIds(ids, fields))
      assert.equal(answer.status, 400)
      assert.match(await answer.text(), words)
    }
    const most = await submit(moderator, at, withIds(many.slice(1), { what: 'set:status:shipped' }))
    assert.match(await most.text(), /Done: 0 of 50/)
    const nowhere = await submit(moderator, at, withIds([id], { what: 'merge', number: '999' }))
    assert.equal(nowhere.status, 404)
  })

  it('of the queue are decided one by one', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const made = []
    for (const title of ['One', 'Two', 'Three']) made.push(await alice.posts.create({ title, body: 'Watches' }))
    for (const { id } of made) await bob.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
    const { items } = await moderator.moderation.cases({})
    const [first, second] = items.map(({ id }) => id) as [string, string]
    assert.match(await page(moderator, '/admin/cases'), new RegExp(`class="pick"[^>]*value="${first}"`))
    assert.doesNotMatch(await page(moderator, '/admin/cases?state=closed'), /id="many"/)
    const at = '/admin/cases?/many'
    const fields = { what: 'decide:hide', rule: 'spam', reason: 'Advertising' }
    assert.match(await (await submit(moderator, at, withIds([first, second, 'none'], fields))).text(), /Done: 2 of 3/)
    assert.equal((await anonymous.posts.list({})).total, 1)
    assert.equal((await moderator.moderation.cases({})).items.length, 1)
    const block = await submit(moderator, at, withIds([items[2]!.id], { ...fields, what: 'decide:block' }))
    assert.equal(block.status, 400)
    const byMember = await submit(bob, at, withIds([items[2]!.id], fields))
    assert.notEqual(byMember.status, 200)
    assert.equal((await anonymous.posts.list({})).total, 1)
  })
})
