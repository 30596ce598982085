// Who is signed in where: a file with mode 0600 for each profile, below one folder. It has the credentials, or says that the keyring has.
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type KeptTokens, keptTokens } from './kept-tokens.ts'
import { UsageError } from './usage.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder of profiles: GUILDHALL_CONFIG, or where the system keeps settings. */
function folderOf(environment: Environment): string {
  const { GUILDHALL_CONFIG, XDG_CONFIG_HOME, APPDATA } = environment
  return join(
    GUILDHALL_CONFIG ?? join(XDG_CONFIG_HOME ?? APPDATA ?? join(homedir(), '.config'), 'guildhall'),
    'profiles',
  )
}

/** Where the key for signing versions is. */
export const keyPath = (environment: Environment): string => join(dirname(folderOf(environment)), 'publisher-key.json')

/** The tokens of a profile. */
export function profileTokens(name: string, environment: Environment): KeptTokens {
  if (!/^[\w-]{1,40}$/.test(name)) throw new UsageError('A profile is named with letters, digits, - and _')
  return keptTokens(join(folderOf(environment), `${name}.json`), environment)
}

/** The names of profiles with tokens, sorted. */
export async function profileNames(environment: Environment): Promise<string[]> {
  const files = await readdir(folderOf(environment)).catch(() => [] as string[])
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}
