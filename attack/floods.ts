// Our own programs before a server that sends without end, speaks to the terminal, or names files that are paths.
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createClient } from '../client/src/main-node.ts'
import { type Attack, hold, holdEach } from './attack.ts'
import { besideALiar, ended, guildhall, inFolder, type Lie, sendJson } from './liars.ts'
import type { Target } from './target.ts'
import { publishToAll, workflow } from './things.ts'

const CLAUSE = 'programs'
const MEGABYTE = 1_048_576
const PIECE = Buffer.alloc(MEGABYTE, ' ')
/** A file without end is one of so many bytes, as far as an attack goes. */
const ENDLESS = 3_000 * MEGABYTE
/** What may be on its way when a client has had enough. */
const ON_ITS_WAY = 24 * MEGABYTE

/** Sends until the other side has had enough; counts what was sent. */
function flood(response: ServerResponse, begin: string, sent: { bytes: number }): void {
  response.write(begin)
  const more = () => {
    while (sent.bytes < ENDLESS && !response.destroyed) {
      sent.bytes += PIECE.length
      if (!response.write(PIECE)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

const publicItem = async (target: Target, name: string) => publishToAll(await target.newcomer(), { name })

const endless =
  (ending: string, type: string, sent: { bytes: number }): Lie =>
  (path, response) => {
    if (!path.split('?')[0]?.endsWith(ending)) return false
    response.setHeader('Content-Type', type)
    flood(response, type === 'application/json' ? '{"items":[' : '', sent)
    return true
  }

const SMALL = workflow({ name: 'Small' })
const HASH = createHash('sha256').update(SMALL).digest('hex')

/** Texts that a terminal obeys. */
const SPOKEN = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b31m\r\u202eevil'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

/** Every text of an answer, with this after it. */
function spoken(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoken)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => {
    const isText = typeof one === 'string' && /^(name|description|changelog|title|message|username|tags)$/.test(name)
    return [name, isText ? `${one}${SPOKEN}` : spoken(one)]
  })
  return Object.fromEntries(entries)
}

/** Every answer, with these names in place of its own. */
function renamed(value: unknown, wrong: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, wrong))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, wrong[name] ?? renamed(one, wrong)])
  return Object.fromEntries(entries)
}

const paths: Record<string, string>[] = [
  { slug: '../../escaped' },
  { slug: '/tmp/escaped' },
  { slug: '..' },
  { version: '../../../escaped' },
  { version: '1.0.0/../../escaped' },
  { version: 'latest' },
  { kind: '../escaped' },
]

export const floods: Attack[] = [
  {
    name: 'a file is no longer than its proof says, though the server goes on sending',
    clause: CLAUSE,
    needs: ['newcomers', 'process', 'load'],
    run: (target) =>
      inFolder(async (home) => {
        const { slug } = await publicItem(target, 'Small')
        return besideALiar(target, async (liar) => {
          const sent = { bytes: 0 }
          liar.lie = endless('/file', 'application/octet-stream', sent)
          const got = await guildhall(['install', `workflow/${slug}`], { home, url: liar.url })
          hold(got.code === 1, `installed, or never ended: ${ended(got)}`)
          hold(sent.bytes <= ON_ITS_WAY, `took ${sent.bytes} bytes: ${ended(got)}`)
          const left = await readdir(home, { recursive: true })
          hold(!left.some((name) => name.includes(slug)), `left behind: ${left}`)
          return `had enough after ${sent.bytes / MEGABYTE} MB`
        })
      }),
  },
  {
    name: 'an answer without end ends the command, and our client',
    clause: CLAUSE,
    needs: ['newcomers', 'process', 'load'],
    run: (target) =>
      inFolder(async (home) => {
        const { slug } = await publicItem(target, 'Endless')
        return besideALiar(target, async (liar) => {
          const sent = { bytes: 0 }
          liar.lie = endless('/resolve', 'application/json', sent)
          const got = await guildhall(['install', `workflow/${slug}`], { home, url: liar.url })
          hold(got.code !== 0 && got.code !== null, `it never ended: ${ended(got)}`)
          hold(sent.bytes <= 2 * ON_ITS_WAY, `took ${sent.bytes} bytes: ${ended(got)}`)
          const ofClient = { bytes: 0 }
          liar.lie = endless('/items', 'application/json', ofClient)
          const client = createClient({ url: liar.url })
          const outcome = await client.library.list({}).then(
            () => 'believed',
            () => 'refused',
          )
          hold(outcome === 'refused' && ofClient.bytes <= 2 * ON_ITS_WAY, `${outcome} after ${ofClient.bytes} bytes`)
          return `had enough after ${sent.bytes / MEGABYTE} and ${ofClient.bytes / MEGABYTE} MB`
        })
      }),
  },
  {
    name: 'nothing that a server says is obeyed by the terminal',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      inFolder(async (home) => {
        const { slug } = await publicItem(target, 'Spoken')
        return besideALiar(target, async (liar) => {
          liar.alter = spoken
          const name = `workflow/${slug}`
          const commands = [
            ['search', 'spoken'],
            ['info', name],
            ['info', name, '--json'],
            ['bug', 'list'],
            ['install', name],
          ]
          return holdEach(
            commands,
            (words) => words.join(' '),
            async (words) => {
              const { code, output } = await guildhall(words, { home, url: liar.url })
              hold(code !== null, 'it never ended')
              hold(!OBEYED.test(output), JSON.stringify(output.match(OBEYED)?.input?.slice(0, 300)))
            },
          )
        })
      }),
  },
  {
    name: 'a name or a version that is a path writes nowhere else',
    clause: CLAUSE,
    needs: ['newcomers', 'process'],
    run: (target) =>
      inFolder(async (folder) => {
        const { id, slug } = await publicItem(target, 'Path')
        return besideALiar(target, async (liar) => {
          const honest = await guildhall(['install', id], { home: join(folder, 'honest'), url: liar.url })
          hold(honest.code === 0, `no honest install: ${ended(honest)}`)
          return holdEach(
            paths,
            (wrong) => JSON.stringify(wrong),
            async (wrong) => {
              const item = { found: true, name: `workflow/${slug}`, id, kind: 'workflow', slug, version: '1.0.0' }
              liar.lie = (path, response) => {
                if (/\/(proof|statement)\b/.test(path)) response.writeHead(404).end()
                else if (path.includes('/resolve'))
                  sendJson(response, {
                    items: [{ ...item, sha256: HASH, size: SMALL.length, yanked: false, ...wrong }],
                  })
                else if (path.endsWith('/file')) response.setHeader('X-Content-SHA256', HASH).end(SMALL)
                else return false
                return true
              }
              liar.alter = (value) => renamed(value, wrong)
              // What an id names, and of which version a name is, is for the server to say.
              const install = async (asked: string, n: number) => {
                const home = join(folder, 'one', 'two', 'three', `home-${n}`)
                const { code } = await guildhall(['install', asked, '--unproven', '--yes'], { home, url: liar.url })
                hold(code !== null, 'it never ended')
              }
              await Promise.all([`workflow/${slug}`, id].map(install))
              const names = (await readdir(folder, { recursive: true })).filter((name) => /escaped/.test(name))
              hold(names.length === 0, `written: ${names}`)
            },
          )
        })
      }),
  },
]
