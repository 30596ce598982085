// Where the credentials of a profile are: in the keyring, with a file that says so, or in a file that only its owner can read.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../../client/src/replace-file.ts'
import type { Tokens } from '../../client/src/token-endpoint.ts'
import type { TokenStore } from '../../client/src/tokens.ts'
import { isCode, takingTurns } from '../../client/src/turns.ts'
import type { Keyring } from './keyring.ts'
import { RefusedError, UsageError } from './usage.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the file of a profile says when the credentials are in a keyring: nothing secret. */
interface Marker {
  url: string
  keyring: string
}

export interface KeptTokens extends TokenStore {
  /** For people: where they are. */
  place(): Promise<string>
}

/** auto: a keyring that works, for new credentials; others stay where they are. */
function modeOf({ GUILDHALL_KEYRING: mode = 'auto' }: Environment): 'auto' | 'on' | 'off' {
  if (mode === 'auto' || mode === 'on' || mode === 'off') return mode
  throw new UsageError('GUILDHALL_KEYRING is auto, on or off')
}

const keyringOf = async (environment: Environment): Promise<Keyring | undefined> =>
  (await import('./keyring.ts')).keyringFor(process.platform, environment)

/** The credentials of the profile whose file is at `path`. */
export function keptTokens(path: string, environment: Environment): KeptTokens {
  const here = async <T>(body: () => Promise<T>): Promise<T> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return body()
  }
  return {
    async read() {
      const kept = await readKept(path)
      if (!kept || !('keyring' in kept)) return kept
      const secret = await (await keyringOf(environment))?.read(path).catch(() => undefined)
      if (secret === undefined)
        throw new RefusedError('keyring', `The keyring (${kept.keyring}) does not give the credentials of ${path}`)
      return JSON.parse(secret) as Tokens
    },
    write: (tokens) => (tokens ? here(() => keep({ path, environment }, tokens)) : forget({ path, environment })),
    lock: (body) => here(() => takingTurns(`${path}.lock`, body)),
    async place() {
      const kept = await readKept(path)
      return kept && 'keyring' in kept ? `the keyring (${kept.keyring})` : path
    },
  }
}

async function readKept(path: string): Promise<Tokens | Marker | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Tokens | Marker
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

interface Place {
  path: string
  environment: Environment
}

async function keep({ path, environment }: Place, tokens: Tokens): Promise<void> {
  const mode = modeOf(environment)
  const before = await readKept(path)
  const isInFile = before !== undefined && !('keyring' in before)
  const name =
    mode === 'off' || (mode === 'auto' && isInFile) ? undefined : await keepInKeyring(path, environment, tokens)
  if (name === undefined && mode === 'on')
    throw new RefusedError('keyring', 'There is no keyring that can be used: GUILDHALL_KEYRING=off keeps a file')
  const content: Tokens | Marker = name === undefined ? tokens : { url: tokens.url, keyring: name }
  await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`, 0o600)
  if (name === undefined && before && 'keyring' in before)
    await (await keyringOf(environment))?.delete(path).catch(() => undefined)
}

/** The name of the keyring; undefined if there is none, or it does not give back what it was given. */
async function keepInKeyring(path: string, environment: Environment, tokens: Tokens): Promise<string | undefined> {
  const keyring = await keyringOf(environment)
  const secret = JSON.stringify(tokens)
  try {
    await keyring?.write(path, secret)
    return (await keyring?.read(path)) === secret ? keyring?.name : undefined
  } catch {
    return undefined
  }
}

async function forget({ path, environment }: Place): Promise<void> {
  const before = await readKept(path)
  if (before && 'keyring' in before) await (await keyringOf(environment))?.delete(path)
  await rm(path, { force: true })
}
