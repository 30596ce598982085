// The page of a thing: one timeline in its order, and the form at its end that comments, closes and labels in one step, as browsers without
// script use it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()
const crash = { title: 'Crash', description: 'It stops', severity: 'low' } as const

/** Fails unless each text comes after the one before it. */
function assertOrder(html: string, texts: readonly string[]) {
  const main = html.slice(html.indexOf('id="comments"'))
  let at = 0
  for (const text of texts) {
    const found = main.indexOf(text, at)
    assert.ok(found >= 0, `${text} after ${texts[texts.indexOf(text) - 1] ?? 'the heading'}`)
    at = found + text.length
  }
}

onEveryEngine('the timeline on the page of a thing', (it) => {
  it('has what happened between the comments, in the order of the reader', async ({
    alice,
    bob,
    moderator,
    anonymous,
  }) => {
    const { id } = await alice.bugs.create(crash)
    const here = `/community/bugs/${id}`
    await alice.bugs.edit({ id, title: 'Crash at start' })
    await bob.bugs.comment({ id, body: 'First word' })
    await moderator.bugs.triage({ id, status: 'in_progress', reason: 'We saw it' })
    await bob.bugs.comment({ id, body: 'Second word' })
    await moderator.threads.pin({ id, pinned: true })
    const order = ['edited the text', 'First word', 'changed the status', 'We saw it', 'Second word', 'pinned this']
    assertOrder(await page(anonymous, here), order)
    const turned = ['pinned this', 'Second word', 'changed the status', 'First word', 'edited the text']
    assertOrder(await page(anonymous, `${here}?sort=newest`), turned)
    assert.doesNotMatch(await page(anonymous, `${here}?sort=popular`), /pinned this/)
    assert.match(await page(anonymous, here), /<title>Crash at start · Bug #\d+ · /)
  })

  it('has each line once where the comments have several pages', async ({ alice, moderator, anonymous }) => {
    const { id } = await alice.bugs.create(crash)
    const here = `/community/bugs/${id}`
    for (let n = 0; n < 49; n++) await alice.bugs.comment({ id, body: `Word ${n}` })
    await moderator.threads.pin({ id, pinned: true })
    await alice.bugs.comment({ id, body: 'Word 49' })
    await moderator.threads.lock({ id, locked: true })
    await moderator.bugs.comment({ id, body: 'Word 50' })
    await moderator.threads.lock({ id, locked: false })
    const [first, second] = [await page(anonymous, here), await page(anonymous, `${here}?page=1`)]
    assertOrder(first, ['Word 48', 'pinned this', 'Word 49', 'locked the comments'])
    assert.doesNotMatch(first, /unlocked the comments/)
    assertOrder(second, ['Word 50', 'unlocked the comments'])
    assert.doesNotMatch(second, /pinned this|> ?locked the comments/)
  })

  it('marks what is new since the last visit, to each member alone', async ({ alice, bob, anonymous }) => {
    const { id } = await alice.posts.create({ title: 'News', body: 'B' })
    const here = `/community/posts/${id}`
    await alice.posts.comment({ id, body: 'Before' })
    const marked = /New since your last visit[\s\S]*After/
    assert.doesNotMatch(await page(bob, here), /New since/)
    await alice.posts.comment({ id, body: 'After' })
    for (const person of [alice, anonymous]) assert.doesNotMatch(await page(person, here), /New since/)
    assert.match(await page(bob, here), marked)
    assert.doesNotMatch(await page(bob, here), /New since/, 'it was seen')
  })

  it('can be bookmarked', async ({ alice, bob, anonymous }) => {
    const { id, number } = await alice.posts.create({ title: 'News', body: 'B' })
    const here = `/community/posts/${id}`
    assert.doesNotMatch(await page(anonymous, here), /bookmark/i)
    assert.match(await page(bob, here), />Bookmark</)
    await submit(bob, `${here}?/bookmark`, { bookmarked: 'true' })
    assert.match(await page(bob, here), />Remove bookmark</)
    assert.match(await page(bob, '/bookmarks'), new RegExp(`href="/community/posts/${number}-news">News<`))
    assert.match(await page(alice, '/bookmarks'), /No bookmarks yet/)
  })
})

onEveryEngine('the form at the end of a thread', (it) => {
  it('comments, closes and labels in one step', async ({ alice, bob, moderator, admin, anonymous }) => {
    const [one, two] = [
      await admin.labels.create({ name: 'mail', color: '#aabbcc' }),
      await admin.labels.create({ name: 'bill', color: '#ccbbaa' }),
    ]
    const { id } = await alice.bugs.create(crash)
    const here = `/community/bugs/${id}`
    assert.match(await page(moderator, here), /name="had"[\s\S]*name="closed" value="true"/)
    assert.match(await page(alice, here), /name="closed" value="true"/)
    for (const person of [bob, anonymous]) assert.doesNotMatch(await page(person, here), /name="(closed|had|label)"/)
    await moderator.bugs.attachLabel({ id, labelId: two.id })
    const sent = await submit(moderator, `${here}?/comment`, {
      ...{ body: 'Fixed in 2.4', had: two.id, label: one.id, closed: 'true' },
    })
    assert.equal(sent.status, 303)
    const bug = await anonymous.bugs.get({ id })
    assert.deepEqual([bug.status, bug.labels.map(({ name }) => name)], ['resolved', ['mail']])
    assertOrder(await page(anonymous, here), [
      'Fixed in 2.4',
      'added the label',
      'removed the label',
      'changed the status',
    ])
    const again = await submit(alice, `${here}?/comment`, { body: '', closed: 'false' })
    assert.equal(again.status, 303)
    assert.equal((await anonymous.bugs.get({ id })).status, 'open')
    assert.equal((await anonymous.bugs.comments({ id })).total, 1)
  })

  it('keeps what was typed where a part is refused, and does nothing after that part', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const label = await admin.labels.create({ name: 'mail', color: '#aabbcc' })
    const { id } = await alice.bugs.create(crash)
    const here = `/community/bugs/${id}`
    const long = await submit(moderator, `${here}?/comment`, {
      ...{ body: 'x'.repeat(1001), had: '', label: label.id, closed: 'true' },
    })
    assert.equal(long.status, 400)
    const refused = await long.text()
    assert.match(refused, /x{1001}/)
    assert.match(refused, new RegExp(`name="label" value="${label.id}" checked`))
    assert.deepEqual(
      [(await anonymous.bugs.get({ id })).status, (await anonymous.bugs.get({ id })).labels],
      ['open', []],
    )
    // The comment is there, and its text is not sent again.
    await moderator.bugs.triage({ id, status: 'wontfix' })
    const late = await submit(alice, `${here}?/comment`, { body: 'Said once', closed: 'true' })
    assert.equal(late.status, 409)
    const shown = await late.text()
    assert.match(shown, /role="alert"/)
    assert.doesNotMatch(shown, /<textarea[^>]*>[^<]*Said once/)
    assert.equal((await anonymous.bugs.comments({ id })).total, 1)
    for (const fields of [{ closed: 'true' }, { had: '', label: label.id }] as Record<string, string>[])
      assert.equal((await submit(bob, `${here}?/comment`, { body: '', ...fields })).status, 403)
    assert.equal((await submit(bob, `${here}?/comment`, { body: ' ' })).status, 400)
  })
})
