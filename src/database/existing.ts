// Commands read a database that a server made: to open a SQLite file that is not there would make an empty one.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Throws where there is no database: a command would say of an empty one that all is well. */
export function refuseMissing(url: string): void {
  if (/^postgres(ql)?:/.test(url) || existsSync(url)) return
  throw new Error(
    `there is no database at ${resolve(url)}: set DATA_DIR as the server has it; its first start makes one`,
  )
}
