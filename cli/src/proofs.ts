// Proofs of installed items: checked when they come, and kept beside them, so that they can be checked again without the server.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GuildhallError } from '../../client/src/errors.ts'
import { replaceFile } from '../../client/src/replace-file.ts'
import { isCode, takingTurns } from '../../client/src/turns.ts'
import {
  fetchProofBundle,
  type ProofBundle,
  type SeenLog,
  type Verified,
  VerifyError,
  verifyBundle,
} from '../../client/src/verify.ts'
import type { Context } from './command.ts'
import { type ItemName, nameText } from './home.ts'
import { RefusedError } from './usage.ts'

const FOLDER = '.proofs'
const LOGS = 'logs.json'

/** A version that is installed, or is about to be. */
export interface Proven extends ItemName {
  server: string
  version: string
  /** Of the file, in hex. */
  sha256: string
}

const bundlePath = (home: string, name: ItemName) => join(home, FOLDER, `${nameText(name)}.json`)

async function readJson<Value>(path: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Value
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw new RefusedError('proof', `${path} cannot be read: ${(error as Error).message}`)
  }
}

type Logs = Record<string, SeenLog>

/** What was seen of the logs of all servers. */
const readLogs = async (home: string): Promise<Logs> => (await readJson<Logs>(join(home, FOLDER, LOGS))) ?? {}

/** The check, with what is doubted as a refusal. */
async function checked(
  bundle: ProofBundle,
  expected: { sha256: string; seen: SeenLog | undefined },
): Promise<Verified> {
  try {
    return await verifyBundle(bundle, expected)
  } catch (error) {
    if (error instanceof VerifyError)
      throw new RefusedError(`verify_${error.doubt}`, `${bundle.name}: ${error.message}`)
    throw error
  }
}

/** Proofs that were checked and are not kept yet. */
export interface Proofs {
  /** What each proof says, in the order of what was asked; undefined where the server has none, as for private items. */
  verified: (Verified | undefined)[]
  /** Keeps them, with what was seen of the logs. */
  keep(): Promise<void>
}

/**
 * Gets the proofs of versions that have none yet, and checks them against the files and the logs that were seen. A server that has given
 * a proof once must have one for every public version.
 */
export async function proveVersions(context: Context, home: string, asked: readonly Proven[]): Promise<Proofs> {
  const logs = await readLogs(home)
  const bundles: [ItemName, ProofBundle][] = []
  const verified: Proofs['verified'] = []
  for (const proven of asked) {
    const { server, kind, slug, version, sha256 } = proven
    const kept = await verifyKept(home, proven)
    const seen = logs[server]
    const bundle = kept ? undefined : await find(context, { kind, slug, version, seen, server })
    const found = kept ?? (bundle && (await checked(bundle, { sha256, seen })))
    if (bundle && found) {
      bundles.push([proven, bundle])
      logs[server] = found.seen
    }
    verified.push(found)
  }
  return { verified, keep: () => keep(home, bundles, logs) }
}

type Wanted = Parameters<typeof fetchProofBundle>[1] & { server: string }

async function find(context: Context, { server, ...wanted }: Wanted): Promise<ProofBundle | undefined> {
  try {
    return await fetchProofBundle(await context.client({ url: server }), wanted)
  } catch (error) {
    const isMissing = error instanceof GuildhallError && error.status === 404
    if (isMissing && (!wanted.seen || /not public/.test(error.message))) return undefined
    throw error
  }
}

/** Another command may have seen more of a log in the meantime: then that stays, and the proofs are asked for again later. */
async function keep(home: string, bundles: readonly [ItemName, ProofBundle][], logs: Logs): Promise<void> {
  if (bundles.length === 0) return
  const path = join(home, FOLDER, LOGS)
  await mkdir(join(home, FOLDER), { recursive: true })
  const write = async ([name, bundle]: [ItemName, ProofBundle]) => {
    await mkdir(dirname(bundlePath(home, name)), { recursive: true })
    await replaceFile(bundlePath(home, name), `${JSON.stringify(bundle)}\n`)
  }
  const writing = Promise.all(bundles.map(write))
  writing.catch(() => undefined)
  await takingTurns(`${path}.turn`, async () => {
    const known = await readLogs(home)
    for (const [server, log] of Object.entries(logs)) if ((known[server]?.size ?? 0) <= log.size) known[server] = log
    await replaceFile(path, `${JSON.stringify(known, null, 2)}\n`)
  })
  await writing
}

/** Checks the kept proof of a version without the server; undefined where none is kept. */
export async function verifyKept(home: string, proven: Proven): Promise<Verified | undefined> {
  const bundle = await readJson<ProofBundle>(bundlePath(home, proven))
  if (!bundle || bundle.name !== nameText(proven) || bundle.version !== proven.version) return undefined
  const { consistency: _, ...kept } = bundle
  return checked(kept, { sha256: proven.sha256, seen: (await readLogs(home))[proven.server] })
}

/** Forgets the proof of an item that is removed. */
export const forgetProof = (home: string, name: ItemName): Promise<void> => rm(bundlePath(home, name), { force: true })
