// The page of all suggestions that wait, as browsers without script show it and decide on it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()
const path = '/admin/suggestions'

onEveryEngine('the page of suggestions', (it) => {
  it('is for moderators, who accept and refuse one or ten at once', async ({
    alice,
    bob,
    moderator,
    anonymous,
    app,
  }) => {
    await moderator.account()
    assert.match(await page(moderator, path), /No suggestions are waiting/)
    assert.equal((await alice.request(path)).status, 403)
    assert.equal((await anonymous.request(path)).status, 303)
    const ids: string[] = []
    for (let at = 0; at < 11; at++) {
      const { id } = await alice.bugs.create({ title: `Bug ${at}`, description: 'D', severity: 'low' })
      const why = { reason: `Because ${at}`, confidence: 0.5 }
      const made = await bob.suggestions.create({ operation: 'bugs.triage', input: { id, severity: 'high' }, ...why })
      ids.push(made.id)
    }
    const first = await page(moderator, path)
    assert.match(first, /Bug 10[\s\S]*severity: high[\s\S]*Because 10[\s\S]*Bug 1</)
    assert.doesNotMatch(first, /Bug 0</)
    assert.match(await page(moderator, `${path}?page=1`), /Bug 0</)
    const decide = (decision: string, marked: string[], reason = '') => {
      const form = new URLSearchParams({ decision, reason })
      for (const id of marked) form.append('suggestion', id)
      return submit(moderator, `${path}?/decideSuggestions`, form)
    }
    assert.equal((await decide('accept', ids)).status, 400)
    await decide('refuse', ids.slice(0, 1), 'Not so bad')
    await decide('accept', ids.slice(1))
    assert.match(await page(moderator, path), /No suggestions are waiting/)
    const { items } = await anonymous.bugs.list()
    assert.equal(items.filter(({ severity }) => severity === 'high').length, 10)
    assert.equal((await decide('accept', ids.slice(0, 1))).status, 409)
    await app.deliver()
    assert.match(await page(bob, '/notifications'), /declined your suggestion|accepted your suggestion/)
    assert.match(await page(bob, '/notifications'), /Not so bad[\s\S]*declined your suggestion/)
    assert.match(await page(bob, '/'), /accepted your suggestion for/)
  })
})
