// Teams at the command line: made, filled and left, and what is published for them.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { named } from '../../test/owners.ts'
import { onTerminal } from './terminal.ts'

describe('team', () => {
  onTerminal('makes a team, manages its people, and publishes for it', async ({ run, json, login, world, home }) => {
    const { bob } = world
    await named(bob, 'bobby')
    await login()
    assert.match((await run(['team', 'list'])).output, /You belong to no team/)
    await run(['team', 'new', 'night-shift', '--name', 'Night shift', '--description', 'At night'])
    assert.match((await run(['team', 'list'])).output, /^night-shift {2}Night shift {2}owner, 0 items/)
    await run(['team', 'invite', 'night-shift', 'bobby'])
    await run(['team', 'invite', 'night-shift', 'bobby', '--role', 'boss'], 2)
    await bob.teams.join({ slug: 'night-shift' })
    const path = join(home, 'digest.json')
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `n${n}`, type: 'http.get', name: `Get ${n}`, config: {} }))
    const write = (count: number) =>
      writeFile(path, JSON.stringify({ name: 'Digest', nodes: nodes(count), connections: [] }))
    await write(1)
    const item = await json<{ id: string; team: object }>(['publish', path, '--team', 'night-shift'])
    assert.deepEqual(item.team, { slug: 'night-shift', name: 'Night shift' })
    await write(2)
    const second = ['publish', path, '--team', 'night-shift', '--visibility', 'public']
    assert.match((await run(second)).output, /Published workflow\/digest 1\.0\.1 \(public\)/)
    await login('other', { person: bob })
    await write(3)
    const byBob = ['publish', path, '--team', 'night-shift', '--profile', 'other']
    assert.match((await run(byBob)).output, /Published workflow\/digest 1\.0\.2/)
    const told = (await run(['info', 'workflow/digest'])).output
    assert.match(told, /team: Night shift \(night-shift\)/)
    assert.match(told, /published: 20\d\d-\S+ by bobby for team night-shift/)
    await run(['install', 'workflow/digest'], { environment: { GUILDHALL_HOME: join(home, 'items') } })
    const verified = await run(['verify'], { environment: { GUILDHALL_HOME: join(home, 'items') } })
    assert.match(verified.output, /by bobby for team night-shift/)
    const shown = await run(['team', 'info', 'night-shift'])
    assert.match(shown.output, /1 item: http[\s\S]*owner since[\s\S]*bobby {2}member since/)
    await run(['team', 'remove', 'night-shift', 'bobby'])
    await run(['team', 'remove', 'night-shift', 'bobby'], 1)
    assert.match((await run(['team', 'leave', 'night-shift'], 1)).errors, /A team needs an owner/)
    await run(['team', 'dance'], 2)
    await run(['team', 'info'], 2)
    await run(['team', 'info', 'nothing'], 1)
  })

  onTerminal('joins by invitation and leaves', async ({ run, login, world }) => {
    const { alice, bob } = world
    await named(alice, 'alice')
    await named(bob, 'bobby')
    await bob.accounts.verifyEmail({ code: await world.code(bob.email) })
    await bob.teams.create({ slug: 'day-shift', name: 'Day shift' })
    await bob.teams.invite({ slug: 'day-shift', username: 'alice' })
    await login()
    assert.match((await run(['team', 'join', 'day-shift'])).output, /You belong to day-shift as member/)
    assert.match((await run(['team', 'leave', 'day-shift'])).output, /You left day-shift/)
    assert.deepEqual((await bob.teams.get({ slug: 'day-shift' })).member_count, 1)
  })
})
