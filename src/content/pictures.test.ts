// Whose picture is next: members take turns, and who sends too many at once is told to come back.
import assert from 'node:assert/strict'
import sharp from 'sharp'
import { onEveryEngine, type Person } from '../../test/world.ts'

const picture = async () => {
  const bytes = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#28a' } })
    .png()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'me.png')
}

onEveryEngine('pictures of members', (it) => {
  it('take turns: forty of one do not make another wait, and what is too many is answered 503', async ({
    alice,
    bob,
  }) => {
    await Promise.all([alice.account(), bob.account()])
    const avatar = await picture()
    const done: string[] = []
    const send = async (person: Person, name: string) => {
      await person.avatars.set({ avatar })
      done.push(name)
    }
    const many = Promise.allSettled(Array.from({ length: 40 }, () => send(alice, 'alice')))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = done.length
    await send(bob, 'bob')
    assert.ok(done.indexOf('bob') - before <= 4, `${before}: ${done.join(' ')}`)
    const settled = await many
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.ok(refused.length > 0 && refused.length < 40, `${refused.length} of 40`)
    for (const { status, headers } of refused) assert.deepEqual([status, headers.get('retry-after')], [503, '5'])
    assert.equal((await alice.profile.me()).avatarUrl !== null, true)
  })
})

onEveryEngine('the picture of a member', (it) => {
  const kept = async (person: Person, width: number, height: number) => {
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#28a' } })
      .png()
      .toBuffer()
    await person.avatars.set({ avatar: new File([new Uint8Array(bytes)], 'me.png') })
    const stored = await person.request((await person.profile.me()).avatarUrl!)
    const { width: wide, height: high } = await sharp(Buffer.from(await stored.arrayBuffer())).metadata()
    return [wide, high]
  }

  it('is kept as large as pages show it, in its proportions, and never made larger', async ({ alice }) => {
    assert.deepEqual(await kept(alice, 900, 450), [192, 96])
    assert.deepEqual(await kept(alice, 193, 192), [192, 191])
    assert.deepEqual(await kept(alice, 192, 192), [192, 192])
    assert.deepEqual(await kept(alice, 20, 10), [20, 10])
  })
})
