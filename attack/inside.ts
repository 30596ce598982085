// Documents of clients that lead inside, and the chain of the audit log.
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, atOnce, hold, holdEach, holdStatus, Skipped } from './attack.ts'
import { ask, TOKEN } from './oauth-client.ts'
import type { Person } from './person.ts'
import { publish, workflow } from './things.ts'

const SSRF = 'ssrf'
const DELIVERY_MILLISECONDS = 60_000

/** Addresses that lead to this machine or its network, in every spelling that a parser takes. */
const addresses = (port: number) => [
  ...[
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
    '[::]',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    'localhost.',
    '①②⑦.0.0.1',
  ].map((host) => `https://${host}:${port}/client.json`),
  ...[
    '169.254.169.254',
    '10.0.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'metadata.google.internal',
  ].map((host) => `https://${host}/client.json`),
  `https://a@127.0.0.1:${port}/client.json`,
  `https://127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}`,
]

/** What the account is told of an address that is not sent to: by the answer, or by the log of a test. */
async function reasonOf({ api }: Person, itemId: string, url: string): Promise<string> {
  const { answers, refusals } = await atOnce(1, () => api.itemWebhooks.create({ itemId, url }))
  // It names the field first.
  if (refusals[0]?.status === 400) return refusals[0].message.replace('url: ', '')
  const id = answers[0]?.id ?? ''
  await api.itemWebhooks.test({ id })
  for (const until = Date.now() + DELIVERY_MILLISECONDS; ; await sleep(100)) {
    const [sent] = (await api.itemWebhooks.deliveries({ id })).items
    if (sent?.error) return sent.error
    if (Date.now() > until) throw new Error('The test was not sent.')
  }
}

export const inside: Attack[] = [
  {
    name: 'the id of a client leads to no address inside',
    clause: SSRF,
    needs: ['process'],
    async run(target) {
      let connections = 0
      const witness = createServer((socket) => {
        connections++
        socket.destroy()
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => witness.once('listening', resolve))
      const { port } = witness.address() as { port: number }
      const alice = await target.member('alice')
      try {
        return await holdEach(addresses(port), String, async (clientId) => {
          const given = { client_id: clientId, email: 'a@example.com', scope: 'community:read' }
          const other = target.anonymous()
          const replies = await Promise.all([
            alice.get(ask(target, { clientId }).path),
            other.post('/api/auth/agent/claim', given),
            other.form(TOKEN, { client_id: clientId, grant_type: 'refresh_token', refresh_token: 'x' }),
          ])
          for (const reply of replies) {
            holdStatus(reply, [400, 401, 429], 'an id that leads inside')
            hold(!/ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH/.test(reply.text), 'the answer tells what is there')
          }
          hold(connections === 0, `${connections} connections came`)
        })
      } finally {
        witness.close()
      }
    },
  },
  {
    name: 'the log of a webhook does not tell which names there are inside',
    clause: SSRF,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { id } = await publish(owner, 'workflow', workflow())
      // The last one is no name at all, so that no resolver is asked and waited for.
      const hosts = ['localhost', '127.0.0.1', '[::1]', '10.0.0.1', `${'x'.repeat(64)}.example`]
      const words = new Set<string>()
      for (const host of hosts) words.add(await reasonOf(owner, id, `https://${host}:9/hook`))
      hold(words.size === 1, `told apart: ${[...words].join('; ')}`)
      return [...words].join()
    },
  },
  {
    name: 'a line of the audit log that is changed or missing is found by verify',
    clause: 'audit',
    needs: ['files', 'roles', 'newcomers'],
    async run(target) {
      const admin = await target.withRole('admin')
      const person = await target.newcomer()
      for (const blocked of [true, false]) await admin.api.admin.block({ id: person.id, blocked })
      const honest = await target.own.admin('verify')
      hold(honest.code === 0, `verify finds faults in an honest log: ${honest.output.slice(-300)}`)
      const tables = ['audit', 'auditEntry', 'auditLog']
      const found = await Promise.all(
        tables.map((table) =>
          target.own.query(`select * from "${table}" order by "id" limit 50`).then(
            (rows) => ({ table, rows }),
            () => undefined,
          ),
        ),
      )
      const log = found.find((one) => one !== undefined && one.rows.length > 2)
      if (!log) throw new Skipped('no table of the audit log is known by this name')
      const { id, actorId } = log.rows.at(-2) as { id: string; actorId: string | null }
      await target.own.query(`update "${log.table}" set "actorId" = ? where "id" = ? returning "id"`, person.id, id)
      const changed = await target.own.admin('verify')
      await target.own.query(`update "${log.table}" set "actorId" = ? where "id" = ? returning "id"`, actorId, id)
      hold(changed.code !== 0, 'a changed line is not found')
      const again = await target.own.admin('verify')
      hold(again.code === 0, 'put back, it is still damaged')
      return 'a changed line is found'
    },
  },
]
