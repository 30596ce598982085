// Downloads of the library, from files and from a bucket, against nginx with sendfile.
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { openObjectStorage } from '../test/object-storage.ts'
import { automationOf, upload } from './parts/artifact.ts'
import { figure } from './parts/figures.ts'
import { cookie } from './parts/fill-accounts.ts'
import { fillLibrary } from './parts/fill-library.ts'
import { type RunningServer, startServer } from './parts/load.ts'
import { median } from './parts/median.ts'
import { hasNginx, startNginx } from './parts/nginx.ts'
import { rowsOr } from './parts/options.ts'
import { inPlaces, type Place } from './parts/places.ts'

const ROUNDS = 3
const BYTES = 5_000_000
const PORT = 4211
const NGINX = 4212
const BUCKET = 4213

/** The answer, or that of the server where it leads. */
async function answerOf(url: string, agent: Agent, headers: Record<string, string>): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage]
  if (answer.statusCode === 200) return answer
  if (answer.statusCode !== 302) throw new Error(`${url} answered ${answer.statusCode}`)
  await once(answer.resume(), 'end')
  return answerOf(answer.headers.location ?? '', agent, {})
}

/** Downloads a second. The client parses nothing but the head, or it would be what is measured. */
async function drain(url: string, { connections, seconds }: { connections: number; seconds: number }): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const end = performance.now() + seconds * 1000
  let count = 0
  const client = async () => {
    while (performance.now() < end) {
      const answer = await answerOf(url, agent, { cookie })
      await once(answer.resume(), 'end')
      count++
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return count / ((performance.now() - started) / 1000)
}

/** The median of ours, against nginx. */
async function compared(server: RunningServer, bytes: Buffer, query = ''): Promise<number> {
  const { id } = JSON.parse(await upload(server, bytes)) as { id: string }
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const limit = await drain(`http://127.0.0.1:${NGINX}/file`, { connections: 8, seconds: 3 })
    const ours = await drain(`${server.url}/api/library/items/${id}/artifact${query}`, { connections: 8, seconds: 3 })
    console.log(`  5 MB downloads a second: nginx ${limit.toFixed(0)}, ours ${ours.toFixed(0)}`)
    ratios.push(ours / limit)
  }
  return median(ratios)
}

const start = ({ environment }: Place, more: Record<string, string> = {}) =>
  startServer(['src/main.ts'], PORT, '/healthz', { ...environment, LOG_LEVEL: 'warn', ...more })

async function fromFiles(place: Place): Promise<void> {
  const server = await start(place)
  figure('downloads of 5 MB from files, against nginx', await compared(server, automationOf(BYTES, 998)), 'x', {
    ...{ sqlite: { atLeast: 0.45 }, postgres: { atLeast: 0.8 } },
  })
  await server.stop()
}

/**
 * Writes go to an S3-compatible server in this process. nginx stands before it on the client's core and serves its objects, so that the
 * bucket is not what is measured.
 */
async function fromBucket(place: Place): Promise<void> {
  const storage = await openObjectStorage()
  const behind = new URL(storage.url(place.folder)).searchParams.get('endpoint')
  const bucket = await startNginx({
    ...{ port: BUCKET, folder: join(place.folder, 'bucket'), core: 1 },
    server: `root ${dirname(storage.directory)};
location / { error_page 418 = @store; if ($request_method != GET) { return 418; } try_files \${uri}._S3rver_object @store; }
location @store { proxy_pass ${behind}; proxy_set_header Host $http_host; proxy_request_buffering off; }`,
  })
  const url = storage
    .url(place.folder)
    .replace(encodeURIComponent(behind!), encodeURIComponent(`http://127.0.0.1:${BUCKET}`))
  const server = await start(place, { BLOB_URL: url })
  const [proxied, handedOut] = [automationOf(BYTES, 999), automationOf(BYTES, 996)]
  figure('downloads of 5 MB from a bucket, against nginx', await compared(server, proxied), 'x', {
    postgres: { atLeast: 0.5 },
  })
  await server.stop()
  const redirecting = await start(place, { BLOB_URL: `${url}&downloads=redirect` })
  const ratio = await compared(redirecting, handedOut, '?redirect=follow')
  figure('downloads of 5 MB that the bucket hands out itself, against nginx', ratio, 'x', {
    ...{ sqlite: { atLeast: 0.8 }, postgres: { atLeast: 0.8 } },
  })
  // Jobs read files of the library beside it.
  const hashes = [proxied, handedOut].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const isOurs = (request: string) => request.startsWith('GET') && hashes.some((hash) => request.includes(hash))
  const gets = storage.seen.filter(isOurs).length
  if (gets > 10) throw new Error(`${gets} objects came from the store behind nginx`)
  await redirecting.stop()
  await ended(bucket)
  await storage.close()
}

function ended(child: ChildProcess): Promise<unknown> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  return exit
}

await inPlaces(async (make) => {
  if (!hasNginx('downloads')) return
  const place = await make('downloads')
  await fillLibrary(place.url, { items: rowsOr(100_000), versionsEach: 3, users: 2_000 })
  writeFileSync(join(place.folder, 'file'), automationOf(BYTES, 997))
  const limit = await startNginx({
    ...{ port: NGINX, folder: join(place.folder, 'nginx'), core: 0, server: `root ${resolve(place.folder)};` },
  })
  await fromFiles(place)
  await fromBucket(place)
  await ended(limit)
})
