// Nothing that members upload holds up the others, neither when it comes in nor when it is shown.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { refusalOf } from '../../attack/attack.ts'
import { addRun, makeOrg, publishToAll, setAvatar } from '../../attack/things.ts'
import { field, file } from '../multipart.ts'
import { files, markdown } from './bodies.ts'
import { watchedServer } from './watched.ts'

const server = watchedServer()

/** What was published, as its page and the API show it. */
async function showItem({ id, kind, slug }: Record<string, unknown>): Promise<void> {
  for (const path of [`/api/library/items/${id}/contents`, `/api/library/items/${id}`, `/library/${kind}s/${slug}`]) {
    assert.equal((await server.alice.get(path)).status, 200, path)
  }
}

for (const [name, bytes] of Object.entries(files)) {
  it(`with ${name} for a file`, async () => {
    const content = bytes()
    await server.watch(name, async () => {
      for (const kind of ['automation', 'workflow', 'org'] as const) {
        const form = [field('kind', kind), field('visibility', 'public'), file('file', 'file', content)]
        const { status, json } = await server.alice.upload('/api/library/items', form)
        assert.ok(status < 500, `${kind}: ${status}`)
        if (status === 201) await showItem(json()!)
      }
      await refusalOf(
        setAvatar(server.alice, new Blob([new Uint8Array(content.subarray(0, 2_000_000))], { type: 'image/png' })),
      )
      const text = content.toString('latin1').slice(0, 500_000)
      await refusalOf(server.alice.api.orgs.create({ orgJson: text }))
    })
  })
}

it('for a page with Markdown that is slow to read', async () => {
  for (const [name, make] of Object.entries(markdown)) {
    const { id, slug } = await makeOrg(server.alice, { name: `Slow ${name}`, goal: make(20_000) })
    const run = await addRun(server.alice, id, { 'a.md': make(99_000) })
    await server.alice.api.orgs.update({ id, body: make(20_000).slice(0, 20_000) })
    await server.watch(name, async () => {
      for (const path of [`/community/orgs/${slug}`, `/community/orgs/${slug}/runs/${run.runId}/${run.fileId}`]) {
        const { status } = await server.alice.get(path, { Accept: 'text/html' })
        assert.equal(status, 200, path)
      }
      await server.alice.post('/preview', make(19_990), { 'Content-Type': 'text/plain' })
    })
  }
})

it('for a list or a page of much', async () => {
  const many = Array.from({ length: 2_400 }, (_, n) => ({ type: `${n}`.padEnd(100, 'x') }))
  for (let n = 0; n < 30; n += 1) {
    await publishToAll(server.alice, { nodes: many, name: `Much ${n}` })
  }
  const { slug } = await makeOrg(server.alice, {
    name: 'Much',
    roles: Array.from({ length: 5_000 }, (_, n) => ({ id: `r${n}`, reports_to: `r${Math.floor(n / 2) - 1}` })),
    communication: Array.from({ length: 3_000 }, (_, n) => ({ from: `r${n}`, to: `r${(n * 7) % 999}` })),
  })
  const org = server.things['/community/orgs']!
  const runs = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${'é'.repeat(190)}${n}.md`, 'x']))
  for (let n = 0; n < 30; n += 1) await addRun(server.alice, org, runs)
  const paths = [
    ...[
      '/api/library/items?per_page=100',
      '/api/library/items?scope=mine&per_page=100',
      '/library',
      '/library/workflows/much-1',
    ],
    ...[`/api/community/orgs/${slug}`, `/community/orgs/${slug}`, `/api/community/orgs/${org}/runs?per_page=100`],
    ...['/api/community/orgs?per_page=100', '/community/orgs', '/sitemap.xml', '/feed.atom'],
  ]
  for (const path of paths) {
    await server.watch(path, async () => {
      const { status, bytes } = await server.alice.get(path)
      assert.ok([200, 308].includes(status), `${path}: ${status}`)
      assert.ok(bytes.length < 4_000_000, `${path}: ${bytes.length} bytes`)
    })
  }
})
