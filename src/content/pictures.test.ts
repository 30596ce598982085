// Pictures that members upload: whose is next, and in which sizes they are kept and sent.
import assert from 'node:assert/strict'
import sharp from 'sharp'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { LOOSE_SECONDS } from './text-images/rules.ts'

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

onEveryEngine('the picture of a member, asked for in a width', (it) => {
  const noisy = async (width: number) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
    const made = sharp({ create: { width, height: width, channels: 3, background: '#28a', noise } })
    return new File([new Uint8Array(await made.png().toBuffer())], 'me.png')
  }

  it('comes as wide as that, and is another one after another upload', async ({ alice, anonymous }) => {
    const formOf = async (width: string) => {
      const answer = await anonymous.request(`${(await alice.profile.me()).avatarUrl}&width=${width}`)
      if (!answer.ok) return answer.status
      const found = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      return [found.format, found.width, answer.headers.get('etag')]
    }
    await alice.avatars.set({ avatar: await noisy(300) })
    const first = await formOf('48')
    assert.deepEqual(first, ['webp', 48, (first as unknown[])[2]])
    assert.deepEqual(((await formOf('96')) as unknown[]).slice(0, 2), ['webp', 96])
    for (const width of ['47', '49', '192', '480', 'x', '']) assert.equal(await formOf(width), 400, width)
    await alice.avatars.set({ avatar: await noisy(47) })
    const second = (await formOf('48')) as unknown[]
    assert.equal(second[1], 47)
    assert.notEqual(second[2], (first as unknown[])[2])
  })

  it('is a tenth of what is kept, and is not shown of who is blocked', async ({ alice, anonymous, moderator }) => {
    const { id } = await alice.account()
    await alice.avatars.set({ avatar: await noisy(192) })
    const { avatarUrl } = await alice.profile.me()
    const sizeOf = async (path: string) => (await (await anonymous.request(path)).arrayBuffer()).byteLength
    const [whole, small] = [await sizeOf(avatarUrl!), await sizeOf(`${avatarUrl}&width=48`)]
    assert.ok(small * 10 < whole, `${small} of ${whole} bytes`)
    await moderator.admin.block({ id, blocked: true, reason: 'Spam' })
    assert.equal((await anonymous.request(`${avatarUrl}&width=48`)).status, 404)
  })
})

/** A JPEG three times as wide as high: of one colour, whose narrower forms are smaller, or of noise, whose are not. */
const wide = async (width: number, noise?: { type: 'gaussian'; mean: number; sigma: number }) => {
  const made = sharp({ create: { width, height: Math.round(width / 3), channels: 3, background: '#28a', noise } })
  return new File([new Uint8Array(await made.jpeg({ quality: 70 }).toBuffer())], 'wide.jpeg')
}

onEveryEngine('a picture of a text or an org, asked for in a width', (it) => {
  const formOf = async ({ anonymous }: World, url: string, width: string) => {
    const answer = await anonymous.request(`${url.split('?')[0]}?width=${width}`)
    if (!answer.ok) return answer.status
    const bytes = Buffer.from(await answer.arrayBuffer())
    const found = await sharp(bytes).metadata()
    assert.equal(answer.headers.get('content-length'), String(bytes.length))
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(answer.headers.get('content-type'), `image/${found.format}`)
    return [found.format, found.width, found.height]
  }

  it('comes as wide as that, and is never made wider; another width is refused', async (world) => {
    const { alice } = world
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const [ofText, ofOrg] = await Promise.all([
      alice.textImages.add({ image: await wide(961) }),
      alice.orgImages.add({ id: org.id, image: await wide(961) }),
    ])
    for (const { url } of [ofText, ofOrg]) {
      assert.deepEqual(await formOf(world, url, '480'), ['webp', 480, 160])
      assert.deepEqual(await formOf(world, url, '960'), ['webp', 960, 320])
      assert.deepEqual(((await formOf(world, url, '1440')) as unknown[]).slice(1), [961, 320])
      for (const width of ['0', '1', '479', '481', '1441', '480.0', '0480', 'x', '']) {
        assert.equal(await formOf(world, url, width), 400, width)
      }
    }
  })

  it('comes as it is where that has fewer bytes', async ({ alice, anonymous }) => {
    const image = await wide(961, { type: 'gaussian', mean: 128, sigma: 20 })
    const { url } = await alice.textImages.add({ image })
    const [whole, narrow] = await Promise.all(
      [url, `${url.split('?')[0]}?width=960`].map(async (address) => (await anonymous.request(address)).arrayBuffer()),
    )
    assert.deepEqual(narrow, whole)
  })

  it('is made once for all who ask at once, has its own tag, and is hidden and gone with the picture', async (world) => {
    const { alice, anonymous, app, clock } = world
    const { url } = await alice.textImages.add({ image: await wide(600) })
    const address = `${url.split('?')[0]}?width=480`
    const answers = await Promise.all(Array.from({ length: 20 }, () => anonymous.request(address)))
    const tags = new Set(answers.map(({ headers }) => headers.get('etag')))
    assert.deepEqual([tags.size, tags.has((await anonymous.request(url)).headers.get('etag'))], [1, false])
    const [tag] = tags
    assert.equal((await anonymous.request(address, { headers: { 'If-None-Match': tag! } })).status, 304)
    clock.pass(LOOSE_SECONDS + 60)
    await app.cleanUp()
    assert.equal((await anonymous.request(address)).status, 404)
  })
})
