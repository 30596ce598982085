// Uploads that are never finished: what lies on the disk of them is bounded, too.
import { readdir, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, hold, refusalOf } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { makeOrg, workflow } from './things.ts'

const MEGABYTE = 1_048_576
const UPLOADS = 12
const SENT = 1.5 * MEGABYTE

/** Begins an upload of 18 MB, sends some of it, and leaves it open. */
function beginUpload(target: Target, person: Person, path: string): Socket {
  const { hostname: host, port } = target.place
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(target.origin).host}`,
    `Cookie: ${cookie}`,
    `X-Forwarded-For: ${person.network ?? ''}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${18 * MEGABYTE}`,
  ]
  const part = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.md"\r\n\r\n'
  const socket = connect({ host, port }).on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n${part}`)
  socket.write(Buffer.alloc(SENT, 'x'))
  return socket
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  )
  return sizes.reduce((total, size) => total + size, 0)
}

export const staging: Attack[] = [
  {
    name: 'checks of files that are only tried count like all others',
    clause: '4 budgets',
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const person = await target.newcomer()
      let passed = 0
      for (let n = 0; n < 14; n++) {
        const file = Buffer.from(workflow({ name: `Tried ${n}` }))
        const refusal = await refusalOf(person.api.library.scanFile({ kind: 'workflow', file }, { dryRun: true }))
        hold(!refusal || refusal.status === 429, `${refusal?.status} ${refusal?.message}`)
        if (!refusal) passed++
      }
      hold(passed === 10, `${passed} passed where 10 may`)
      return '10 of 14 passed'
    },
  },
  {
    name: 'uploads that stay open hold no more than one of an account without a verified address',
    clause: '4 budgets',
    limited: true,
    needs: ['networks', 'newcomers', 'files'],
    async run(target) {
      const { id } = await makeOrg(await target.member('alice'))
      const person = await target.newcomer()
      const sockets = Array.from({ length: UPLOADS }, () =>
        beginUpload(target, person, `/api/community/orgs/${id}/runs`),
      )
      try {
        let most = 0
        for (let look = 0; look < 20; look++) {
          await sleep(100)
          most = Math.max(most, await bytesIn(join(target.own.dataDir, 'blobs', 'staging')))
        }
        hold(most <= SENT + MEGABYTE, `${most} bytes lie there of ${UPLOADS} uploads`)
        return `${most} bytes of ${UPLOADS} uploads`
      } finally {
        for (const socket of sockets) socket.destroy()
      }
    },
  },
]
