// `guildhall` before a server that drips for ever, and `guildhall mirror` before one whose log names files outside.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkpointText, leafHash, utf8, vkeyOf } from '@guildhall/verifiable'
import { bundleBytes } from '@guildhall/verifiable/log'
import { signerOf, signNote } from '@guildhall/verifiable/signing'
import { type Attack, hold, holdEach } from './attack.ts'
import { besideALiar, ended, guildhall, inFolder, type Lie, sendJson } from './liars.ts'
import { publishToAll } from './things.ts'

const CLAUSE = 'programs'
const DRIP_MILLISECONDS = 100
const ORIGIN = 'liar.example/log'
const DIGEST = 'a'.repeat(64)

/** One space after the other, within JSON. */
const dripping: Lie = (path, response) => {
  if (!path.includes('/resolve')) return false
  response.setHeader('Content-Type', 'application/json')
  response.write('{"items":[')
  const timer = setInterval(() => response.write(' '), DRIP_MILLISECONDS)
  response.once('close', () => clearInterval(timer))
  return true
}

interface Named {
  /** What the log names. */
  name: string
  version: string
}

const outside: Named[] = [
  { name: 'workflow/digest', version: '../../../../escaped' },
  { name: 'workflow/digest', version: '/tmp/escaped' },
  { name: 'workflow/digest', version: '1.0.0/../../../../../escaped' },
  { name: 'workflow/../../../escaped', version: '1.0.0' },
  { name: 'workflow/..', version: 'escaped' },
  { name: '../escaped/digest', version: '1.0.0' },
]

/** A log with one entry, sound in itself, that names a version so. */
function logOf({ name, version }: Named): Lie {
  const signer = signerOf(ORIGIN, randomBytes(32))
  const entry = JSON.stringify({ v: 1, type: 'publish', name, version, sha256: DIGEST })
  const note = signNote(checkpointText({ origin: ORIGIN, size: 1, root: leafHash(utf8(entry)) }), signer)
  const [kind, slug] = name.split('/', 2)
  const item = { id: '1', kind, slug, name: 'Digest' }
  const change = { index: 0, type: 'publish', entry, item, version: { version, sha256: DIGEST } }
  const answers: Record<string, string | Uint8Array> = {
    '/log/key': vkeyOf(signer),
    '/log/checkpoint': note,
    '/log/tile/entries/000.p/1': bundleBytes([entry]),
  }
  return (path, response) => {
    const plain = path.split('?')[0] ?? ''
    const answer = answers[plain]
    if (answer !== undefined) response.end(answer)
    else if (plain.endsWith('/library/changes')) sendJson(response, { changes: [change], next: 0, size: 1 })
    else response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"Not found"}')
    return true
  }
}

export const copying: Attack[] = [
  {
    name: 'an answer that drips for ever ends the command after the deadline',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      inFolder(async (home) => {
        const { slug } = await publishToAll(await target.newcomer(), { name: 'Slow' })
        return besideALiar(target, async (liar) => {
          liar.lie = dripping
          const began = performance.now()
          const got = await guildhall(['install', `workflow/${slug}`], { home, url: liar.url, isHasty: true })
          const seconds = Math.round((performance.now() - began) / 1000)
          hold(got.code !== 0 && got.code !== null, `it never ended: ${ended(got)}`)
          hold(got.output.includes('took longer than'), `it ended for another reason: ${ended(got)}`)
          return `ended after ${seconds} s`
        })
      }),
  },
  {
    name: 'guildhall mirror writes nowhere else, also where the log of a server names paths',
    clause: CLAUSE,
    needs: ['process'],
    run: (target) =>
      inFolder(async (folder) =>
        besideALiar(target, (liar) =>
          holdEach(
            outside,
            (named) => JSON.stringify(named),
            async (named) => {
              liar.lie = logOf(named)
              const copy = join(folder, 'one', 'two', 'three', `${outside.indexOf(named)}`)
              const got = await guildhall(['mirror', liar.url, copy], { home: join(folder, 'home'), url: liar.url })
              hold(got.code !== 0 && got.code !== null, `copied, or never ended: ${ended(got)}`)
              hold(!/ECONN|fetch failed/.test(got.output), `it did not come so far: ${ended(got)}`)
              const written = (await readdir(folder, { recursive: true })).filter((name) => /escaped/.test(name))
              hold(written.length === 0, `written: ${written}`)
            },
          ),
        ),
      ),
  },
]
