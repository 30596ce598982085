// Names of MCP servers that are proven: by a run of GitHub in a repository of the owner whom the name says.
import assert from 'node:assert/strict'
import { it as test } from 'node:test'
import { exchangeRun, gitHub, issuerFor, letRun, publishWith } from '../../../test/ci.ts'
import { askRegistry, type Entry, nameIn, serverFile } from '../../../test/mcp-registry.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { GITHUB_ISSUER } from '../../contract/own-clients.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { provesName } from '../publishers/letting.ts'

test('a repository of the owner in the name proves it, at github.com alone', () => {
  const proves = (name: string, repositoryUrl: string, issuer: string = GITHUB_ISSUER) =>
    provesName(name, { issuer, repositoryUrl })
  assert.equal(proves('io.github.mira/digest', 'https://github.com/mira/digest'), true)
  assert.equal(proves('io.github.MIRA/other', 'https://github.com/Mira/digest'), true)
  const unproven: [name: string, url: string, issuer?: string][] = [
    ['io.github.mira/digest', 'https://github.com/mira2/digest'],
    ['io.github.mira/digest', 'https://github.com/eve/mira'],
    ['io.github.mira/digest', 'https://github.com/mira'],
    ['io.github.mira/digest', 'https://github.com.evil.example/mira/digest'],
    ['io.github.mira/digest', 'https://github.com/mira/digest', 'https://github.example.com/_services/token'],
    ['io.github.mira/digest', 'https://gitlab.com/mira/digest', 'https://gitlab.com'],
    ['io.github.mira.x/digest', 'https://github.com/mira/digest'],
    ['io.github./digest', 'https://github.com/mira/digest'],
    ['io.github.mi--ra/digest', 'https://github.com/mi--ra/digest'],
    ['com.github.mira/digest', 'https://github.com/mira/digest'],
    ['io.githubxmira/digest', 'https://github.com/mira/digest'],
    [`io.github.${'m'.repeat(40)}/digest`, `https://github.com/${'m'.repeat(40)}/digest`],
  ]
  for (const given of unproven) assert.equal(proves(...given), false, given.join())
  assert.equal(proves(`io.github.${'m'.repeat(39)}/digest`, `https://github.com/${'m'.repeat(39)}/digest`), true)
})

const NAME = 'io.github.mira/digest'

/** A token of a run, which is of GitHub's own issuer where `isGitHub`: the keys of that one are not ours. */
async function tokenOf({ alice, db, ...world }: World, isGitHub: boolean): Promise<string> {
  const all = { alice, db, ...world }
  const issuer = await issuerFor(all)
  const { items } = await alice.trustedPublishers.list()
  const slug = 'io.github.mira_digest'
  if (items.length === 0) await letRun(alice, issuer, { kind: 'mcp-server', slug } as never)
  const { access_token } = await exchangeRun(all, await issuer.token(gitHub()), `mcp-server/${slug}`)
  if (isGitHub) {
    const grants = await db.selectFrom('publishingGrant').selectAll().execute()
    for (const { grantId, run } of grants) {
      const repository = { issuer: GITHUB_ISSUER, repositoryUrl: 'https://github.com/mira/digest' }
      const changed = JSON.stringify({ ...parseJson<object>(run), ...repository })
      await db.updateTable('publishingGrant').set({ run: changed }).where('grantId', '=', grantId).execute()
    }
  }
  return access_token
}

async function publishBy(world: World, token: string, version: string, id?: string) {
  const file = serverFile({ name: NAME, version })
  const form: Record<string, string | File> =
    id === undefined ? { kind: 'mcp-server', visibility: 'public', file } : { file }
  const response = await publishWith(world, token, form, id && `/api/library/items/${id}/artifact`)
  assert.ok(response.ok, await response.clone().text())
  return (await response.json()) as { id: string; meta: { verified: boolean } }
}

onEveryEngine('the name of an MCP server', (it) => {
  it('is proven by a version that a run of its owner published, and by no other version', async (world) => {
    const { alice, anonymous } = world
    const { id, meta } = await publishBy(world, await tokenOf(world, true), '1.0.0')
    assert.equal(meta.verified, true)
    const inRegistry = async (version: string) => {
      const path = `/v0.1/servers/${nameIn(NAME)}/versions/${version}`
      return (await askRegistry<Entry>(anonymous, path)).body._meta['guildhall/item'].verified
    }
    assert.equal(await inRegistry('1.0.0'), true)
    const byHand = await alice.library.publishVersion({ id, file: serverFile({ name: NAME, version: '1.1.0' }) })
    assert.deepEqual(
      [byHand.meta['verified'], await inRegistry('1.1.0'), await inRegistry('1.0.0')],
      [false, false, true],
    )
    await alice.library.yank({ id, version: '1.1.0', yanked: true })
    assert.equal((await alice.library.get({ id })).meta['verified'], true)
    await alice.library.yank({ id, version: '1.1.0', yanked: false })
    assert.equal((await alice.library.get({ id })).meta['verified'], false)
    const again = await publishBy(world, await tokenOf(world, true), '1.2.0', id)
    assert.equal(again.meta.verified, true)
  })

  it('is proven by no run of another issuer, and by nothing that a file says', async (world) => {
    const { meta, id } = await publishBy(world, await tokenOf(world, false), '1.0.0')
    assert.equal(meta.verified, false)
    const file = serverFile({ name: NAME, version: '1.1.0', verified: true, _meta: { verified: true } })
    assert.equal((await world.alice.library.publishVersion({ id, file })).meta['verified'], false)
  })
})
