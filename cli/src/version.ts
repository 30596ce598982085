// The version of this program.
import { readFileSync } from 'node:fs'

/** Beside the folder of the source, and beside that of the bundle. */
export const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
