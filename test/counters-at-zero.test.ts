// Counters exist at 0 from the start, for every pair of their labels: Prometheus sees no increase in a series that begins with 1.
import assert from 'node:assert/strict'
import { live } from './living.ts'
import { BASE_URL, onEveryEngine, type World } from './world.ts'

/** The series of counters, by their names and labels. */
async function seriesOf({ app }: World): Promise<Map<string, number>> {
  const response = await app.operatorFetch(new Request(`${BASE_URL}/metrics`))
  const text = await response.text()
  const counters = new Set([...text.matchAll(/^# TYPE (guildhall_\w+) counter$/gm)].map(([, name]) => name))
  const series = new Map<string, number>()
  for (const [, key = '', name, value] of text.matchAll(/^((guildhall_\w+)\{.*\}) (\S+)$/gm)) {
    if (counters.has(name)) series.set(key, Number(value))
  }
  return series
}

const STARTING: readonly string[] = [
  'guildhall_storage_errors_total{store="database",kind="broken"}',
  'guildhall_storage_errors_total{store="files",kind="full"}',
  'guildhall_storage_errors_total{store="mail",kind="away"}',
  'guildhall_mails_total{outcome="given_up"}',
  'guildhall_blob_operations_total{operation="read",outcome="failed"}',
  'guildhall_cache_lookups_total{cache="pages",outcome="missed"}',
  'guildhall_sqlite_writes_total{what="commits"}',
  'guildhall_budget_refusals_total{policy="topics-hour",of="account"}',
  'guildhall_budget_refusals_total{policy="topics-network-hour",of="shared"}',
  'guildhall_budget_refusals_total{policy="mails-all-hour",of="shared"}',
  'guildhall_budget_refusals_total{policy="grant-writes-day",of="account"}',
  'guildhall_requests_total{operation="bugs.create",status="500"}',
  'guildhall_requests_total{operation="bugs.create",status="201"}',
  'guildhall_requests_total{operation="POST /api/auth/oauth2/token",status="503"}',
  'guildhall_requests_total{operation="overload",status="503"}',
]

onEveryEngine(
  'counters',
  (it) => {
    it('are there at 0 from the start, for every pair of labels that comes later', async (world) => {
      const before = await seriesOf(world)
      for (const key of STARTING) assert.ok(before.has(key), key)
      assert.ok(before.get('guildhall_requests_total{operation="bugs.create",status="201"}') === 0)
      await live(world)
      const dave = world.person('dave')
      for (let n = 0; n < 40; n++)
        await dave.posts.create({ title: `Number ${n}`, body: 'One of many' }).catch(() => {})
      // Refusals of callers (4xx) are as many as there are operations and reasons: no alert is about the first of them.
      const later = [...(await seriesOf(world)).keys()].filter(
        (key) => !before.has(key) && !/status="[34]..".$/.test(key),
      )
      assert.deepEqual(later, [])
    })
  },
  { RATE_LIMITS: 'on' },
)
