// A real object storage for tests: an S3-compatible server on a loopback port, over a temporary directory. In front of it
// stands what it lacks (listings of several pages, listing and aborting multipart uploads) and a gate through which a test makes requests fail.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error The package brings no types; what is used of it is written out below.
import S3rver from '@20minutes/s3rver'

type Handler = (request: IncomingMessage, response: ServerResponse) => void
interface Listed {
  objects: { key: string; lastModifiedDate: Date; size: number }[]
  isTruncated: boolean
}
interface Server {
  configureBuckets(): Promise<void>
  callback(): Handler
  store: { listObjects(bucket: string, options: object): Promise<Listed> }
}

/** Sees each request first; answering true means that it was dealt with and goes no further. */
export type Gate = (request: IncomingMessage, response: ServerResponse) => boolean | undefined

const bucket = 'guildhall'

/** Starts the server and puts credentials for it into the environment; `close` removes everything again. */
export async function openObjectStorage() {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' })
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-s3-'))
  const options = { silent: true, directory, vhostBuckets: false, configureBuckets: [{ name: bucket }] }
  const s3: Server = new S3rver(options)
  await s3.configureBuckets()
  const handle = s3.callback()
  const uploads = join(directory, bucket, '._S3rver_uploads')
  const storage = { gate: (() => undefined) as Gate, seen: [] as string[], handle, pageSize: 1_000 }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    storage.seen.push(`${request.method} ${request.url}`)
    if (storage.gate(request, response)) return
    const uploadId = url.searchParams.get('uploadId')
    if (request.method === 'GET' && url.searchParams.has('uploads')) return response.end(await listing(uploads))
    if (url.pathname === `/${bucket}/`) return response.end(await page(s3, url.searchParams, storage.pageSize))
    if (request.method !== 'DELETE' || !uploadId) return handle(request, response)
    await rm(join(uploads, uploadId), { recursive: true, force: true })
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return Object.assign(storage, {
    /** The address of this storage for `openBlobs`; each staging directory is one machine. */
    url: (staging: string, prefix = '') =>
      `s3://${bucket}/${prefix}?${new URLSearchParams({ endpoint, region: 'eu-central-1', staging })}`,
    /** The identifiers of multipart uploads that are begun and neither completed nor aborted. */
    unfinished: () => readdir(uploads).catch(() => []),
    /** The directory in which the server keeps its objects, for looking and for damaging. */
    directory: join(directory, bucket),
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(directory, { recursive: true, force: true })
    },
  })
}

/** A page of ListObjectsV2. Its own has none but the first: it makes the token with a cipher that OpenSSL no longer has. */
async function page({ store }: Server, query: URLSearchParams, maxKeys: number): Promise<string> {
  const token = query.get('continuation-token') ?? ''
  const startAfter = Buffer.from(token, 'base64url').toString()
  const { objects, isTruncated } = await store.listObjects(bucket, {
    ...{ prefix: query.get('prefix') ?? '', startAfter, maxKeys },
  })
  const contents = objects.map(
    ({ key, size, lastModifiedDate }) =>
      `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`,
  )
  const next = Buffer.from(objects.at(-1)?.key ?? '').toString('base64url')
  const more = isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
  return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`
}

async function listing(uploads: string): Promise<string> {
  const entries = await readdir(uploads).catch(() => [])
  const found = entries.map(async (id) => {
    const [key, { mtime }] = [await readFile(join(uploads, id, 'key'), 'utf8'), await stat(join(uploads, id))]
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`
  })
  const inside = (await Promise.all(found)).join('')
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${inside}</ListMultipartUploadsResult>`
}
