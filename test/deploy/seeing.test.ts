// What operators see: a real Prometheus reads /metrics, every figure of the dashboard and of the alerts is there, and each request is a line of
// the log. Prometheus is Debian's package; .ci/run installs it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startServer, type TestServer, withFolder } from '../server.ts'

const TOKEN = 'a-token-of-the-operator'
const isInstalled = spawnSync('prometheus', ['--version']).status === 0
const skip = isInstalled ? false : 'install the package prometheus to run these'

interface Panel {
  type: string
  title: string
  targets?: { expr: string }[]
}

const dashboard: { panels: Panel[] } = JSON.parse(readFileSync('deploy/grafana/guildhall.json', 'utf8'))
const alertsText = readFileSync('deploy/prometheus/alerts.yml', 'utf8')

/** Expressions of panels, with the variables of Grafana filled in. */
const expressions = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({
    title,
    expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
  })),
)

/** Names of our figures and of the library's, as expressions have them. */
const namesIn = (text: string) => [...text.matchAll(/\b((?:guildhall|nodejs|process)_\w+)/g)].map(([, name]) => name!)

/** Figures that only PostgreSQL, or a replica, has. */
const OF_POSTGRES = /^guildhall_(pool|replica)_/

async function use({ url }: TestServer): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Carol', email: 'carol@example.com', password: 'correct horse battery' })
  assert.equal((await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body })).status, 200)
  for (const path of ['/api/community/feed', '/api/community/feed', '/api/community/bugs?sort=popular', '/nowhere']) {
    await (await fetch(url + path)).text()
  }
}

const metrics = async ({ url }: TestServer, accept = '') => {
  const answer = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}`, Accept: accept } })
  return { type: answer.headers.get('content-type') ?? '', text: await answer.text() }
}

/** A Prometheus that reads the server every second, for as long as `work` takes. */
async function withPrometheus(
  { url }: TestServer,
  folder: string,
  work: (ask: (path: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  const configuration = readFileSync('deploy/prometheus/prometheus.yml', 'utf8')
    .replaceAll('15s', '1s')
    .replace('127.0.0.1:3000', new URL(url).host)
  await writeFile(join(folder, 'prometheus.yml'), configuration)
  await writeFile(join(folder, 'metrics-token'), TOKEN)
  await writeFile(join(folder, 'alerts.yml'), alertsText)
  const flags = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn('prometheus', [...flags, '--enable-feature=exemplar-storage'], { cwd: folder, stdio: 'ignore' })
  try {
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
      const { status, data, error } = (await answer.json()) as { status: string; data: unknown; error?: string }
      assert.equal(status, 'success', `${path}: ${error}`)
      return data
    }
    while (!(await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined))?.ok) await sleep(50)
    await work(ask)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

describe('Prometheus', { skip }, () => {
  it('finds the rules and the configuration in order, and the alerts ring when they should', () => {
    for (const args of [
      ['check', 'rules', 'alerts.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: 'deploy/prometheus', encoding: 'utf8' })
      assert.equal(status, 0, stdout + stderr)
    }
  })

  it('reads every figure that the dashboard and the alerts name, with examples of requests', () =>
    withFolder(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR, METRICS_TOKEN: TOKEN })
      try {
        await use(server)
        await withPrometheus(server, DATA_DIR, async (ask) => {
          const isRead = async () => {
            const { result } = (await ask('query?query=count(up%20%3D%3D%201)')) as { result: unknown[] }
            return result.length > 0
          }
          while (!(await isRead())) await sleep(200)
          const known = new Set((await ask('label/__name__/values')) as string[])
          const wanted = [...expressions.map(({ expr }) => expr), alertsText].flatMap(namesIn)
          const missing = wanted.filter((name) => !known.has(name) && !OF_POSTGRES.test(name))
          // Counted when the first one happens.
          const later = ['budget_refusals', 'storage_errors', 'blob_operations'].map(
            (name) => `guildhall_${name}_total`,
          )
          assert.deepEqual(
            [...new Set(missing)].filter((name) => !later.includes(name)),
            [],
          )
          for (const { title, expr } of expressions) {
            await ask(`query?query=${encodeURIComponent(expr)}`).catch((error: Error) =>
              assert.fail(`${title}: ${error.message}`),
            )
          }
          const rules = (await ask('rules')) as { groups: { rules: { health: string; name: string }[] }[] }
          const ill = rules.groups.flatMap((group) => group.rules).filter(({ health }) => health === 'err')
          assert.deepEqual(ill, [])
          const name = 'guildhall_request_duration_seconds_bucket'
          const range = `start=${Date.now() / 1000 - 600}&end=${Date.now() / 1000 + 60}`
          const examples = (await ask(`query_exemplars?query=${name}&${range}`)) as {
            exemplars: { labels: { request_id: string } }[]
          }[]
          assert.match(examples[0]!.exemplars[0]!.labels.request_id, /^[0-9a-f-]{36}$/)
        })
      } finally {
        await server.end('SIGTERM')
      }
    }))
})

describe('/metrics', () => {
  it('has what is counted, in both formats', () =>
    withFolder(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR, METRICS_TOKEN: TOKEN })
      try {
        await use(server)
        const plain = await metrics(server)
        assert.match(plain.type, /^text\/plain/)
        // The second of two is kept, if the mail of the sign-up is not written down in between.
        assert.match(plain.text, /guildhall_request_duration_seconds_count\{operation="feed\.list"\} [12]\n/)
        assert.match(plain.text, /guildhall_build_info\{version="[^"]+",node="26[^"]*",engine="sqlite"\} 1/)
        assert.match(plain.text, /guildhall_queue_depth\{queue="mail"\} \d/)
        assert.match(plain.text, /guildhall_sqlite_writes_total\{what="commits"\} [1-9]/)
        assert.doesNotMatch(plain.text, /request_id/)
        const open = await metrics(server, 'application/openmetrics-text;version=1.0.0')
        assert.match(open.type, /^application\/openmetrics-text/)
        assert.match(
          open.text,
          /_bucket\{operation="feed\.list",le="[^"]+"\} [12] # \{request_id="[0-9a-f-]{36}"\} [\d.e-]+ [\d.]+\n/,
        )
        assert.match(open.text, /guildhall_requests_total\{.*\n(.*\n)*# EOF\n$/)
        assert.match((await metrics(server)).text, /^guildhall_requests_total\{/m)
      } finally {
        await server.end('SIGTERM')
      }
    }))
})

interface Line {
  msg: string
  requestId?: string
  proxyRequestId?: string
  operation?: string
  path?: string
  status: number
  bytes: number
  milliseconds: number
  account?: string
  error?: string
  network: string
}

describe('the log', () => {
  it('has one line a request, without anything secret, and the id of the proxy', () =>
    withFolder(async (DATA_DIR) => {
      const server = await startServer({ DATA_DIR, REQUEST_LOG: 'on', TRUST_PROXY: '1' })
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.7', 'X-Request-Id': 'edge-1' }
      const body = JSON.stringify({ name: 'Carol', email: 'carol@example.com', password: 'correct horse battery' })
      const signedUp = await fetch(`${server.url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
      const Cookie = signedUp.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      const me = await fetch(`${server.url}/api/community/me?secret=1`, { headers: { ...headers, Cookie } })
      const { id } = (await me.json()) as { id: string }
      const missing = await fetch(`${server.url}/api/community/bugs/none`, { headers })
      const requestId = missing.headers.get('x-request-id')!
      await server.end('SIGTERM')
      const text = server.output()
      for (const secret of ['correct horse', 'carol@', Cookie.split('=')[1]!, 'secret=1']) {
        assert.equal(text.includes(secret), false, secret)
      }
      const lines = text
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line): Line => JSON.parse(line))
        .filter(({ msg, path }) => msg === 'request' && path?.startsWith('/api/'))
      assert.equal(lines.length, 3)
      const [first, second, third] = lines
      assert.deepEqual([first!.path, first!.status, first!.proxyRequestId], ['/api/auth/sign-up/email', 200, 'edge-1'])
      assert.deepEqual([second!.path, second!.account, second!.operation], ['/api/community/me', id, 'profile.me'])
      assert.deepEqual(
        [third!.path, third!.status, third!.error, third!.requestId],
        ['/api/community/bugs/{id}', 404, 'not_found', requestId],
      )
      for (const { bytes, milliseconds, network } of lines) {
        assert.ok(bytes > 100 && milliseconds > 0)
        assert.match(network, /^203\.0\.113\./)
      }
    }))
})
