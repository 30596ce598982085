// Deliveries of GitHub at the address of a link.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { github, link, settings } from '../../../test/trackers.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_DELIVERY_BYTES } from './contract.ts'

interface Examples {
  name: string
  examples: { repository?: { full_name: string } }[]
}
const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as Examples[]

const signed = (event: string, body: string, secret = github.secret) => ({
  ...{ event, id: randomUUID(), body },
  signature: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})

const edited = (name = 'acme/looms') =>
  JSON.stringify({
    ...{ action: 'edited', repository: { full_name: name }, sender: { id: 5, login: 'eve' } },
    ...{ issue: { number: 1, updated_at: '2026-01-01T00:00:00Z' }, changes: { body: { from: 'x' } } },
  })

const waiting = async ({ admin }: World) => (await admin.trackers.list()).items[0]?.waiting

onEveryEngine(
  'a delivery of GitHub',
  (it) => {
    it('is taken as GitHub sends it: every example of issues and comments, and what else a webhook may send', async (world) => {
      github.name = 'Codertocat/Hello-World'
      try {
        const { deliver } = await link(world)
        let taken = 0
        for (const { name, examples: all } of examples) {
          for (const payload of all) {
            if (payload.repository === undefined) continue
            const answer = await deliver(signed(name, JSON.stringify(payload)))
            assert.equal(answer.status, 202, `${name}: ${await answer.text()}`)
            if (name === 'issues' || name === 'issue_comment') taken++
          }
        }
        assert.ok(taken > 30, `${taken} examples`)
        const found = await world.db.selectFrom('trackerWork').select(['key', 'told']).orderBy('key').execute()
        assert.ok(found.length > 0 && found.every(({ key }) => /^issue:\d+$/.test(key)))
        assert.ok(found.some(({ told }) => told !== '[]'))
      } finally {
        github.name = 'acme/looms'
      }
    })

    it('is refused unless its signature is of every byte and with the secret of this link', async (world) => {
      const { deliver } = await link(world)
      const good = signed('issues', edited())
      const other = signed('issues', edited(), 'another secret').signature
      const sha1 = good.signature.replace('sha256=', 'sha1=')
      for (const signature of ['', 'sha256=', other, sha1, good.signature.slice(0, -1)]) {
        assert.equal((await deliver({ ...good, signature })).status, 401, signature)
      }
      assert.equal((await deliver({ ...good, body: `${good.body} ` })).status, 401)
      assert.equal((await deliver(good, randomUUID())).status, 404)
      assert.equal(await waiting(world), 0)
      assert.equal((await deliver(good)).status, 202)
      assert.equal(await waiting(world), 1)
    })

    it('counts once, and only for its own repository', async (world) => {
      const { deliver } = await link(world)
      const row = () => world.db.selectFrom('trackerWork').select(['times', 'told']).executeTakeFirst()
      const one = signed('issues', edited())
      await deliver(one)
      await deliver(one)
      assert.equal((await row())?.times, 1)
      await deliver({ ...one, id: randomUUID() })
      assert.equal((await row())?.times, 2)
      await deliver(signed('issues', edited('acme/others')))
      await deliver(signed('push', edited()))
      assert.equal((await row())?.times, 2)
    })

    it('has 1 MiB at most, and is JSON', async (world) => {
      const { deliver } = await link(world)
      const fill = (bytes: number) => {
        const [head, tail] = [`${edited().slice(0, -1)},"more":"`, '"}']
        return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`
      }
      assert.equal((await deliver(signed('issues', fill(MAX_DELIVERY_BYTES)))).status, 202)
      assert.equal((await deliver(signed('issues', fill(MAX_DELIVERY_BYTES + 1)))).status, 413)
      for (const body of ['', '{', '[]', '{"repository":{}}'])
        assert.equal((await deliver(signed('issues', body))).status, 400)
    })

    it('shows here within five seconds, and a change here there', async (world) => {
      const { deliver } = await link(world)
      github.onDelivery = (delivery) => void deliver(delivery)
      world.app.jobs.start()
      try {
        const until = async (holds: () => boolean | Promise<boolean>) => {
          const begun = performance.now()
          while (!(await holds())) {
            assert.ok(performance.now() - begun < 5_000, 'within five seconds')
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
          return Math.round(performance.now() - begun)
        }
        const { id } = await world.alice.bugs.create({ title: 'One', description: 'Text', severity: 'low' })
        const there = await until(() => github.issues.length === 1)
        await world.alice.bugs.edit({ id, title: 'Two' })
        const edit = await until(() => github.issue(1).title === 'Two')
        github.act('octocat').comment(1, 'Three')
        const here = await until(async () => (await world.alice.bugs.comments({ id })).total === 1)
        if (process.env['TIMES']) console.log({ there, edit, here })
      } finally {
        github.onDelivery = () => {}
        await world.app.jobs.stop()
      }
    })
  },
  settings,
)
