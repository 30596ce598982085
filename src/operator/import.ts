// `npm run admin -- import`: reads files of another tracker, says what will become of them, and writes them. The server may run: it goes on where
// this command ends.
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as imports from '../community/imports/imports.ts'
import { Email } from '../contract/fields.ts'
import { type SourceName, sourceNames } from '../contract/import-sources.ts'
import { Problem } from '../contract/problem.ts'
import { oneLine } from '../contract/storable.ts'
import type { Db } from '../database/schema.ts'
import type { ExportFile } from '../formats/imports/opening.ts'
import { SourceError, type SourceFile } from '../formats/imports/record.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import { type Log, openLog } from '../runtime/log.ts'
import type { Blobs } from '../storage/blobs.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import type { Call, Command } from './command.ts'
import { withDatabase } from './with-accounts.ts'

const sourceLines = Object.entries(imports.sources).map(([name, { files }]) => `  ${name.padEnd(11)}${files}`)

export const importCommand: Command = {
  usage: 'import <source> <files...>',
  summary: `reads files, folders or archives (.zip, .tar.gz) of another tracker, and says what
will become of them;
--name <name>      what they came from, such as a repository; a later import of
                   the same name brings what is new
--kind <kind>      bug, feature or post, where the source does not say
--columns <json>   the column of a table for each field
--no-match         also who has proven a person's address gets no account of it
--start            writes them at once
import start <id>, import pause <id>, import revert <id> (takes all of it
back), import list, import map <id> (old addresses, for a proxy), and
import people <id> <file> (lines of name,address: who enters as whom);
import n8n <files...> writes workflow files of an export of n8n here, or
publishes each as an item with --owner, as with skills;
import skills <folder> --owner <name> publishes each folder with a SKILL.md in
the library, and again what changed; --dry-run only says so,
--public lets everybody see new ones
${sourceLines.join('\n')}`,
  parameters: [1, 200],
  options: {
    name: { type: 'string' },
    kind: { type: 'string' },
    columns: { type: 'string' },
    'no-match': { type: 'boolean' },
    start: { type: 'boolean' },
    owner: { type: 'string' },
    public: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  run,
}

const acts: Readonly<Record<string, (given: ImportCall) => Promise<number>>> = {
  list: async ({ db, output }) => {
    const items = (await imports.listImports(db, MOST)).map(imports.shownImport)
    const lines = items.map(
      ({ id, source, name, state, done }) => `${id}  ${state.padEnd(10)} ${source} ${name}: ${done.things} things`,
    )
    output.result({ items }, lines.join('\n') || 'There is no import.')
    return 0
  },
  start: (given) => stepTo(given, 'start'),
  pause: (given) => stepTo(given, 'pause'),
  revert: (given) => stepTo(given, 'revert'),
  map: writeMap,
  people: addressPeople,
}
/** What makes nothing of a tracker. */
const ofFiles: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  n8n: async (call) => (await import('./import-n8n.ts')).importN8n(call, await filesOf(call)),
  skills: async (call) => (await import('./import-skills.ts')).importSkills(call),
}
/** That are listed. */
const MOST = 100

/** Arguments that cannot be meant. */
class WrongUse extends Error {}

interface ImportCall {
  db: Db
  call: Call
  output: Call['output']
}

async function run(call: Call): Promise<number> {
  const [first = ''] = call.parameters
  const act = Object.hasOwn(acts, first) ? acts[first] : undefined
  const known = sourceNames.find((one) => one === first)
  const withFiles = Object.hasOwn(ofFiles, first) ? ofFiles[first] : undefined
  if (!act && !known && !withFiles) {
    call.output.complain(`There is no source ${oneLine(first)}. There are: ${Object.keys(imports.sources).join(', ')}.`)
    return 2
  }
  try {
    if (withFiles) return await withFiles(call)
    return await withDatabase(call.settings(), async (db) => {
      const given = { db, call, output: call.output }
      return known ? read(given, known) : act ? act(given) : 2
    })
  } catch (error) {
    if (!(error instanceof Problem || error instanceof WrongUse || error instanceof SourceError)) throw error
    call.output.complain(error.message)
    return 1
  }
}

const kinds = ['bug', 'feature', 'post'] as const

async function read({ db, call, output }: ImportCall, source: SourceName): Promise<number> {
  const { name, kind, columns } = call.options
  const files = await filesOf(call)
  if (files.length === 0) throw new WrongUse('Name the files, or a folder with them')
  const known = kinds.find((one) => one === kind)
  if (kind !== undefined && !known) throw new WrongUse(`--kind is one of ${kinds.join(', ')}`)
  const options = {
    ...(known && { kind: known }),
    ...(typeof columns === 'string' && { columns: imports.columnsIn(columns) }),
  }
  const now = timestamp(systemClock.now())
  const named =
    oneLine(typeof name === 'string' ? name : source)
      .trim()
      .slice(0, 100) || source
  const match = call.options['no-match'] !== true
  const given = { source, name: named, files, options, match, createdBy: null, now }
  const { id, report } = await withStores(call, (stores) => imports.readImport({ db, ...stores }, given))
  if (call.options['start'] === true) return begin({ db, call, output }, id)
  output.result({ id, report }, `${linesOf(report)}\n\nNothing is written yet: npm run admin -- import start ${id}`)
  return 0
}

const linesOf = ({
  states,
  leftOut,
  keepsNumbers,
  ...counts
}: Awaited<ReturnType<typeof imports.readImport>>['report']): string =>
  [
    ...Object.entries(counts).map(([what, count]) => `${String(count).padStart(8)}  ${what}`),
    ...states.map(({ from, to, count }) => `${String(count).padStart(8)}  ${oneLine(from)} becomes ${to}`),
    ...leftOut.map(({ what, count }) => `${String(count).padStart(8)}  left out: ${oneLine(what)}`),
    keepsNumbers ? 'Things keep their numbers.' : 'Things get new numbers.',
  ].join('\n')

const filesOf = async ({ parameters }: Call) => (await Promise.all(parameters.slice(1).map(filesAt))).flat()

/** The files of a folder, by their names, or one file. */
async function filesAt(path: string): Promise<(ExportFile & SourceFile)[]> {
  const found = await stat(path).catch(() => {
    throw new WrongUse(`There is no file ${path}`)
  })
  const all = found.isDirectory()
    ? (await readdir(path, { recursive: true })).toSorted().map((name) => join(path, name))
    : [path]
  const files: (ExportFile & SourceFile)[] = []
  for (const one of all) {
    if ((await stat(one)).isFile())
      files.push({
        name: found.isDirectory() ? one.slice(path.length + 1) : basename(one),
        path: one,
        read: () => createReadStream(one),
      })
  }
  return files
}

async function stepTo({ db, call, output }: ImportCall, step: 'start' | 'pause' | 'revert'): Promise<number> {
  const id = call.parameters[1] ?? ''
  if (step === 'start') return begin({ db, call, output }, id)
  const now = timestamp(systemClock.now())
  await imports.stepImport(db, { id, step, actorId: null, address: null, now })
  if (step === 'revert') while (await imports.revertImport({ db, clock: systemClock }, id)) await pause()
  return show({ db, output }, id)
}

async function begin({ db, call, output }: ImportCall, id: string): Promise<number> {
  const row = await imports.findImport(db, id)
  const now = timestamp(systemClock.now())
  if (row?.state !== 'running') await imports.stepImport(db, { id, step: 'start', actorId: null, address: null, now })
  await withStores(call, async (stores) => {
    while (await imports.runImport({ db, ...stores, clock: systemClock }, id)) await pause()
  })
  return show({ db, output }, id)
}

async function withStores<Value>(
  call: Call,
  use: (stores: { blobs: Blobs; log: Log }) => Promise<Value>,
): Promise<Value> {
  const { logLevel, blobUrl } = call.settings()
  const blobs = await openBlobs(blobUrl)
  try {
    return await use({ blobs, log: openLog(logLevel) })
  } finally {
    blobs.close()
  }
}

/** Others have their turn at the writer between two batches. */
const pause = () => new Promise((resolve) => setImmediate(resolve))

async function show({ db, output }: Pick<ImportCall, 'db' | 'output'>, id: string): Promise<number> {
  const row = await imports.findImport(db, id)
  if (!row) throw new Problem('not_found', 'No such import')
  const shown = imports.shownImport(row)
  const lines = Object.entries(shown.done).map(([what, count]) => `${String(count).padStart(8)}  ${what}`)
  output.result(shown, [`${shown.source} ${shown.name}: ${shown.state}`, ...lines].join('\n'))
  return 0
}

/** Lines for a proxy: an address there, and where it is here. */
async function writeMap({ db, call, output }: ImportCall): Promise<number> {
  const places = await imports.listPlaces(db, call.parameters[1] ?? '')
  const paths = places.flatMap(({ url, type, thingId }) => {
    if (!URL.canParse(url)) return []
    return { from: new URL(url).pathname, to: `/community/${type === 'feature' ? 'features' : `${type}s`}/${thingId}` }
  })
  output.result({ paths }, paths.map(({ from, to }) => `${from} ${to};`).join('\n'))
  return 0
}

/** Lines of a name at the source and an address. */
async function addressPeople({ db, call, output }: ImportCall): Promise<number> {
  const [, importId = '', path = ''] = call.parameters
  const lines = (await readFile(path, 'utf8').catch(() => '')).split(/\r?\n/)
  const addresses = new Map<string, string>()
  for (const line of lines) {
    const at = line.lastIndexOf(',')
    const email = Email.safeParse(line.slice(at + 1).trim())
    if (at > 0 && email.success) addresses.set(line.slice(0, at).trim(), email.data)
  }
  if (addresses.size === 0) throw new WrongUse('Name a file with lines of a name and an address')
  const { done, left } = await imports.addressPeople(db, { importId, addresses })
  const others = left.map((name) => `Not here, or not to be changed: ${oneLine(name)}`)
  output.result({ done, left }, [`${done} people have an address now.`, ...others].join('\n'))
  return 0
}
