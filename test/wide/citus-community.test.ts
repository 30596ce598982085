// Tests of votes, follows, reactions and notifications, on databases of a Citus cluster whose tables are distributed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { type Cluster, skip, startCluster } from '../citus.ts'

const FILES = [
  'src/content/votes/votes.test.ts',
  'src/content/comments/comments.test.ts',
  'src/content/moderation.test.ts',
  'src/content/merging/merging.test.ts',
  'src/content/merging/undoing.test.ts',
  'src/content/merging/races.test.ts',
  'src/content/notifications/boards.test.ts',
  'src/content/notifications/closed-boards.test.ts',
  'src/content/notifications/coming-back.test.ts',
  'src/content/notifications/following.test.ts',
  'src/content/notifications/groups.test.ts',
  'src/content/notifications/mailing.test.ts',
  'src/content/notifications/notifications.test.ts',
  'src/content/push/push.test.ts',
  'src/content/delivery/delivery.test.ts',
  'src/content/trust/trust.test.ts',
  'src/content/members/members.test.ts',
  'src/community/imports/claims.test.ts',
  'src/accounts/exports.test.ts',
  'src/identity/erasure.test.ts',
  'src/verify/verify.test.ts',
  'test/lock-order.test.ts',
  'test/many-processes.test.ts',
]

describe('on a Citus cluster', { skip, concurrency: 1 }, () => {
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster.stop())

  for (const file of FILES) {
    it(`passes ${file}`, async () => {
      const { NODE_TEST_CONTEXT: _, ...environment } = process.env
      const args = ['--require', './test/untracked-promises.cjs', '--test-name-pattern=PostgreSQL', file]
      const child = spawn(process.execPath, args, {
        env: { ...environment, TEST_POSTGRES_URL: cluster.url, TEST_DISTRIBUTED: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
      const code = await new Promise((resolve) => child.once('close', resolve))
      assert.equal(code, 0, said)
      assert.ok(Number(/^. pass (\d+)$/m.exec(said)?.[1]) > 0, said)
    })
  }
})
