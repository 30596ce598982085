// The people of an item at the command line: listed, invited, accepted, changed, and items that go to others.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { named, peopleOf, publish } from '../../test/owners.ts'
import { onTerminal, type Terminal } from './terminal.ts'

/** alice is signed in as the default profile, bobby as `other`; the item is alice's. */
async function withItem({ world, login }: Terminal, visibility: 'public' | 'private' = 'public') {
  const { alice, bob } = world
  await named(alice, 'alice')
  await named(bob, 'bobby')
  // Signing in by code takes over an account whose address was not proven, and ends what it had.
  for (const person of [alice, bob]) await person.accounts.verifyEmail({ code: await world.code(person.email) })
  const item = await publish(alice, visibility)
  await login()
  await login('other', { person: bob })
  return item
}

const asBob = (...words: string[]) => [...words, '--profile', 'other']

describe('owners and invite', () => {
  onTerminal('list, invite, change and remove people, by name and by id', async (terminal) => {
    const { run, json, world } = terminal
    const { id } = await withItem(terminal)
    const invited = (await run(['invite', 'workflow/digest', 'bobby'])).output
    assert.match(invited, /^Invited bobby as maintainer of workflow\/digest until 20\d\d-/)
    const shown = (await run(['owners', 'workflows/digest'])).output
    assert.match(shown, /^workflow\/digest\nalice {2}owner since \S+\nbobby {2}invited as maintainer until \S+\n$/)
    assert.doesNotMatch((await run(asBob('owners', 'workflow/digest'))).output, /invited/)
    await run(['invite', 'workflow/digest', 'bobby'], 1)
    assert.match((await run(['invite', id, 'BOBBY', '--withdraw'])).output, /^Withdrawn: workflow\/digest/)
    assert.match((await run(['invite', id, 'bobby', '--withdraw'], 1)).errors, /nothing to withdraw/)
    const { role } = await json<{ role: string }>(['invite', `workflow/${id}`, 'bobby', '--role', 'owner'])
    assert.equal(role, 'owner')
    assert.match((await run(asBob('accept', 'workflow/digest'))).output, /^You are owner of workflow\/digest/)
    const changed = await json<{ role: string }>(['owners', id, 'Bobby', '--role', 'maintainer'])
    assert.equal(changed.role, 'maintainer')
    const people = await json<{ name: string; items: unknown[] }>(['owners', `workflow/${id}`])
    assert.deepEqual([people.name, people.items.length], ['workflow/digest', 2])
    assert.match((await run(asBob('owners', 'workflow/digest', 'bobby', '--remove'))).output, /^Removed bobby from/)
    assert.deepEqual(await peopleOf(world.alice, id), ['alice owner'])
  })

  onTerminal('refuse what is written wrongly, not there, or not for the caller', async (terminal) => {
    const { run, json, server } = terminal
    const { id } = await withItem(terminal)
    for (const wrong of [
      ['owners', 'digest'],
      ['owners', 'workflow/digest', '--remove'],
      ['owners', 'workflow/digest', 'bobby'],
      ['owners', 'workflow/digest', 'bobby', '--remove', '--role', 'owner'],
      ['owners', 'workflow/digest', 'bobby', '--role', 'king'],
      ['invite', 'workflow/digest'],
      ['invite', 'workflow/digest', 'bobby', '--role', 'king'],
      ['transfer', 'workflow/digest'],
      ['transfer', 'workflow/digest', 'bobby', '--team', 'night-shift'],
      ['transfer', 'workflow/digest', 'bobby', '--withdraw'],
      ['accept', '--decline'],
    ]) {
      const failed = await run([...wrong, '--json'], 2)
      assert.equal(failed.output, '')
      assert.equal(JSON.parse(failed.errors).error.code, 'usage')
    }
    const nothing = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const gone of ['workflow/none', 'org/digest', nothing, `workflow/${nothing}`, `org/${id}`]) {
      const failed = await run(['owners', gone, '--json'], 1)
      assert.deepEqual([failed.output, JSON.parse(failed.errors).error.code], ['', 'not_found'])
    }
    assert.match((await run(['owners', 'workflow/digest', 'nobody', '--remove'], 1)).errors, /nobody has no role/)
    await run(['invite', 'workflow/digest', 'nobody-here'], 1)
    await run(asBob('invite', 'workflow/digest', 'bobby'), 1)
    await run(asBob('transfer', 'workflow/digest', 'bobby'), 1)
    const elsewhere = ['--server', server.replace('127.0.0.1', 'localhost')]
    await run(['invite', 'workflow/digest', 'bobby', ...elsewhere], 3)
    await run(['accept', ...elsewhere], 3)
    const { items } = await json<{ items: unknown[] }>(['owners', 'workflow/digest', ...elsewhere])
    assert.equal(items.length, 1)
  })
})

describe('transfer and accept', () => {
  onTerminal('give an item that only the new owner sees then, and take an offer back', async (terminal) => {
    const { run, json, world } = terminal
    const { id } = await withItem(terminal, 'private')
    assert.match((await run(asBob('accept'))).output, /^No invitation waits for you\.\n$/)
    const offered = (await run(['transfer', 'workflow/digest', 'bobby'])).output
    assert.match(offered, /^Offered workflow\/digest to bobby until \S+: it stays yours/)
    assert.match((await run(['owners', 'workflow/digest'])).output, /\noffered to bobby until /)
    assert.match((await run(['transfer', 'workflow/digest', '--withdraw'])).output, /^Withdrawn/)
    assert.match((await run(asBob('accept', 'workflow/digest'), 1)).errors, /No invitation to workflow\/digest waits/)
    await run(['transfer', id, 'bobby'])
    const waiting = (await run(asBob('accept'))).output
    assert.match(waiting, /^workflow\/digest {2}offered to you, by alice, until \S+ {2}[0-9a-f-]{36}\n$/)
    assert.match((await run(asBob('accept', 'workflow/digest', '--decline'))).output, /^Declined: workflow\/digest/)
    const { id: offer } = await json<{ id: string }>(['transfer', 'workflow/digest', 'bobby'])
    assert.equal((await json<unknown[]>(asBob('accept'))).length, 1)
    const taken = await json<{ slug: string; owner: { username: string } }>(asBob('accept', offer))
    assert.deepEqual([taken.slug, taken.owner.username], ['digest', 'bobby'])
    await run(['owners', 'workflow/digest'], 1)
    assert.deepEqual(await peopleOf(world.bob, id), ['bobby owner'])
  })

  onTerminal('ask which, where two wait for one item, and know what is meant by any name', async (terminal) => {
    const { run, world } = terminal
    const { id } = await withItem(terminal)
    const { alice, bob } = world
    await run(['invite', 'workflow/digest', 'bobby'])
    await bob.teams.create({ slug: 'day-shift', name: 'Day shift' })
    const offer = await alice.library.transfer({ id, team: 'day-shift' })
    assert.match((await run(asBob('accept', 'workflow/digest'), 2)).errors, /Several wait/)
    await run(asBob('accept', offer.id, '--decline'))
    assert.match((await run(asBob('accept', `workflows/${id}`))).output, /^You are maintainer of workflow\/digest/)
    await alice.teams.create({ slug: 'night-shift', name: 'Night shift' })
    await alice.teams.invite({ slug: 'night-shift', username: 'bobby' })
    assert.match((await run(asBob('accept'))).output, /^team\/night-shift {2}as member, by alice/)
    assert.match((await run(asBob('accept', 'team/night-shift'))).output, /^You belong to team\/night-shift as member/)
    assert.match((await run(['transfer', 'workflow/digest', '--team', 'night-shift'])).output, /to team night-shift/)
    assert.match((await run(['accept', id])).output, /^Team night-shift has workflow\/digest/)
    assert.match((await run(['owners', id])).output, /^workflow\/digest {2}team Night shift \(night-shift\)\n/)
    assert.equal((await bob.library.get({ id })).team?.slug, 'night-shift')
  })
})
