// How this installation is called: in a clone by npm, in a release by its own program (release/main.ts), where there is no npm.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = 'guildhall-server'

let isRelease: boolean | undefined

/** A sentence for the operator, with commands as this installation has them. */
export function asInstalled(sentence: string): string {
  isRelease ??= existsSync(join(ROOT, PROGRAM))
  if (!isRelease) return sentence
  return sentence
    .replaceAll('npm run admin -- ', `${PROGRAM} `)
    .replaceAll('npm run demo', `${PROGRAM} demo`)
    .replaceAll('npm start', PROGRAM)
}

/** The version of the server; `unknown` where no npm script started it. */
export const SERVER_VERSION = process.env['npm_package_version'] ?? 'unknown'
