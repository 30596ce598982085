// Skills over MCP, by the client of the SDK, which checks every file against the entry of its skill.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient, SkillVerificationError } from '@modelcontextprotocol/client/ext/skills'
import { setReaders } from '../private-world.ts'
import { skillFile, skillFiles, skillText, tarOf, zipOf } from '../skills.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../world.ts'
import { ask, eras, MODERN, tokenOf } from './caller.ts'

const AT = 'skill://library/pdf-tools/pdf-tools'

const publish = (by: Person, bytes?: Uint8Array, visibility: 'private' | 'public' = 'public') =>
  by.library.publish({ kind: 'skill', file: skillFile(bytes), visibility })

interface Connecting {
  mode?: 'legacy' | 'auto'
  token?: string
  /** Changes answers on their way. */
  change?: (text: string) => string
}

async function connect({ app }: World, { mode = 'auto', token, change = (text) => text }: Connecting = {}) {
  const client = new Client({ name: 'a-host', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${BASE_URL}/api/mcp`), {
    ...(token !== undefined && { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
    fetch: async (url, init) => {
      const answer = await app.fetch(new Request(url, init))
      if (!answer.headers.get('content-type')?.includes('json')) return answer
      return new Response(change(await answer.text()), answer)
    },
  })
  await client.connect(transport)
  return { client, skills: new SkillsClient(client) }
}

onEveryEngine('skills over MCP', (it) => {
  it('are listed with every file and its hash, and read as they are', async (world) => {
    const { alice, bob } = world
    const fields = { license: 'MIT', metadata: '{ version: "1.20", count: "3" }', 'x-more': '[a, 1.5, null]' }
    const files = { ...skillFiles(fields), 'a b/ü.md': '\ufeff# Ü\r\n', 'empty.txt': '', 'raw.bin': '\0\u0001' }
    await publish(alice, await tarOf(files))
    await publish(
      bob,
      zipOf(Object.fromEntries(Object.entries(skillFiles()).map(([at, text]) => [`pdf-tools/${at}`, text]))),
    )
    for (const mode of ['legacy', 'auto'] as const) {
      const { client, skills } = await connect(world, { mode })
      assert.ok(skills.supported)
      const listed = await skills.list()
      assert.deepEqual(listed.invalid, [])
      assert.deepEqual(listed.skills.map(({ uri }) => uri).sort(), [
        'skill://guildhall/SKILL.md',
        'skill://library/pdf-tools-2/pdf-tools/SKILL.md',
        `${AT}/SKILL.md`,
      ])
      for (const skill of listed.skills) {
        assert.deepEqual((await skills.get(skill.uri)).skill, skill)
        assert.ok(Array.isArray(skill.resources))
        for (const { uri } of skill.resources) assert.ok((await skills.read(skill, uri)).verified, uri)
      }
      const skill = listed.skills.find(({ uri }) => uri === `${AT}/SKILL.md`)!
      assert.partialDeepStrictEqual(skill.frontmatter, {
        ...{ name: 'pdf-tools', license: 'MIT', 'x-more': ['a', 1.5, null] },
        metadata: { version: '1.20', count: '3' },
      })
      assert.equal((await skills.read(skill, 'a b/ü.md')).text, files['a b/ü.md'])
      assert.equal((await skills.read(skill)).text, skillText(fields))
      assert.deepEqual(Buffer.from((await skills.read(skill, 'raw.bin')).bytes), Buffer.from('\0\u0001'))
      await client.close()
    }
  })

  it('are refused by their host where one byte is another', async (world) => {
    await publish(world.alice)
    let isFlipped = false
    const change = (text: string) => (isFlipped ? text.replace('# Forms', '# Farms') : text)
    const { skills } = await connect(world, { change })
    const { skill } = await skills.get(`${AT}/SKILL.md`)
    assert.equal((await skills.read(skill, 'references/forms.md', { cacheMode: 'bypass' })).text, '# Forms\n')
    isFlipped = true
    await assert.rejects(
      skills.read(skill, 'references/forms.md', { cacheMode: 'bypass' }),
      (error) => error instanceof SkillVerificationError && error.reason === 'digest',
    )
  })

  it('are seen as over REST: private ones by those who may, and nothing where reading needs an account', async (world) => {
    const { app, alice, bob } = world
    await publish(alice, undefined, 'private')
    const [token, other] = [await tokenOf(world, alice), await tokenOf(world, bob)]
    const get = async (options: { token?: string; era: string }, uri = `${AT}/SKILL.md`) => {
      const asked = await Promise.all(
        ['skills/get', 'resources/read'].map((method) => ask(app, method, { uri }, options)),
      )
      return asked.map(({ status, messages }) => (status === 401 ? 401 : messages.at(-1)!.error?.code))
    }
    for (const era of eras) {
      assert.deepEqual(await get({ token, era }), [undefined, undefined])
      for (const none of [{ era }, { era, token: other }]) assert.deepEqual(await get(none), [-32602, -32602])
      const listed = await ask(app, 'skills/list', {}, { era, token })
      assert.doesNotMatch(JSON.stringify(listed.messages), /pdf-tools/)
      for (const wrong of [
        ...[AT, `${AT}/`, `${AT}/none.md`, `${AT}/../pdf-tools/SKILL.md`, 'skill://library/pdf-tools/other/SKILL.md'],
        ...['skill://other/SKILL.md', 'skill:', `${AT}/%zz`, `${AT}/SKILL.md?x=1`, `${AT}/SKILL.md#x`],
      ])
        assert.deepEqual(await get({ token, era }, wrong), [-32602, -32602], wrong)
    }
    await setReaders(world, 'members')
    for (const era of eras) {
      assert.deepEqual(await get({ era }), [401, 401])
      assert.equal((await ask(app, 'skills/list', {}, { era })).status, 401)
      assert.deepEqual(await get({ token, era }), [undefined, undefined])
    }
  })

  it('come in pages, without those that no host has to take', async (world) => {
    const { alice } = world
    for (let n = 0; n < 24; n++) {
      const name = `skill-${n}`
      if (n === 20) world.clock.pass(3_601)
      await publish(alice, zipOf(skillFiles({ name })))
    }
    const filesOf = (name: string, count: number) => ({
      'SKILL.md': skillText({ name }),
      ...Object.fromEntries(Array.from({ length: count - 1 }, (_, n) => [`f/${n}.md`, ''])),
    })
    await publish(alice, zipOf(filesOf('just-right', 512)))
    await publish(alice, zipOf(filesOf('too-many', 513)))
    const some = randomBytes(64 * 1024)
      .toString('latin1')
      .replace(/[^\0-\x7f]/g, 'x')
    const large = some.repeat(64)
    await publish(alice, zipOf({ ...skillFiles({ name: 'largest-one' }), 'a.txt': large }, '', 0))
    await publish(alice, zipOf({ ...skillFiles({ name: 'large-one' }), 'a.txt': `${large}x` }, '', 0))
    const odd: Record<string, string>[] = [
      ...[{ metadata: '{ version: 1.2 }' }, { description: '1.5' }, { more: '.inf' }, { metadata: '' }],
    ]
    for (const fields of odd) {
      const name = `odd-${Object.values(fields)[0]!.replace(/\W+/g, '')}x`
      await publish(alice, zipOf(skillFiles({ name, ...fields })))
    }
    const first = await ask(world.app, 'skills/list', {}, { era: MODERN })
    const page = first.messages[0]!.result as unknown as Record<string, unknown> & { skills: unknown[] }
    assert.partialDeepStrictEqual(page, { ttlMs: 60_000, cacheScope: 'private', resultType: 'complete' })
    assert.ok(page.skills.length <= 21 && typeof page['nextCursor'] === 'string')
    const { skills } = await connect(world)
    const names = (await skills.list()).skills.map(({ frontmatter }) => frontmatter.name)
    assert.deepEqual(names.filter((name) => !/^skill-\d+$/.test(name)).sort(), [
      'guildhall',
      'just-right',
      'largest-one',
    ])
    assert.equal(names.length, 24 + 3)
    const largest = await skills.get('skill://library/largest-one/largest-one/SKILL.md')
    assert.ok((await skills.read(largest.skill, 'a.txt')).verified)
    const wrong = await ask(world.app, 'skills/list', { cursor: 'x'.repeat(1_001) }, { era: MODERN })
    assert.equal(wrong.messages[0]?.error?.code, -32602)
  })
})
